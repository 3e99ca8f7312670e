"""The proven texts of some rows, with the decoding time and, if requested, the attention."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from allsaid.modeling.data.copied import CopyIndex
from batch_infer.proof.proof import Candidates, Prover
from batch_infer.proof.tally import Tally
from batch_infer.rows.inputs import Row
from batch_infer.rows.machine import check_fault
from pipelines.datasets.statistics import count
from schemas.texts.attention import Attention
from schemas.texts.generated import Generated
from schemas.texts.written import Written


@dataclass(frozen=True)
class Results:
    """The results of some rows, in their order."""

    proven: list[tuple[list[Generated], Written]]  # the texts of each row, and the data to reuse them later
    searched: int  # rows whose texts were generated
    seconds: float  # spent on decoding
    attention: list[Attention]  # of each text, if requested
    cells: list[list[str]] | None  # of each text, if the model copies cells

    def __add__(self, more: Results) -> Results:
        return Results(
            self.proven + more.proven,
            self.searched + more.searched,
            self.seconds + more.seconds,
            self.attention + more.attention,
            None if self.cells is None or more.cells is None else self.cells + more.cells,
        )


def isolate_faults(make: Callable[[Sequence[Row]], Results], rows: Sequence[Row]) -> Results:
    """Return the texts of some rows; if that fails, try each half, so that one bad row does not affect others.

    Raises UserError for an infrastructure error.
    """
    try:
        return make(rows)
    except Exception as fault:
        check_fault(fault)  # raises for an infrastructure error
        if len(rows) > 1:
            half = len(rows) // 2
            return isolate_faults(make, rows[:half]) + isolate_faults(make, rows[half:])
        if not rows or rows[0].error is not None:
            raise
        return make([replace(rows[0], error=f"No text could be made ({type(fault).__name__}: {fault}).")])


def prove(
    prover: Prover, rows: Sequence[Row], chosen: Sequence[Candidates], copies: CopyIndex | None
) -> list[tuple[list[Generated], Written]]:
    """Return the texts of each row, and the data that a later run needs to reuse them."""
    tallies = [Tally(input_rows=1) for _ in rows]
    texts = [
        prover.texts(row.id, row, candidates, tally)
        for row, candidates, tally in zip(rows, chosen, tallies, strict=True)
    ]
    tokens_of_rows = [[text.tokens for text in texts_of_row if not text.error] for texts_of_row in texts]
    runs = iter(copies.longest_runs([*chain(*tokens_of_rows)]) if copies is not None else ())
    proven = []
    for row, texts_of_row, tokens, tally in zip(rows, texts, tokens_of_rows, tallies, strict=True):
        count(tally.cell_findings, split="", figures=row.finding_counts)
        tally.add_runs(islice(runs, len(tokens)))
        content_hash = b"" if texts_of_row[0].error else row.content_hash
        proven.append((texts_of_row, Written(content_hash, len(texts_of_row), tally.to_json())))
    return proven
