"""Prevent repetition in lists, such as "add nuts, milk and nuts".

A list ends when :data:`APART` words that cover no item have followed one that does. Reference texts rarely repeat an
item within a list, and small models often do (docs/search.md).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from allsaid.decoding.step.score_buffer import ScoreBuffer
from allsaid.decoding.step.slots import Slots
from allsaid.modeling.data.agenda_arrays import Prompt
from allsaid.modeling.data.tensors import Tensors
from allsaid.modeling.data.vocabulary import PAD, Vocabulary
from allsaid.modeling.models.base.contract import State

APART = 3  # words; ", and" is two

CopiedIds = Mapping[str, int]  # copy candidates of a row, and their ids


@dataclass(frozen=True)
class Listed(Tensors):
    """For each of R rows, the words that cover an item, at most M."""

    words: Tensor  # (R, M), padded with PAD
    times: Tensor  # (R, M) how often each may occur in a list: the number of item names that contain it, at least 1

    def begin(self, slots: Slots) -> _Lists:
        return _Lists(self, slots)


def listed(rows: Sequence[Prompt], vocabulary: Vocabulary, copied_ids: Sequence[CopiedIds], words: Tensor) -> Listed:
    """Return the words that cover an item, and how often each may occur in a list.

    copied_ids: copy candidates of each row; words: (R, M) the words that cover an item. Different names may contain
    the same word: "green onion", "yellow onion".
    """
    times = torch.ones_like(words)
    for place, (row, row_copied_ids) in enumerate(zip(rows, copied_ids, strict=True)):
        names = {tuple(name) for name in row.agenda_tokens}
        for word, count in Counter(word for name in names for word in set(name)).items():
            number = row_copied_ids.get(word, vocabulary.ids.get(word, PAD))
            times[place][words[place] == number] = count
    return Listed(words, times)


class _Lists:
    """Counts of the words in the list that each hypothesis ends with, so that they are not repeated.

    Letters: B texts, n hypotheses of each, M words that cover an item.
    """

    def __init__(self, listed: Listed, slots: Slots) -> None:
        self._listed, self._slots = listed, slots
        device, most = slots.device, listed.words.shape[1]
        self._words = torch.full((slots.texts, most), PAD, device=device)
        self._times = torch.ones_like(self._words)
        self._counts = torch.zeros(slots.texts, slots.width, most, dtype=torch.long, device=device)
        self._since = torch.zeros(slots.texts, slots.width, dtype=torch.long, device=device)  # words since an item

    def edit(self, buffer: ScoreBuffer, state: State) -> None:
        is_enough = self._counts >= self._times.unsqueeze(1)
        buffer.forbid(torch.where(is_enough, self._words.unsqueeze(1), PAD).flatten(0, 1))

    def follow(self, rows: Tensor, words: Tensor) -> None:
        is_next = self._words.unsqueeze(1) == words.view(-1, self._slots.width, 1)  # (B, n, M)
        since = self._since.flatten()[rows].view_as(self._since) + 1
        self._since = since.masked_fill(is_next.any(2), 0)
        counts = self._counts.flatten(0, 1)[rows].view_as(self._counts) + is_next
        self._counts = counts * (self._since < APART).unsqueeze(2)

    def renew(self, places: Tensor, texts: Tensor) -> None:
        self._words[places] = self._listed.words[texts]
        self._times[places] = self._listed.times[texts]
        self._counts[places] = 0
        self._since[places] = 0
