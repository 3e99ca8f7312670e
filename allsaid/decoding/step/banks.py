"""Coverage banks: a beam with room for each number of covered items (Post and Vilar, NAACL 2018).

Each hypothesis proposes its best next words and, separately, its best words that cover an item it has not covered yet.
The banks take places of the beam in turn: the best candidate of each bank first, the bank with most items before the
others. So likely continuations without an item do not crowd out the few with one, nor the reverse.

Post and Vilar count the constraints met. Here the items in the text are counted by ``allsaid.proof.coverage``, since
the bound is on that measure.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from allsaid.decoding.step.score_buffer import DEAD, ScoreBuffer
from allsaid.decoding.step.slots import Slots
from allsaid.modeling.data.tensors import Tensors
from allsaid.modeling.data.vocabulary import END, PAD
from allsaid.modeling.models.base.contract import State

USUAL, FRESH = 5, 3  # proposals of each hypothesis: any words, and words that cover another item


@dataclass(frozen=True)
class Needed(Tensors):
    """Items that texts of R rows have to cover: at most L per row, including the goal if it counts."""

    names: Tensor  # (R, M) the allowed words that cover an item, padded with PAD
    gives: Tensor  # (R, M, L) bool: the items that each of them covers
    least: Tensor  # (R,) the number of items that must be covered before a text may end

    def begin(self, slots: Slots) -> _Banks:
        return _Banks(self, slots)


class _Banks:
    """Items covered by the hypotheses in the slots; they determine the candidates.

    Letters: B texts, n hypotheses of each, M words that cover an item, L items.
    """

    def __init__(self, needed: Needed, slots: Slots) -> None:
        self._needed, self._slots = needed, slots
        texts, device = slots.texts, slots.device
        self._names = torch.full((texts, needed.names.shape[1]), PAD, device=device)
        self._gives = torch.zeros(texts, *needed.gives.shape[1:], device=device)
        self._least = torch.zeros(texts, dtype=torch.long, device=device)
        self._given = torch.zeros(texts, slots.width, needed.gives.shape[2], device=device)

    def edit(self, buffer: ScoreBuffer, state: State) -> None:
        short = self._given.sum(2) < self._least.unsqueeze(1)
        buffer.forbid(torch.where(short.view(-1, 1), END, PAD))

    def follow(self, rows: Tensor, words: Tensor) -> None:
        is_name = (self._names.unsqueeze(1) == words.view(-1, self._slots.width, 1)).to(self._gives.dtype)  # (B, n, M)
        before = self._given.flatten(0, 1)[rows].view_as(self._given)
        self._given = (before + torch.bmm(is_name, self._gives)).clamp(max=1)

    def renew(self, places: Tensor, texts: Tensor) -> None:
        needed = self._needed
        self._names[places] = needed.names[texts]
        self._gives[places] = needed.gives[texts].to(self._gives.dtype)
        self._least[places] = needed.least[texts]
        self._given[places] = 0

    def candidates(self, buffer: ScoreBuffer) -> tuple[Tensor, Tensor, Tensor]:
        """Return scores, rows and words (B, C) of the candidates, in the order in which the beam takes them."""
        given = self._given.sum(2)
        # How many missing items of a hypothesis each of the names covers: (B, n, M)
        more = torch.bmm(1 - self._given, self._gives.transpose(1, 2))
        texts, each, names = more.shape
        lists = self._names.unsqueeze(1).expand_as(more)
        usual, rows, usual_words = (part.view(texts, each, -1) for part in buffer.best(texts * each, USUAL))
        gains = buffer.totals_of(lists.reshape(texts * each, names)).view_as(more)
        new, places = gains.masked_fill(more == 0, DEAD).topk(min(FRESH, names), dim=2)
        new_words = lists.gather(2, places)
        is_name = usual_words.unsqueeze(3) == lists.unsqueeze(2)  # (B, n, USUAL, M)
        doubled = (new_words.unsqueeze(3) == usual_words.unsqueeze(2)).any(3)
        found = torch.cat([usual, new.masked_fill(doubled, DEAD)], dim=2)
        bank = torch.cat([(is_name * more.unsqueeze(2)).sum(3), more.gather(2, places)], dim=2) + given.unsqueeze(2)
        words = torch.cat([usual_words, new_words], dim=2)
        rows = rows[:, :, :1].expand_as(words)
        found, words, rows, bank = (part.flatten(1) for part in (found, words, rows, bank))
        found, order = found.sort(dim=1, descending=True, stable=True)
        words, rows, bank = (part.gather(1, order) for part in (words, rows, bank))
        order = _turns(found, bank)
        return found.gather(1, order), rows.gather(1, order), words.gather(1, order)


def _turns(scores: Tensor, bank: Tensor) -> Tensor:
    """Return the order (B, C) in which candidates, sorted by score, get places; dead ones last."""
    same = bank.unsqueeze(2) == bank.unsqueeze(1)
    turn = same.tril(diagonal=-1).sum(2)  # better candidates of the same bank
    key = turn * (bank.amax(1, keepdim=True) + 1) - bank
    return key.masked_fill(scores == DEAD, float("inf")).argsort(dim=1, stable=True)
