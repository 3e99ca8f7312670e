"""What words cost the texts of a row: some must not be written at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from allsaid.decoding.step.sheet import Sheet
from allsaid.decoding.step.slots import Slots
from allsaid.modeling.data.tensors import Tensors


@dataclass(frozen=True)
class Costs(Tensors):
    """Of R rows over V words."""

    nats: Tensor  # (R, V) off for a word: no bound where it must not be written, a few for an extra name

    def begin(self, slots: Slots) -> _Costs:
        return _Costs(self, slots)


class _Costs:
    """Those of the B texts in the slots."""

    def __init__(self, costs: Costs, slots: Slots) -> None:
        self._costs = costs
        self._nats = torch.zeros(costs.nats.shape[1], slots.texts, device=slots.device)  # (V, B)

    def edit(self, sheet: Sheet, state: Any) -> None:
        sheet.charge(self._nats)

    def follow(self, rows: Tensor, words: Tensor) -> None:
        """What words cost depends on no hypothesis."""

    def renew(self, places: Tensor, texts: Tensor) -> None:
        self._nats[:, places] = self._costs.nats[texts].t()
