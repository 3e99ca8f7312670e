"""Words that may occur only once in a text."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from allsaid.decoding.step.score_buffer import ScoreBuffer
from allsaid.decoding.step.slots import Slots
from allsaid.modeling.data.tensors import Tensors
from allsaid.modeling.data.vocabulary import PAD
from allsaid.modeling.models.base.contract import State


@dataclass(frozen=True)
class Once(Tensors):
    """K words, the same for all rows."""

    words: Tensor  # (K,)

    def begin(self, slots: Slots) -> _Once:
        return _Once(self.words, slots)


class _Once:
    """Flags of the words that each of the B · n hypotheses contains."""

    def __init__(self, words: Tensor, slots: Slots) -> None:
        self._words, self._slots = words, slots
        self._held = torch.zeros(slots.texts * slots.width, len(words), dtype=torch.bool, device=slots.device)

    def edit(self, buffer: ScoreBuffer, state: State) -> None:
        buffer.forbid(torch.where(self._held, self._words, PAD))

    def follow(self, rows: Tensor, words: Tensor) -> None:
        self._held = self._held[rows] | (words.unsqueeze(1) == self._words)

    def renew(self, places: Tensor, texts: Tensor) -> None:
        self._held.view(self._slots.texts, self._slots.width, -1)[places] = False
