"""`allsaid generate` with a stand-in for the model: a text that was made for the same values is used again.

    python -m benchmarks.scale.stand_in --model DIR --input TABLE --output DIR [OPTIONS OF generate]

Rows of a benchmark repeat few products under new ids. Each worker loads the model and makes the texts of each product
once, so that all else of a job, which is what grows with the rows, can be measured with millions of rows.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from typing import TypeVar

import benchmarks.scale.stand_in as module  # pickled under this name, not as __main__
from allsaid.__main__ import main
from batch_infer.job import generate
from batch_infer.job.handler import Maker, TextHandler
from batch_infer.rows.inputs import Row
from batch_infer.writer import Writer
from batch_infer.writer.results import Results
from schemas.texts.generated import Generated
from schemas.texts.written import Written

MOST = 1000  # products
T = TypeVar("T")


class StandIn:
    """A writer that generates the texts of each product once."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._made: dict[tuple[str, ...], tuple[list[Generated], Written]] = {}

    def make(self, rows: Sequence[Row]) -> Results:
        """Return the texts of rows without a fault."""
        new = {_key(row): row for row in rows if _key(row) not in self._made}
        found = self._writer.make([replace(row, id="") for row in new.values()]) if new else Results([], 0, 0, [], None)
        self._made.update(zip(new, found.proven, strict=True))
        assert len(self._made) <= MOST
        return Results([self._of(row) for row in rows], len(rows), found.seconds, [], None)

    def _of(self, row: Row) -> tuple[list[Generated], Written]:
        texts, written = self._made[_key(row)]
        return [_with(one, id=row.id) for one in texts], _with(written, content=row.content_hash)


class StandInHandler(TextHandler):
    """Handler that loads the model as always, and asks it once for each product."""

    def load_model(self) -> Maker:  # type: ignore[override]
        return StandIn(super().load_model())


def _with(one: T, **changes: object) -> T:
    """Like `dataclasses.replace`, which takes longer with so many fields than all else of the stand-in."""
    changed = copy(one)
    vars(changed).update(changes)
    return changed


def _key(row: Row) -> tuple[str, ...]:
    return row.goal, *row.agenda


if __name__ == "__main__":
    generate.TextHandler = module.StandInHandler  # type: ignore[misc]
    sys.argv.insert(1, "generate")
    main()
