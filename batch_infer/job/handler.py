"""The model inside a Beam job: one a process, whole parts of rows in, texts with their proof out."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa
from apache_beam.ml.inference.base import ModelHandler

from batch_infer.job.request import Order
from batch_infer.proof.judge import Judge, judge_of
from batch_infer.proof.proof import Prover
from batch_infer.proof.summary import Tally, add_up
from batch_infer.rows.inputs import Row
from batch_infer.rows.sources import Part
from pipelines.datasets.statistics import count
from schemas.generated import Generated
from schemas.written import Written
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
    written: list[Written]  # one for each row


class TextHandler(ModelHandler[PartRows, PartTexts, Bundle]):
    """Loads a model folder and searches texts for each row of a part."""

    def __init__(self, order: Order) -> None:
        super().__init__()
        self.order = order

    def load_model(self) -> Bundle:
        bundle = load(Path(self.order.folder), self.order.device)
        if not self.order.sentence_case:
            return bundle
        return replace(bundle, casing=replace(bundle.casing, capitals=True, marks=True))

    def batch_elements_kwargs(self) -> dict[str, int]:
        return {"min_batch_size": 1, "max_batch_size": 1}

    def run_inference(
        self, batch: Sequence[PartRows], model: Bundle, inference_args: dict[str, Any] | None = None
    ) -> Iterator[PartTexts]:
        for rows in batch:
            yield self._write(rows, model)

    def _write(self, given: PartRows, bundle: Bundle) -> PartTexts:
        order, judge = self.order, judge_of(bundle)
        ids = map(str, given.carried.column("id").to_pylist())
        rows = [replace(row, id=row_id) for row, row_id in zip(given.rows, ids, strict=True)]
        rows = [row if row.place else judge.look(row, order.refuse_unfamiliar) for row in rows]
        new = [row for row in rows if row.place is None]
        started = time.monotonic()
        found = iter(search_rows(new, order, judge))
        seconds = time.monotonic() - started
        prover = Prover(judge, order.search, order.banned, order.name, order.version)
        earlier = order.earlier.open() if order.earlier else None
        written, texts = [], []
        for row in rows:
            if row.place and earlier:
                of_row, tally = earlier.texts(row.place)
            else:
                of_row, tally = _prove(prover, row, next(found), bundle)
            content = b"" if of_row[0].error else row.content
            texts.append(of_row)
            written.append(Written(content, len(of_row), tally))
        total = add_up(Tally.from_json(json.loads(one.tally)) for one in written)
        total.seconds = seconds
        total.searched, total.taken_over = sum(row.error is None for row in new), len(rows) - len(new)
        places = [place for place, of_row in enumerate(texts) for _ in of_row]
        return PartTexts(given.part, list(chain.from_iterable(texts)), given.carried.take(places), total, written)


def _prove(prover: Prover, row: Row, found: list[Hypothesis] | str, bundle: Bundle) -> tuple[list[Generated], str]:
    """The texts of a row, and what it adds to the run's figures, as JSON."""
    tally = Tally(rows=1)
    count(tally.figures, "", row.figures)
    texts = prover.texts(row.id, row, found, tally)
    if bundle.copies is not None:
        tally.add_runs(bundle.copies.longest_runs([one.tokens for one in texts if not one.error]))
    return texts, json.dumps(asdict(tally))


def search_rows(rows: Sequence[Row], order: Order, judge: Judge) -> list[list[Hypothesis] | str]:
    """The texts of each row, best first, or the sentence that says why there is none."""
    outcomes = iter(_search([row for row in rows if row.error is None], order, judge))
    return [next(outcomes) if row.error is None else row.error for row in rows]


def _search(rows: Sequence[Row], order: Order, judge: Judge) -> Sequence[list[Hypothesis] | str]:
    """Search rows; if that fails, each half by itself, so that one bad row does not take the others with it."""
    if not rows:
        return []
    try:
        return write(judge.bundle, [row.prompt for row in rows], order.search, order.banned, judge.measure)
    except Exception as fault:
        if len(rows) == 1:
            return [f"No text could be made ({type(fault).__name__}: {fault})."]
        half = len(rows) // 2
        return [outcome for part in (rows[:half], rows[half:]) for outcome in _search(part, order, judge)]
