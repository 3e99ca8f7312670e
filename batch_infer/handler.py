"""The model inside a Beam job: one a process, whole parts of rows in, rows with their proof out."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import torch
from apache_beam.ml.inference.base import ModelHandler

from batch_infer.inputs import Row
from batch_infer.judge import Judge
from batch_infer.sources import Part
from batch_infer.summary import Tally
from batch_infer.wording import publish
from schemas.generated import Generated
from training.config import SearchConfig
from training.hypothesis import Hypothesis
from training.model_folder import Bundle, load
from training.write import write


@dataclass(frozen=True)
class PartRows:
    part: Part
    rows: list[Row]
    carried: pa.Table  # the input's id and kept columns


@dataclass(frozen=True)
class PartTexts:
    part: Part
    texts: list[Generated]  # one for each row, in order
    carried: pa.Table
    tally: Tally


class TextHandler(ModelHandler[PartRows, PartTexts, Bundle]):
    """Loads a model folder and searches a text for each row of a part.

    Batches are made here of a part's rows in order, in one size, never by the clock: the last bits of a matrix
    product change with the batch, so the same input gives the same texts only in the same batches.
    """

    def __init__(
        self, folder: str, name: str, version: str, search: SearchConfig, device: str, threads: int | None
    ) -> None:
        super().__init__()
        self.folder, self.name, self.version = folder, name, version
        self.search, self.device, self.threads = search, device, threads

    def load_model(self) -> Bundle:
        if self.threads is not None:
            torch.set_num_threads(self.threads)
        return load(Path(self.folder), self.device)

    def batch_elements_kwargs(self) -> dict[str, int]:
        return {"min_batch_size": 1, "max_batch_size": 1}

    def run_inference(
        self, batch: Sequence[PartRows], model: Bundle, inference_args: dict[str, Any] | None = None
    ) -> Iterator[PartTexts]:
        for rows in batch:
            yield self._write(rows, model)

    def _write(self, given: PartRows, bundle: Bundle) -> PartTexts:
        tally = Tally(rows=len(given.rows))
        started = time.monotonic()
        found = search_rows(given.rows, bundle, self.search)
        tally.seconds = time.monotonic() - started
        judge = Judge(bundle)
        ids = map(str, given.carried.column("id").to_pylist())
        texts = [
            self._text(row_id, row, outcome, judge, tally)
            for row_id, row, outcome in zip(ids, given.rows, found, strict=True)
        ]
        return PartTexts(given.part, texts, given.carried, tally)

    def _text(self, row_id: str, row: Row, outcome: Hypothesis | str, judge: Judge, tally: Tally) -> Generated:
        if isinstance(outcome, str):
            return _error_row(row_id, row, outcome, self.name, self.version)
        tokens = judge.bundle.vocabularies.text.decode(outcome.tokens)
        coverage = judge.measure(tokens, row)
        tally.add_text(coverage, len(tokens))
        if row.true_tokens:
            tally.add_true_text(judge.measure(row.true_tokens, row), len(row.true_tokens))
        return Generated(
            id=row_id,
            goal=row.goal,
            agenda=row.agenda,
            text=publish(tokens, row, judge.bundle.casing),
            tokens=tokens,
            ref_items=outcome.items,
            used=[item for item, given in zip(row.agenda, coverage.given, strict=True) if given],
            missing=[item for item, given in zip(row.agenda, coverage.given, strict=True) if not given],
            extra=coverage.extra,
            percent_given=coverage.percent_given,
            percent_given_full_name=coverage.percent_given_full_name,
            percent_given_any_word=coverage.percent_given_any_word,
            extra_count=len(coverage.extra),
            log_probability=round(outcome.log_probability, 4),
            model_name=self.name,
            model_version=self.version,
            error=None,
        )


def search_rows(rows: Sequence[Row], bundle: Bundle, search: SearchConfig) -> list[Hypothesis | str]:
    """The best text of each row, or the sentence that says why there is none."""
    found: list[Hypothesis | str] = []
    for start in range(0, len(rows), search.search_batch):
        batch = rows[start : start + search.search_batch]
        good = [row for row in batch if row.error is None]
        outcomes = iter(_search(good, bundle, search))
        found += [next(outcomes) if row.error is None else row.error for row in batch]
    return found


def _search(rows: Sequence[Row], bundle: Bundle, search: SearchConfig) -> Sequence[Hypothesis | str]:
    """Search one batch; if that fails, each row by itself, so that one bad row does not take the others with it."""
    if not rows:
        return []
    try:
        return [hypotheses[0] for hypotheses in write(bundle, rows, search)]
    except Exception as fault:
        if len(rows) == 1:
            return [f"No text could be made ({type(fault).__name__}: {fault})."]
        return [outcome for row in rows for outcome in _search([row], bundle, search)]


def _error_row(row_id: str, row: Row, error: str, name: str, version: str) -> Generated:
    return Generated(
        id=row_id,
        goal=row.goal,
        agenda=row.agenda,
        text="",
        tokens=[],
        ref_items=[],
        used=[],
        missing=[],
        extra=[],
        percent_given=None,
        percent_given_full_name=None,
        percent_given_any_word=None,
        extra_count=None,
        log_probability=None,
        model_name=name,
        model_version=version,
        error=error,
    )
