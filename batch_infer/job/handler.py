"""Beam handlers: load one model per process, and generate or prove the texts of one part of the input at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
import pyarrow as pa

from allsaid.decoding.device import DeviceClient
from allsaid.imports import without
from allsaid.modeling.saved.knowledge import Knowledge
from allsaid.modeling.saved.model_folder import find_device, load
from batch_infer.job.staging import StagedModel, fetch
from batch_infer.proof.summary import EXTRA
from batch_infer.proof.tally import Tally, add_up_json
from batch_infer.rows.earlier import TEXTS, Index, Numbers, Tables, concatenated, in_order
from batch_infer.rows.hashes import NOWHERE
from batch_infer.rows.inputs import PartRows, Row
from batch_infer.rows.sources import Part
from batch_infer.writer import Writer
from batch_infer.writer.checker import Checker, CheckerSettings
from batch_infer.writer.results import Results
from batch_infer.writer.settings import WriterSettings
from pipelines import metrics
from pipelines.beam import collect_less
from schemas.checks.table import to_table
from schemas.texts.attention import ATTENTION, Attention
from schemas.texts.generated import CELLS
from schemas.texts.written import WRITTEN

# Beam's ModelManager imports SciPy. It is not used here, so an empty stand-in replaces it.
with without(stand_ins={"apache_beam.ml.inference.model_manager": {"ModelManager": None}}):
    from apache_beam.ml.inference.base import ModelHandler, RunInference


@dataclass(frozen=True)
class PartTexts:
    part: Part
    texts: pa.Table  # without ids; at least one for each row, in order
    rows: pa.Table  # `schemas.texts.written`: for each row its number of texts and their tally
    carried: pa.Table  # the input's id and kept columns for each text, then CELLS if the model copies cells
    attention: pa.Table | None  # `schemas.texts.attention` of each text, if requested
    tally: Tally


class Maker(Protocol):
    """A `Writer` or a `Checker`: it generates or checks the texts of prepared rows, with their proof."""

    def make(self, rows: Sequence[Row]) -> Results: ...


class PartHandler(ModelHandler[PartRows, PartTexts, Maker]):
    """Beam handler that processes one part at a time; a subclass loads its `Maker`, once per process."""

    earlier: Index | None = None  # rows whose texts are reused
    attention = False  # whether the model's attention is kept

    def transform(self) -> RunInference:
        """Return the step of a pipeline that turns the rows of parts into their texts."""
        return RunInference(self)

    def batch_elements_kwargs(self) -> dict[str, int]:
        return {"min_batch_size": 1, "max_batch_size": 1}

    def run_inference(
        self,
        batch: Sequence[PartRows],
        model: Maker,
        inference_args: dict[str, Any] | None = None,  # Any: as in Beam's class
    ) -> Iterator[PartTexts]:
        collect_less()
        for part_rows in batch:
            yield self._texts_of(part_rows, model)

    def _texts_of(self, part_rows: PartRows, maker: Maker) -> PartTexts:
        results = maker.make(part_rows.rows)
        new = (
            to_table([text for texts, _ in results.proven for text in texts], TEXTS),
            to_table([record for _, record in results.proven], WRITTEN),
        )
        texts, row_records = _with_earlier(new, part_rows.earlier_rows, self.earlier)
        total = add_up_json(row_records["tally"].to_pylist())
        total.search_seconds = results.seconds
        total.searched, total.taken_over = results.searched, len(part_rows.earlier_rows) - len(part_rows.rows)
        metrics.time_rows(len(part_rows.rows), results.seconds)
        metrics.count(
            {
                metrics.SEARCHED: total.searched,
                metrics.PROVEN: sum(texts_of_row[0].error is None for texts_of_row, _ in results.proven),
                metrics.REUSED: total.taken_over,
                metrics.ERRORS: total.errors,
                metrics.UNCERTIFIED: total.provable_texts - total.certified_texts,
                metrics.EXTRA: total.sums.get(EXTRA, 0),
            }
        )
        row_numbers = np.repeat(np.arange(len(part_rows.earlier_rows)), row_records["texts"].to_numpy())  # of each text
        attention = _attention(results.attention, part_rows.earlier_rows[row_numbers]) if self.attention else None
        carried = part_rows.carried.take(row_numbers)
        if results.cells is not None:
            carried = carried.append_column(CELLS, pa.array(results.cells, pa.list_(pa.string())))
        return PartTexts(part_rows.part, texts, row_records, carried, attention, total)


class TextHandler(PartHandler):
    """Beam handler that loads a model and generates texts; ``staged`` is the location of the model's files."""

    def __init__(self, settings: WriterSettings, staged: StagedModel) -> None:
        super().__init__()
        self.settings, self.staged = settings, staged
        self.earlier, self.attention = settings.earlier, settings.attention

    def load_model(self) -> Writer:
        """Load the model's writer, which serves all parts.

        Raises UserError if a file is missing or changed, or if the device isn't there.
        """
        folder, settings = fetch(self.staged), self.settings
        if settings.device == "cuda":
            find_device(settings.device)
            bundle = replace(
                load(folder), client=DeviceClient(folder, settings.device, settings.precision, self.staged.folder)
            )
        else:
            bundle = load(folder, settings.device, settings.precision)
        return Writer(bundle, settings)


class ProofHandler(PartHandler):
    """Beam handler that checks submitted texts by what was learned from a model's training texts or from a table."""

    def __init__(
        self, settings: CheckerSettings, knowledge_source: StagedModel | Knowledge, earlier: Index | None = None
    ) -> None:
        super().__init__()
        self.settings, self.knowledge_source, self.earlier = settings, knowledge_source, earlier

    def load_model(self) -> Checker:
        found = self.knowledge_source
        return Checker(found if isinstance(found, Knowledge) else load(fetch(found)), self.settings)


def _attention(new_attention: Sequence[Attention], earlier_rows: Numbers) -> pa.Table:
    """Return the attention of the new texts, in the order of all texts; reused texts have none."""
    new = iter(new_attention)
    return to_table([next(new) if row == NOWHERE else Attention([]) for row in earlier_rows], ATTENTION)


def _with_earlier(new: Tables, earlier_rows: Numbers, index: Index | None) -> Tables:
    """Merge the new rows with the index's rows numbered ``earlier_rows``, in the order of the input."""
    is_old = earlier_rows != NOWHERE
    if index is None or not is_old.any():
        return new
    old = index.open().take(earlier_rows[is_old])
    places_in_both = np.argsort(np.argsort(~is_old, kind="stable"))  # of each input row, in old + new
    return in_order(*concatenated([old, new]), places_in_both)
