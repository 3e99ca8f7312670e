"""Sequences of words that may occur only once in a text."""

from __future__ import annotations

import torch
from torch import Tensor

from allsaid.decoding.step.score_buffer import ScoreBuffer
from allsaid.decoding.step.slots import Slots
from allsaid.modeling.data.vocabulary import PAD
from allsaid.modeling.models.base.contract import State


class Repeats:
    """Forbid repeated sequences of ``size`` words."""

    def __init__(self, slots: Slots, size: int) -> None:
        """size: length of the sequences, at least 1."""
        self._slots, self._size = slots, size
        # The words of a text are at the right, padded with PAD at the left.
        self._words = torch.full((slots.texts * slots.width, slots.longest), PAD, device=slots.device)

    def edit(self, buffer: ScoreBuffer, state: State) -> None:
        words = self._words
        if self._size <= words.shape[1]:
            windows = words.unfold(1, self._size, 1)  # (B · n, windows, size)
            start = words[:, words.shape[1] - self._size + 1 :].unsqueeze(1)
            buffer.forbid(torch.where((windows[:, :, :-1] == start).all(2), windows[:, :, -1], PAD))

    def follow(self, rows: Tensor, words: Tensor) -> None:
        self._words = self._words.index_select(0, rows).roll(-1, 1)
        self._words[:, -1] = words

    def renew(self, places: Tensor, texts: Tensor) -> None:
        self._words.view(self._slots.texts, self._slots.width, -1)[places] = PAD
