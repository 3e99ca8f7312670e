"""The published texts read again by their model: which item each word was copied from, and what was looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from batch_infer.rows.inputs import Row
from schemas.attention import Attention
from training.config import SearchConfig
from training.models.model_folder import Bundle
from training.search.forced import Reading, copies, read_again
from training.search.hypothesis import Hypothesis

Chosen = dict[str, Hypothesis] | str  # the texts of a row (`Prover.choose`), or why there is none


def read_chosen(
    rows: Sequence[Row], chosen: Sequence[Chosen], bundle: Bundle, search: SearchConfig, attention: bool
) -> tuple[list[Chosen], list[Attention]]:
    """The chosen texts, each word of which names the item it was copied from, of a model that copies.

    With ``attention`` also the pictures, one for each row of output.
    """
    if not attention and not copies(bundle):
        return list(chosen), []
    texts = [(row, one) for row, found in zip(rows, chosen, strict=True) for one in _texts(found)]
    readings = iter(
        read_again(bundle, [row.prompt for row, _ in texts], [one.tokens for _, one in texts], search, attention)
    )
    read: list[Chosen] = []
    pictures: list[Attention] = []
    for found in chosen:
        of_row = [next(readings) for _ in _texts(found)]
        read.append(found if isinstance(found, str) or not copies(bundle) else _with_sources(found, of_row))
        pictures += [Attention(reading.weights) for reading in of_row] or [Attention([])]
    return read, pictures if attention else []


def _texts(found: Chosen) -> Sequence[Hypothesis]:
    return [] if isinstance(found, str) else list(found.values())


def _with_sources(found: dict[str, Hypothesis], readings: Sequence[Reading]) -> dict[str, Hypothesis]:
    return {
        plain: replace(one, items=[item for item, _ in reading.sources])
        for (plain, one), reading in zip(found.items(), readings, strict=True)
    }
