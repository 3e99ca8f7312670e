"""The model inside a Beam job: one a process, whole parts of rows in, texts with their proof out."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa
from apache_beam.ml.inference.base import ModelHandler

from batch_infer.job.request import Order
from batch_infer.proof.judge import Judge, judge_of
from batch_infer.proof.proof import Prover
from batch_infer.proof.summary import Tally
from batch_infer.rows.inputs import Row
from batch_infer.rows.sources import Part
from pipelines.datasets.statistics import count
from schemas.generated import Generated
from training.models.model_folder import Bundle, load
from training.search.hypothesis import Hypothesis
from training.search.write import write


@dataclass(frozen=True)
class PartRows:
    part: Part
    rows: list[Row]
    carried: pa.Table  # the input's id and kept columns


@dataclass(frozen=True)
class PartTexts:
    part: Part
    texts: list[Generated]  # at least one for each row, in order
    carried: pa.Table  # the input's id and kept columns, of each text
    tally: Tally


class TextHandler(ModelHandler[PartRows, PartTexts, Bundle]):
    """Loads a model folder and searches texts for each row of a part."""

    def __init__(self, order: Order) -> None:
        super().__init__()
        self.order = order

    def load_model(self) -> Bundle:
        return load(Path(self.order.folder), self.order.device)

    def batch_elements_kwargs(self) -> dict[str, int]:
        return {"min_batch_size": 1, "max_batch_size": 1}

    def run_inference(
        self, batch: Sequence[PartRows], model: Bundle, inference_args: dict[str, Any] | None = None
    ) -> Iterator[PartTexts]:
        for rows in batch:
            yield self._write(rows, model)

    def _write(self, given: PartRows, bundle: Bundle) -> PartTexts:
        order, tally = self.order, Tally(rows=len(given.rows))
        for row in given.rows:
            count(tally.figures, "", row.figures)
        judge = judge_of(bundle)
        rows = [judge.look(row, order.refuse_unfamiliar) for row in given.rows]
        started = time.monotonic()
        found = search_rows(rows, order, judge)
        tally.seconds = time.monotonic() - started
        prover = Prover(judge, order.search, order.banned, order.name, order.version)
        ids = map(str, given.carried.column("id").to_pylist())
        texts = [
            prover.texts(row_id, row, outcome, tally) for row_id, row, outcome in zip(ids, rows, found, strict=True)
        ]
        if bundle.copies is not None:
            tally.add_runs(
                bundle.copies.longest_runs([one.tokens for of_row in texts for one in of_row if not one.error])
            )
        places = [place for place, of_row in enumerate(texts) for _ in of_row]
        return PartTexts(given.part, list(chain.from_iterable(texts)), given.carried.take(places), tally)


def search_rows(rows: Sequence[Row], order: Order, judge: Judge) -> list[list[Hypothesis] | str]:
    """The texts of each row, best first, or the sentence that says why there is none."""
    outcomes = iter(_search([row for row in rows if row.error is None], order, judge))
    return [next(outcomes) if row.error is None else row.error for row in rows]


def _search(rows: Sequence[Row], order: Order, judge: Judge) -> Sequence[list[Hypothesis] | str]:
    """Search rows; if that fails, each half by itself, so that one bad row does not take the others with it."""
    if not rows:
        return []
    try:
        return write(judge.bundle, rows, order.search, order.banned, judge.measure)
    except Exception as fault:
        if len(rows) == 1:
            return [f"No text could be made ({type(fault).__name__}: {fault})."]
        half = len(rows) // 2
        return [outcome for part in (rows[:half], rows[half:]) for outcome in _search(part, order, judge)]
