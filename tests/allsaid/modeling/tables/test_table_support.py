"""Whether what a turn says belongs to the row that it speaks of."""

from __future__ import annotations

import pytest
from small_dialogues import OFFERS, offers_of

from allsaid.modeling.tables.offer_table import OfferTable
from allsaid.modeling.tables.table_support import support_of

TABLE = OfferTable.of(OFFERS, "here")
TWINS = OfferTable.of(offers_of([["ask", "thai", "north", "01"], ["ask", "indian", "south", "02"]]), "here")


@pytest.mark.parametrize(
    ("words", "row", "foreign"),
    [
        (["ask", "serves", "thai", "food", "in", "the", "south"], 2, []),
        (["ask", "is", "in", "the", "north"], 2, [("north", [4])]),
        (["the ship", "serves", "modern", "european", "food", ",", "not", "thai"], 1, [("thai", [7])]),
        (["the ship", "'s", "number", "is", "01 33"], 1, [("01 33", [4])]),
        (["modern", "times", "at", "the ship"], 1, []),  # a part of a cell is none
    ],
)
def test_cells_of_other_rows_are_foreign(words: list[str], row: int, foreign: list[tuple[str, list[int]]]) -> None:
    found = support_of(words, TABLE)
    assert found is not None and (found.row, found.foreign) == (row, foreign)


@pytest.mark.parametrize("words", [[], ["no", "thai", "place", "in", "the", "north"]])
def test_a_turn_that_names_no_row_speaks_of_none(words: list[str]) -> None:
    assert support_of(words, TABLE) is None


def test_equal_names_resolve_to_the_best_matching_row() -> None:
    found = support_of(["ask", "has", "indian", "food", "in", "the", "south"], TWINS)
    assert found is not None and (found.row, found.foreign) == (1, [])


def test_the_row_of_most_cells_is_spoken_of_not_the_first_named() -> None:
    found = support_of(["red door", "no", ",", "ask", "01 33", "south"], TABLE)
    assert found is not None and (found.row, found.foreign) == (2, [("red door", [0])])
