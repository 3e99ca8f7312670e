"""Rows whose prompts have the same shape, so that one beam search takes them all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any  # Any: a row of the task, known only at run time

from torch import Tensor

from allsaid.decoding.beam import beam_search
from allsaid.decoding.hypothesis import Hypothesis
from allsaid.decoding.reread import copies
from allsaid.decoding.step.request import Request, steps_of, steps_of_packages
from allsaid.modeling.data.agenda_arrays import Prompt
from allsaid.modeling.data.tensors import Tensors
from allsaid.modeling.saved.model_folder import Bundle
from allsaid.modeling.tasks.contract import ReadsRows


@dataclass(frozen=True)
class Group:
    """R rows to search together."""

    bundle: Bundle
    rows: Sequence[Prompt]
    prompts: Tensors  # the model's input for the rows
    request: Request
    costs: Tensor | None  # (R, V) extra cost of each word in nats
    shortlists: Tensor | None  # (R, S) words in addition to the most frequent ones

    def beam_search(self, prompts: Tensors, indices: Sequence[int]) -> list[list[Hypothesis]]:
        """Return the hypotheses of the rows at some indices; ``prompts`` has the model's input for these rows only."""
        bundle, request, chosen = self.bundle, self.request, list(indices)
        rows = [self.rows[index] for index in chosen]
        copied = [copied_ids(bundle, row) for row in rows]
        steps = steps_of(rows, request, None if self.costs is None else self.costs[chosen], copied)
        if not isinstance(bundle.task, ReadsRows):
            steps += steps_of_packages(rows, request.vocabulary, request.search)
        lists = None if self.shortlists is None else self.shortlists[chosen]
        decode = partial(beam_search, bundle.model) if bundle.client is None else bundle.client.beam_search
        return decode(prompts, request.search, steps, shortlists=lists)


def copied_ids(bundle: Bundle, row: Any) -> Mapping[str, int]:
    """Return the row's copy candidates with their ids, which follow those of the vocabulary."""
    return bundle.text_task.own_ids(row, bundle.vocabularies) if copies(bundle) else {}
