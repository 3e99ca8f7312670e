"""Planted faults as a judge meets them: each text once, the row without its text, and the judge's counts."""

from __future__ import annotations

from random import Random

import pytest
from small_faults import LAMP, MUG, PAN, SHOP

from allsaid.proof.planted.known import study
from allsaid.proof.planted.plant import KINDS, Count, corrupt, count_certified, is_really_wrong, plant, row_of

KNOWN = study(SHOP)


@pytest.mark.parametrize("kind", sorted(KINDS.keys() - {"crossed"}))
def test_a_fault_is_the_same_for_the_same_seed(kind: str) -> None:
    one, other = (corrupt(kind, LAMP, KNOWN, Random(3)) for _ in range(2))
    assert one == other and one is not None
    assert one.kind == kind and one.tokens != LAMP.tokens and one.row == row_of(LAMP)


def test_the_damaged_span_is_what_was_put_in() -> None:
    found = corrupt("polarity", PAN, KNOWN, Random(1))
    assert found is not None and (found.way, found.start, found.end) == ("negation removed", 6, 6)
    found = corrupt("polarity", LAMP, KNOWN, Random(1))
    assert found is not None and found.tokens[found.start : found.end] == ["not"]


def test_a_text_that_can_not_be_damaged_surely_is_left() -> None:
    assert corrupt("polarity", MUG, KNOWN, Random(1)) is corrupt("crossed", MUG, KNOWN, Random(1)) is None


def test_a_row_has_no_words_of_its_text() -> None:
    row = row_of(MUG)
    assert (row.text, row.tokens, row.surface, row.ref_items) == ("", [], [], [])
    assert (row.goal, row.agenda, row.agenda_tokens) == (MUG.goal, MUG.agenda, MUG.agenda_tokens)


def test_sentences_in_another_order_are_no_fault() -> None:
    first, second, third = MUG.tokens[:6], MUG.tokens[6:10], MUG.tokens[10:]
    assert not is_really_wrong("cut", [*third, *first, *second], MUG, KNOWN)
    assert is_really_wrong("cut", [*first, "it", "weighs", "."], MUG, KNOWN)


def test_each_text_is_planted_at_most_once() -> None:
    found = plant(SHOP, KNOWN, 3, kinds=("polarity", "cut"))
    assert [one.kind for one in found] == ["polarity"] * 2 + ["cut"] * 3
    assert len({tuple(one.tokens) for one in found}) == 5


def test_false_certificates_are_counted_by_kind() -> None:
    planted = plant(SHOP, KNOWN, 2, kinds=("cut", "doubled"))
    assert count_certified(planted, lambda tokens, row: False) == {"cut": Count(2, 0), "doubled": Count(2, 0)}
    assert count_certified(planted, lambda tokens, row: True) == {"cut": Count(2, 2), "doubled": Count(2, 2)}
