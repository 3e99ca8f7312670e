"""Whether the tokens of a turn restore its text."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pipelines.linking import offers as of_table
from schemas.dialogue import Turn
from schemas.offer import Offer


def is_lossless(
    turn: Turn, offers: Sequence[Offer], words_of_cell: Callable[[Offer, int], str] = of_table.words_of_cell
) -> bool:
    """Return whether a turn's tokens restore its normalised text: cells as written, else as the table writes them."""
    tokens = zip(turn.tokens, turn.written, turn.rows, turn.columns, strict=True)
    return turn.text == " ".join(
        written or (words_of_cell(offers[row], column) if row >= 0 and offers[row].cells[column] == [token] else token)
        for token, written, row, column in tokens
    )
