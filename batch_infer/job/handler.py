"""The model inside a Beam job: one a process, whole parts of rows in, texts with their proof out."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Any

import numpy as np
import pyarrow as pa
from apache_beam.ml.inference.base import ModelHandler

from allsaid.decoding.hypothesis import Hypothesis
from allsaid.decoding.owner import Owner
from allsaid.decoding.write import write
from allsaid.modeling.saved.model_folder import Bundle, find_device, load
from batch_infer.job.request import Order
from batch_infer.job.staging import StagedModel, fetch
from batch_infer.proof.judge import Judge
from batch_infer.proof.judges import judge_of
from batch_infer.proof.proof import Prover
from batch_infer.proof.reading import Chosen, read_chosen
from batch_infer.proof.tally import Tally, add_up_json
from batch_infer.rows import earlier
from batch_infer.rows.inputs import PartRows, Row
from batch_infer.rows.machine import check_fault
from batch_infer.rows.sources import Part
from pipelines.datasets.statistics import count
from schemas.checks.table import to_table
from schemas.texts.attention import ATTENTION, Attention
from schemas.texts.generated import CELLS, Generated
from schemas.texts.written import WRITTEN, Written


@dataclass(frozen=True)
class PartTexts:
    part: Part
    texts: pa.Table  # at least one for each row, in order; without their ids
    rows: pa.Table  # `schemas.texts.written`
    carried: pa.Table  # the input's id and kept columns, of each text; CELLS behind them, of a model that copies cells
    attention: pa.Table | None  # `schemas.texts.attention` of each text, where it was asked for
    tally: Tally


class TextHandler(ModelHandler[PartRows, PartTexts, Judge]):
    """Loads the model and searches texts for each row of a part.

    ``staged`` is where its files are; None where the caller has loaded them.
    """

    def __init__(self, order: Order, staged: StagedModel | None = None) -> None:
        super().__init__()
        self.order, self.staged = order, staged

    def load_model(self) -> Judge:
        """The model's judge, which serves all parts; raises UserError where a file is missing or changed, or the device
        isn't there.
        """
        assert self.staged is not None
        folder, order = fetch(self.staged), self.order
        if order.device == "cuda":
            find_device(order.device)
            bundle = replace(load(folder), owner=Owner(folder, order.device, order.precision, self.staged.folder))
        else:
            bundle = load(folder, order.device, order.precision)
        if order.struck and bundle.phrasebook is not None:
            bundle = replace(bundle, phrasebook=bundle.phrasebook.without(order.struck))
        return judge_of(in_sentence_case(bundle) if order.sentence_case else bundle)

    def batch_elements_kwargs(self) -> dict[str, int]:
        return {"min_batch_size": 1, "max_batch_size": 1}

    def run_inference(
        self, batch: Sequence[PartRows], model: Judge, inference_args: dict[str, Any] | None = None
    ) -> Iterator[PartTexts]:
        for rows in batch:
            yield self._write(rows, model)

    def _write(self, given: PartRows, judge: Judge) -> PartTexts:
        order = self.order
        made = make_texts(given.rows, order, judge)
        texts, written = _with_earlier(_tables(made.proven), given.places, order.earlier)
        total = add_up_json(written["tally"].to_pylist())
        total.seconds = made.seconds
        total.searched, total.taken_over = made.searched, len(given.places) - len(given.rows)
        places = np.repeat(np.arange(len(given.places)), written["texts"].to_numpy())
        attention = _beside(made.pictures, given.places[places]) if order.attention else None
        carried = given.carried.take(places)
        if made.cells is not None:
            carried = carried.append_column(CELLS, pa.array(made.cells, pa.list_(pa.string())))
        return PartTexts(given.part, texts, written, carried, attention, total)


def in_sentence_case(bundle: Bundle) -> Bundle:
    """A model whose texts begin sentences with a capital and end with a mark, whatever training texts do."""
    return replace(bundle, casing=replace(bundle.casing, capitals=True, marks=True))


@dataclass(frozen=True)
class Made:
    """What became of some rows, in their order."""

    proven: list[tuple[list[Generated], Written]]  # the texts of each, and what a later run needs to take them over
    searched: int  # rows
    seconds: float  # spent on searching
    pictures: list[Attention]  # of each text, where they were asked for
    cells: list[list[str]] | None  # of each text; of a model that copies cells

    def __add__(self, more: Made) -> Made:
        return Made(
            self.proven + more.proven,
            self.searched + more.searched,
            self.seconds + more.seconds,
            self.pictures + more.pictures,
            None if self.cells is None or more.cells is None else self.cells + more.cells,
        )


def make_texts(rows: Sequence[Row], order: Order, judge: Judge) -> Made:
    """The texts of rows; if that fails, of each half by itself, so that one bad row does not take the others with it.

    Raises UserError where it is the machine that fails.
    """
    try:
        return _make(rows, order, judge)
    except Exception as fault:
        check_fault(fault)
        if len(rows) > 1:
            half = len(rows) // 2
            return make_texts(rows[:half], order, judge) + make_texts(rows[half:], order, judge)
        if not rows or rows[0].error is not None:
            raise
        return _make(
            [replace(rows[0], error=f"No text could be made ({type(fault).__name__}: {fault}).")], order, judge
        )


def _make(rows: Sequence[Row], order: Order, judge: Judge) -> Made:
    bundle = judge.bundle
    rows = [judge.look(row, order.refuse_unfamiliar) for row in rows]
    started = time.monotonic()
    found = _search(rows, order, judge)
    prover = Prover(judge, order.search, order.banned, order.name, order.version)
    chosen = [prover.choose(row, texts) for row, texts in zip(rows, found, strict=True)]
    read = read_chosen(rows, chosen, bundle, order.search, order.attention)
    seconds = time.monotonic() - started
    proven = _prove(prover, rows, read.chosen, bundle)
    return Made(proven, sum(row.error is None for row in rows), seconds, read.pictures, read.cells)


def _search(rows: Sequence[Row], order: Order, judge: Judge) -> list[list[Hypothesis] | str]:
    """The texts of each row, best first, or the sentence that says why there is none."""
    prompts = [row.prompt for row in rows if row.error is None]
    found = iter(write(judge.bundle, prompts, order.search, order.banned, judge.measure) if prompts else ())
    return [next(found) if row.error is None else row.error for row in rows]


def _prove(
    prover: Prover, rows: Sequence[Row], chosen: Sequence[Chosen], bundle: Bundle
) -> list[tuple[list[Generated], Written]]:
    """The texts of each row, and what a later run needs to take them over."""
    tallies = [Tally(rows=1) for _ in rows]
    texts = [prover.texts(row.id, row, one, tally) for row, one, tally in zip(rows, chosen, tallies, strict=True)]
    good = [[one.tokens for one in of_row if not one.error] for of_row in texts]
    runs = iter(bundle.copies.longest_runs([*chain(*good)]) if bundle.copies is not None else ())
    proven = []
    for row, of_row, tokens, tally in zip(rows, texts, good, tallies, strict=True):
        count(tally.figures, "", row.figures)
        tally.add_runs(islice(runs, len(tokens)))
        content = b"" if of_row[0].error else row.content
        proven.append((of_row, Written(content, len(of_row), tally.to_json())))
    return proven


def _tables(proven: Sequence[tuple[list[Generated], Written]]) -> earlier.Written:
    texts = [one for texts, _ in proven for one in texts]
    return to_table(texts, earlier.TEXTS), to_table([written for _, written in proven], WRITTEN)


def _beside(pictures: Sequence[Attention], places: earlier.Numbers) -> pa.Table:
    """The pictures of the new texts, in the order of all texts; those that are taken over have none."""
    new = iter(pictures)
    return to_table([next(new) if place == earlier.NOWHERE else Attention([]) for place in places], ATTENTION)


def _with_earlier(new: earlier.Written, places: earlier.Numbers, index: earlier.Index | None) -> earlier.Written:
    """The new rows and those that stand at ``places``, in the order of the input."""
    is_old = places != earlier.NOWHERE
    if index is None or not is_old.any():
        return new
    old = index.open().take(places[is_old])
    return earlier.in_order(*earlier.together([old, new]), np.argsort(np.argsort(~is_old, kind="stable")))
