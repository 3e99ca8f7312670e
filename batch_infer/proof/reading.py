"""Second pass of the model over published texts: the item that each word was copied from, and the attention."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from allsaid.decoding.hypothesis import Hypothesis
from allsaid.decoding.reread import copies, read_again, uses_subwords
from allsaid.modeling.config import SearchConfig
from allsaid.modeling.saved.model_folder import Bundle
from allsaid.modeling.tasks.contract import RefersToTable
from batch_infer.rows.inputs import Row
from schemas.example import NO_ITEM
from schemas.texts.attention import Attention

Chosen = dict[str, Hypothesis] | str  # the texts of a row (`Chooser.choose`), or why there is none


@dataclass(frozen=True)
class Read:
    chosen: list[Chosen]  # if the model copies words of items or uses subwords, each word names its item or none
    attention: list[Attention]  # one for each row of output, if requested
    cells: list[list[str]] | None  # the same, if the model copies cells of a table: each word's cell, "" for none


def read_chosen(
    rows: Sequence[Row], chosen: Sequence[Chosen], bundle: Bundle, search: SearchConfig, attention: bool
) -> Read:
    """Return the chosen texts of rows with the sources and the attention of their words."""
    if not attention and not copies(bundle) and not uses_subwords(bundle):
        return Read(list(chosen), [], None)
    texts = [(row, candidate) for row, found in zip(rows, chosen, strict=True) for candidate in _texts(found)]
    readings = iter(
        read_again(
            bundle, [row.prompt for row, _ in texts], [candidate.tokens for _, candidate in texts], search, attention
        )
    )
    task = bundle.task if copies(bundle) else None
    of_table = task if isinstance(task, RefersToTable) else None
    has_items = uses_subwords(bundle) or (copies(bundle) and of_table is None)
    read: list[Chosen] = []
    weights: list[Attention] = []
    cells: list[list[str]] = []
    for row, found in zip(rows, chosen, strict=True):
        of_row = [next(readings) for _ in _texts(found)]
        if has_items and not isinstance(found, str):
            found = {
                plain: replace(candidate, items=[item for item, _ in reading.sources])
                for (plain, candidate), reading in zip(found.items(), of_row, strict=True)
            }
        read.append(found)
        weights += [Attention(reading.weights) for reading in of_row] or [Attention([])]
        cells += [
            ["" if place[0] == NO_ITEM else of_table.cell(row.prompt, place) for place in reading.sources]
            for reading in of_row
            if of_table
        ] or [[]]
    return Read(read, weights if attention else [], cells if of_table else None)


def _texts(found: Chosen) -> Sequence[Hypothesis]:
    return [] if isinstance(found, str) else list(found.values())
