"""Phrases that no text may contain."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from allsaid.decoding.step.ban import Watch
from allsaid.decoding.step.score_buffer import ScoreBuffer
from allsaid.decoding.step.slots import Slots
from allsaid.modeling.data.tensors import Tensors
from allsaid.modeling.models.base.contract import State


@dataclass(frozen=True)
class Phrases(Tensors):
    """Phrases, the same for all rows; words that contain a whole phrase have infinite cost (`costs.py`)."""

    watch: Watch

    def begin(self, slots: Slots) -> _Phrases:
        return _Phrases(self.watch, slots)


class _Phrases:
    """State of each of the B · n hypotheses in the automaton of the phrases."""

    def __init__(self, watch: Watch, slots: Slots) -> None:
        self._watch, self._width = watch, slots.width
        self._states = torch.zeros(slots.texts * slots.width, dtype=torch.long, device=slots.device)

    def edit(self, buffer: ScoreBuffer, state: State) -> None:
        buffer.forbid(self._watch.forbidden(self._states))

    def follow(self, rows: Tensor, words: Tensor) -> None:
        self._states = self._watch.after(self._states[rows], words)

    def renew(self, places: Tensor, texts: Tensor) -> None:
        self._states.view(-1, self._width)[places] = 0
