"""What texts say of a table's record, by placeholders: the verdict is that of the batch job's matcher."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import small_table

from allsaid.modeling.text.restore import Casing
from allsaid.proof.coverage import Lexicon
from allsaid.proof.slots import SlotErrors, add_up, slot_errors
from allsaid.proof.values.matching import measure_values
from allsaid.proof.values.records import build_spoken, measure
from allsaid.proof.values.seen import build_values
from batch_infer.rows import facts
from batch_infer.rows.inputs import Row
from batch_infer.rows.kinds import tables
from batch_infer.rows.wording import publish
from schemas.act import Act
from schemas.example import Example

Pairs = list[tuple[Example, Act]]


@pytest.fixture
def pairs(tmp_path: Path) -> Pairs:
    found = small_table.kept(small_table.ingest(tmp_path, small_table.as_csv(small_table.ROWS)))
    return [(example, act) for example, act, _ in found]


def lexicon(pairs: Pairs) -> Lexicon:
    examples, acts = zip(*pairs, strict=True)
    return Lexicon({}, build_spoken(examples, acts), ("tent",), asks_goal=True)


def test_boolean_keywords_are_those_of_supervision(pairs: Pairs) -> None:
    assert lexicon(pairs).spoken == {"is_waterproof": frozenset({"waterproof"})}


@pytest.mark.parametrize("left_out", [None, "SLOT_PRICE", "waterproof", "SLOT_NAME"])
def test_the_same_values_are_given_as_the_batch_job_finds(pairs: Pairs, tmp_path: Path, left_out: str | None) -> None:
    mapping = tables.mapping_of((tmp_path / "mapping.yaml").read_text())
    known = facts.inventory_of(build_values(act for _, act in pairs), mapping)
    plain = replace(lexicon(pairs), goals=())
    for example, _ in pairs:
        tokens = [token for token in example.tokens if token != left_out]
        row = Row(example.goal, example.agenda, example.goal_tokens, example.agenda_tokens)
        text = facts.text_of(publish(tokens, row, Casing({}, frozenset())), mapping)
        assert measure(tokens, example, plain).given == (
            measure_values(text, facts.facts_of(example.agenda, mapping), known).given
        )


def test_a_goal_that_texts_say_is_a_value(pairs: Pairs) -> None:
    tent, lamp = (example for example, _ in pairs)
    found = measure([*tent.tokens, "a", "tent"], tent, lexicon(pairs))
    assert (found.given[-1], found.extra, found.errors.missing) == (True, 1, 0)  # "2 m" is nowhere in the record
    other = measure(["a", "tent"], lamp, lexicon(pairs))
    assert (other.given, other.extra, other.errors) == ([False, False, False], 1, SlotErrors(2, 1, 2))
    not_asked = replace(lexicon(pairs), asks_goal=False)
    assert measure(tent.tokens, tent, not_asked).given == measure(tent.tokens, tent, lexicon(pairs)).given[:-1]
    assert measure([*tent.tokens, "a", "tent"], tent, not_asked).extra == 1, "its own goal is not extra"
    unasked = measure(["a", "tent"], lamp, not_asked)
    assert (unasked.given, unasked.extra, unasked.errors) == ([False, False], 1, SlotErrors(1, 1, 1))


def test_what_a_record_lacks_is_extra(pairs: Pairs) -> None:
    lamp = pairs[1][0]
    plain = replace(lexicon(pairs), goals=())
    assert measure(["SLOT_NAME", "is", "not", "waterproof"], lamp, plain).extra == 0
    found = measure(["SLOT_NAME", "is", "waterproof", "and", "costs", "SLOT_PRICE", "not", "7"], lamp, plain)
    assert (found.given, found.extra) == ([True, False], 3)


def test_slot_errors_count_what_is_missing_and_what_is_too_much() -> None:
    wanted = ["SLOT_NAME", "SLOT_FOOD"]
    assert slot_errors(["SLOT_NAME", "serves", "SLOT_FOOD"], wanted) == SlotErrors(0, 0, 2)
    assert slot_errors(["SLOT_NAME", "and", "SLOT_NAME"], wanted) == SlotErrors(1, 1, 2)
    assert slot_errors(["SLOT_NAME", "SLOT_FOOD", "SLOT_AREA"], wanted) == SlotErrors(0, 1, 2)
    assert add_up([SlotErrors(1, 0, 3), SlotErrors(0, 1, 1)]).rate == 0.5
    assert add_up([]).rate == 0


def test_what_an_attested_clause_states_in_other_words_is_given(pairs: Pairs) -> None:
    tent = pairs[0][0]
    words = ["keeps", "rain", "out"]
    assert not any(measure(words, tent, lexicon(pairs)).given)
    answer = tent.agenda.index("is_waterproof=yes")
    stated = [item == answer for item in range(len(tent.agenda))]
    found = measure(words, tent, lexicon(pairs), [*stated, True])
    assert (found.given, found.extra) == ([*stated, True], 0)
    assert found.errors.missing == len(tent.agenda) - 1  # all placeholders, and neither the answer nor the goal


def test_a_value_of_two_columns_is_given_by_one_of_them(pairs: Pairs) -> None:
    tent = replace(pairs[0][0], agenda=["name=Tent", "made_of=Tent", "price=5", "size=5"])
    tent = replace(tent, agenda_tokens=[["SLOT_NAME"], ["SLOT_MADE_OF"], ["SLOT_PRICE"], ["SLOT_SIZE"]])
    found = measure(["SLOT_MADE_OF", "for", "SLOT_PRICE"], tent, lexicon(pairs))
    assert (found.given, found.errors.missing) == (
        [True, True, True, False, True],
        1,
    )  # the last one is the goal, a tent
