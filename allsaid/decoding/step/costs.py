"""Costs of words in the texts of a row; forbidden words have infinite cost."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from allsaid.decoding.step.score_buffer import ScoreBuffer
from allsaid.decoding.step.slots import Slots
from allsaid.modeling.data.tensors import Tensors
from allsaid.modeling.models.base.contract import State


@dataclass(frozen=True)
class Costs(Tensors):
    """Costs of V words in R rows."""

    nats: Tensor  # (R, V) subtracted from a word's score; infinite for a forbidden word

    def begin(self, slots: Slots) -> _Costs:
        return _Costs(self, slots)


class _Costs:
    """Costs for the B texts in the slots."""

    def __init__(self, costs: Costs, slots: Slots) -> None:
        self._costs = costs
        self._nats = torch.zeros(costs.nats.shape[1], slots.texts, device=slots.device)  # (V, B)

    def edit(self, buffer: ScoreBuffer, state: State) -> None:
        buffer.charge(self._nats)

    def follow(self, rows: Tensor, words: Tensor) -> None:
        """Do nothing: word costs don't depend on the hypotheses."""

    def renew(self, places: Tensor, texts: Tensor) -> None:
        self._nats[:, places] = self._costs.nats[texts].t()
