"""Yes and no told the right way round: the rule beside sentences that were judged by sense."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from cases import cases

from allsaid.language.word_table import WORDS, normalise
from allsaid.proof.polarity import is_negated, says_little
from evaluation.measures.slots import binary, polarity
from pipelines.source import KeptRecord
from pipelines.sources.dialogue_acts.source import DialogueActs, NoSettings
from schemas.act import Slot

JUDGED: list[dict[str, Any]] = yaml.safe_load((Path(__file__).parent / "judged_polarity.yaml").read_text())
AGREEING = [case for case in JUDGED if "rule" not in case]


def told_wrongly(case: dict[str, Any]) -> list[str]:
    slots = [Slot(slot, value) for slot, value in case["slots"].items()]
    return polarity(normalise(case["text"], WORDS)[0], slots).wrong


@pytest.mark.parametrize("case", AGREEING, ids=lambda case: f"{case['text']} {case['slots']}")
def test_the_rule_agrees_with_the_judgement(case: dict[str, Any]) -> None:
    assert told_wrongly(case) == case["wrong"]


@pytest.mark.parametrize("case", [case for case in JUDGED if "rule" in case], ids=lambda case: case["text"])
def test_where_the_rule_is_known_to_be_wrong(case: dict[str, Any]) -> None:
    assert told_wrongly(case) == case["rule"] != case["wrong"]


@cases
def test_neighbours_of_english_deny_in_their_own_words(text: str, spoken: str, denied: bool) -> None:
    words = text.split()
    assert is_negated(words, {words.index(spoken)}) is denied


@cases
def test_what_readers_bring_or_nobody_can_do_is_denied(text: str, spoken: str, denied: bool) -> None:
    words = normalise(text, WORDS)[0]
    assert is_negated(words, {words.index(spoken)}) is denied


@cases
def test_how_much_there_is_of_a_thing(text: str, thing: str, little: bool | None) -> None:
    words = normalise(text, WORDS)[0]
    assert says_little(words, range(len(words)), words.index(thing)) is little


@pytest.mark.corpus
@pytest.mark.parametrize(("domain", "wrong", "asked"), [("hotel", 3, 189), ("restaurant", 4, 147)])
def test_what_people_told_wrongly(data_root: Path, domain: str, wrong: int, asked: int) -> None:
    path = str(data_root / "rnnlg" / "original" / domain / "test.json")
    (shard,) = DialogueActs().plan([path], NoSettings())
    acts = [one.rows["acts"][0] for one in DialogueActs().read(shard, NoSettings()) if isinstance(one, KeptRecord)]
    found = [polarity(act.normalised.split(), act.slots).wrong for act in acts]
    assert sum(map(len, found)) == wrong
    assert sum(len(binary(act.slots)) for act in acts) == asked
