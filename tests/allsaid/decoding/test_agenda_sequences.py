"""The search where a model reads agendas as sequences and copies their words."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from small_catalogue import make_text
from small_data import make_example

from allsaid.decoding.beam import beam_search
from allsaid.decoding.group import copied_ids
from allsaid.decoding.reread import read_again
from allsaid.decoding.step.items import unwritable
from allsaid.decoding.write import write
from allsaid.modeling.config import SearchConfig, parse_config
from allsaid.modeling.data.shapes import by_shape
from allsaid.modeling.data.vocabulary import SPECIALS, Vocabulary, VocabularySet
from allsaid.modeling.saved.model_folder import VIEW, Bundle, build_model
from allsaid.modeling.tasks.sequence import TASK
from allsaid.proof.habits import Habits
from schemas.errors import UserError
from schemas.example import NO_ITEM, Example

SEARCH = SearchConfig(width=3, max_tokens=8, finished=3)


def make_row(goal: str, *items: str) -> Example:
    return replace(
        make_example(0),
        goal=goal,
        goal_tokens=goal.split(),
        agenda=[*items],
        agenda_tokens=[one.split() for one in items],
    )


ROWS = [
    make_row("leek soup", "salt", "cold butter"),
    make_row("pie", "flour", "sugar", "milk"),
    make_row("tart", "rice"),
]


def make_bundle(words: tuple[str, ...], switch: float, mapping: str = "", habits: Habits | None = None) -> Bundle:
    """An untrained model; with a switch of 30 it copies each word."""
    config = parse_config("model: {kind: pointer, hidden: 8, init: 0.6}", "copier.yaml")
    vocabularies = VocabularySet(Vocabulary((*SPECIALS, *words)))
    torch.manual_seed(2)
    model = build_model(config, vocabularies).eval()
    model.switch.bias.data.fill_(switch)
    return Bundle(model, config, vocabularies, origin={VIEW: "True"}, mapping=mapping, habits=habits)


def test_copies_name_their_line_but_not_the_goal() -> None:
    bundle = make_bundle(("salt", "pie", "stir"), 30)
    assert bundle.task == TASK.of_agendas
    texts = [found[0].tokens for found in write(bundle, ROWS, SEARCH)]
    from_goal, from_items = 0, 0
    for row, text, reading in zip(ROWS, texts, read_again(bundle, ROWS, texts, SEARCH, True), strict=True):
        for word, (item, place) in zip(bundle.words(text, row), reading.sources, strict=True):
            if item == NO_ITEM:
                from_goal += word in row.goal_tokens
            else:
                from_items += row.agenda_tokens[item][place] == word
        named = {(one.item, one.place) for one in reading.weights if one.map == "pointer"}
        goal = {(NO_ITEM, word) for word in row.goal_tokens}
        assert named <= goal | {(item, word) for item, words in enumerate(row.agenda_tokens) for word in words}
    assert from_goal and from_items and from_goal + from_items == sum(map(len, texts))


def test_a_slot_without_a_value_is_never_written() -> None:
    row = replace(
        make_text("", ["name"]),
        agenda=["name=Heron", "lined=yes", "waterproof=no"],
        agenda_tokens=[["SLOT_NAME"], ["SLOT_LINED_YES"], ["SLOT_WATERPROOF_NO"]],
    )
    bundle = make_bundle(("SLOT_LINED_YES", "a"), 30, "columns: {}")
    assert bundle.task == TASK.of_agendas.of_table
    for one in write(bundle, [row], SEARCH)[0]:
        assert {*bundle.words(one.tokens, row)} <= {"SLOT_NAME", "lamp", "a"}


def test_a_part_of_a_row_is_read_with_the_whole_rows_own_words() -> None:
    """Each part has the ids from V on for words of its own; a text of all must say each part's."""
    habits = Habits(
        most=1, usual=1, sentence=1, subject="", repeats_subject=False, order={"price": 0.1, "colour": 0.5}, pairs={}
    )
    row = replace(make_text("", ["colour", "maker", "price"]), goal_tokens=[])
    bundle = make_bundle(("a",), 30, "columns: {}", habits)
    best, *_ = write(bundle, [row], SEARCH)[0]
    assert [*dict.fromkeys(bundle.words(best.tokens, row))] == ["SLOT_PRICE", "SLOT_COLOUR", "SLOT_MAKER"]


def test_a_bound_on_what_is_given_is_kept() -> None:
    """Also of items that training never had: their words are copied."""
    bundle = make_bundle(("salt", "flour", "sugar", "stir"), 0)
    for row, found in zip(ROWS, write(bundle, ROWS, replace(SEARCH, min_coverage=100)), strict=True):
        heads = {item[-1] for item in row.agenda_tokens}
        assert heads <= {*bundle.words(found[0].tokens, row)}
    words, own = bundle.vocabularies.text, copied_ids(bundle, ROWS[1])
    assert unwritable(ROWS[1], words, (), with_goal=True) == {2: "unknown", 3: "unknown"}
    assert unwritable(ROWS[1], words, (), with_goal=True, copied_ids=own) == {}
    assert unwritable(ROWS[1], words, ("sugar",), copied_ids=own) == {1: "banned"}


def test_texts_are_varied_and_may_hold_words_of_their_rows_own() -> None:
    bundle = make_bundle(("salt", "stir"), 30)
    found = write(bundle, ROWS, replace(SEARCH, variety=True, texts=2))
    assert all(len({tuple(one.tokens) for one in texts}) >= 2 for texts in found)
    assert any(token >= len(bundle.vocabularies.text) for texts in found for one in texts for token in one.tokens)


def test_full_shortlist_equals_whole_vocabulary() -> None:
    bundle = make_bundle(("stir", "in", "salt", "pie", "bake", "rice"), 0)
    others = torch.arange(len(SPECIALS) + 2, len(bundle.vocabularies.text))
    for places, group in by_shape([bundle.prompts([row]) for row in ROWS]):
        whole = beam_search(bundle.model, group, SEARCH)
        short = beam_search(bundle.model, group, replace(SEARCH, shortlist=2), shortlists=others.repeat(len(places), 1))
        for ours, theirs in zip(whole, short, strict=True):
            assert [one.tokens for one in ours] == [one.tokens for one in theirs]
            logs = [one.log_probability for one in theirs]
            assert [one.log_probability for one in ours] == pytest.approx(logs, abs=1e-4)


def test_items_of_words_alone_get_no_extra_weight() -> None:
    with pytest.raises(UserError, match=r"'rewrites' .* 'agenda as sequence' does not support\. Leave it out"):
        write(make_bundle(("salt",), 0), ROWS, replace(SEARCH, rewrites=2))
