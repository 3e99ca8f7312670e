"""BLEU by the two protocols of dialogue texts, on acts of our own and on the corpus's fixed points."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.measures.protocols import (
    act_key,
    each_value_once,
    firsts,
    paper_bleu,
    references,
    rnnlg_bleu,
    written,
)
from pipelines.linking.delex import items_of
from pipelines.source import KeptRecord, Shard
from pipelines.sources.dialogue_acts import source as dialogue_acts
from schemas.act import Act, Slot


def act(text: str, handcrafted: str, *slots: tuple[str, str]) -> Act:
    named = [Slot(*slot) for slot in slots]
    return Act("0", "inform", named, text, written(text), [], [], handcrafted, "file", 0)


def test_acts_are_grouped_by_slots_and_special_values() -> None:
    slots = [Slot("name", "red door"), Slot("kidsallowed", "yes"), Slot("name", "blue door"), Slot("near", "")]
    assert act_key("inform", slots) == "inform(kidsallowed=yes;name=_1;name=_2;near=)"


def test_references_are_the_groups_texts_with_own_values() -> None:
    acts = [
        act("red door is nice .", "go to red door", ("name", "red door")),
        act("try blue leek", "see blue leek .", ("name", "blue leek")),
        act("it is cheap", "it is cheap", ("price", "cheap")),
    ]
    found = references(acts)
    assert found == [
        ["red door is nice", "try red door"],
        ["blue leek is nice", "try blue leek"],
        ["it is cheap"],
    ]
    assert firsts(acts, [written(one.handcrafted) for one in acts]) == [
        "go to red door",
        "go to blue leek",
        "it is cheap",
    ]


def test_a_value_that_stands_twice_is_replaced_once() -> None:
    items = items_of([Slot("food", "leek"), Slot("name", "leek house")])
    assert each_value_once(["leek", "house", "serves", "leek", ",", "leek", "!"], items) == (
        ["SLOT_NAME", "serves", "SLOT_FOOD", ",", "leek", "!"]
    )


def test_the_texts_themselves_score_full_marks() -> None:
    found = [["red door is a very nice hotel -s place"], ["try the blue leek in town today"]]
    perfect = [text for texts in found for text in texts]
    assert paper_bleu([f"{text} ." for text in perfect], found) == pytest.approx(100)
    assert rnnlg_bleu([[text, f"{text} ."] for text in perfect], found) == pytest.approx(1)
    assert rnnlg_bleu([[perfect[0], "leeks"], [perfect[1]]], found) < 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("domain", "rnnlg", "paper"), [("hotel", "0.5406", "55.62"), ("restaurant", "0.4260", "44.59")]
)
def test_handcrafted_texts_are_fixed_points(data_root: Path, domain: str, rnnlg: str, paper: str) -> None:
    shard = Shard((str(data_root / "rnnlg" / "original" / domain / "test.json"),))
    kept = (
        one
        for one in dialogue_acts.DialogueActs().read(shard, dialogue_acts.NoSettings())
        if isinstance(one, KeptRecord)
    )
    acts = [one.rows["acts"][0] for one in kept]
    found = references(acts)
    texts = [written(act.handcrafted) for act in acts]
    assert f"{rnnlg_bleu([[text] for text in firsts(acts, texts)], found):.4f}" == rnnlg
    assert f"{paper_bleu(texts, found):.2f}" == paper
