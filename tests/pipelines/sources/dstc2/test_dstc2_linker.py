"""Cells of the table in a turn's words: any text comes back, and post codes are read as the system says them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lossless import is_lossless
from small_dstc2 import (
    ASK,
    ROWS,
    write_table,
)

from pipelines.linking.offers import words_of
from pipelines.sources.dstc2.table import COLUMNS, Linker, Scene, load_table, words_of_cell
from schemas.dialogue import Turn
from schemas.offer import Offer

PIECES = [cell for row in ROWS for cell in row] + [
    "C.B 5, 8 W.R",
    "c.b",
    "5",
    ",",
    "_NAME_1",
    "_empty",
    "don't",
    "St. Anne's",
    "dontcare",
    "",
    "½",
]


def test_post_codes_as_the_system_says_them() -> None:
    codes = {
        "c b 2 1 u f": "c.b 2 , 1 u.f",
        "c b 5": "c.b 5",
        "c b 3 a f": "c.b 3 a.f",
        "unknown to us": "unknown to us",
    }
    for written, said in codes.items():
        assert words_of_cell(Offer(0, [*COLUMNS], [None] * 5 + [written, None], []), COLUMNS.index("postcode")) == said


@pytest.fixture(scope="module")
def linker(tmp_path_factory: pytest.TempPathFactory) -> Linker:
    return Linker(load_table(write_table(tmp_path_factory.mktemp("table"))))


@given(st.lists(st.sampled_from(PIECES), max_size=12), st.sampled_from(range(4)), st.booleans())
def test_any_text_comes_back(linker: Linker, pieces: list[str], row: int, offered: bool) -> None:
    scene = Scene((ROWS[row][0],) if offered else (), frozenset([ASK]), (row,), (1, 2, 3), (4, 5, 6))
    text = " ".join(pieces)
    linked = linker.link(text, scene)
    turn = Turn("user", linked.text, True, linked.tokens, linked.written, linked.rows, linked.columns, [], [], [])
    assert linked.text == " ".join(words_of(text))
    assert is_lossless(turn, linker.offers, words_of_cell)
    assert len(linked.tokens) == len(linked.written) == len(linked.rows) == len(linked.columns)
