"""The first and the last layer of a step: the input of a word, and the scores of all possible next words.

Buffers are allocated once: a new (V, B · n) tensor per step costs several times the product itself, since its memory
pages must be fetched.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from allsaid.modeling.data.vocabulary import PAD, UNKNOWN
from allsaid.modeling.layers.scores import Scores
from allsaid.modeling.layers.shortlist import Shortlist

LOOKS = {"cpu": True, "cuda": False}  # whether a step may look at its sums; a GPU would wait, and could not record it
LEAST = 1e-20  # a smaller sum may lack exponentials that are too small for their type
BLOCK = 8  # words; the best ones are found by the maxima of blocks, and of blocks of blocks
WHOLE = BLOCK * BLOCK  # the number of scores is a multiple of this


class Projection:
    """Scores W o + b of the vocabulary's words, followed by those of copy candidates."""

    def __init__(self, weight: Tensor, bias: Tensor | None = None) -> None:
        """weight: (V, k), in the type of the product; bias: (V,)."""
        self.weight, self.bias = weight, bias
        self.shortlist: Shortlist | None = None
        self._values = self._room = weight.new_empty(0)

    def __call__(self, outputs: Tensor, copy_scores: Tensor | None = None, copies: Copies | None = None) -> Scores:
        """Return the scores of all words.

        outputs: (B · n, k); copy_scores: (B · n, C) unnormalised scores of copy candidates; copies: changes of some
        scores before the normalisation.
        """
        if torch.is_grad_enabled():  # gradients need new tensors
            values = F.linear(outputs.to(self.weight.dtype), self.weight, self.bias).to(outputs.dtype)
            values = values if copy_scores is None else torch.cat([values, copy_scores], dim=1)
            return scores_of(values if copies is None else copies.added(values))
        words = len(self.weight) if self.shortlist is None else self.shortlist.size
        size = words + (0 if copy_scores is None else copy_scores.shape[1])
        whole = size + -size % WHOLE
        if self.shortlist is not None:
            self.shortlist.append(whole - words)
        self._allocate(whole, outputs)
        self._multiply(outputs.to(self.weight.dtype), self._values[:words])
        if copy_scores is not None:
            self._values[words:size] = copy_scores.t()
        if copies is not None:
            copies.add(self._values, self.shortlist)
        return Scores(self._values, self._log_normaliser(), self._room, size, self.shortlist)

    def _log_normaliser(self) -> Tensor:
        """Return the logarithm of the sum of each hypothesis's exponentials (B · n,), as `torch.logsumexp`.

        The highest score is subtracted first only where a sum would leave its type's range, whatever the others are.
        """
        total = fits = None
        if LOOKS[self._values.device.type]:
            total = torch.exp(self._values, out=self._room).sum(0)
            fits = (total > LEAST).logical_and_(total < math.inf)
            if fits.all():
                return total.log_()
        highest = self._values.amax(0)
        shifted = torch.sub(self._values, highest, out=self._room).exp_().sum(0).log_().add_(highest)
        return shifted if total is None or fits is None else torch.where(fits, total.log_(), shifted)

    def _multiply(self, outputs: Tensor, values: Tensor) -> None:
        """Write the scores (V, B · n) of the vocabulary's words."""
        if outputs.dtype == values.dtype:
            torch.mm(self.weight, outputs.t(), out=values)
        else:
            values[:] = self.weight @ outputs.t()
        if self.bias is not None:
            values += self.bias.unsqueeze(1)

    def _allocate(self, words: int, outputs: Tensor) -> None:
        if self._values.shape != (words, len(outputs)) or self._values.dtype != outputs.dtype:
            self._values = outputs.new_full((words, len(outputs)), float("-inf"))
            self._room = torch.empty_like(self._values)


@dataclass(frozen=True)
class Copies:
    """Words of each text whose score is that of a word of the vocabulary plus a term.

    A row of ``ids`` has no id twice, except PAD.
    """

    ids: Tensor  # (B, C) copy candidates from V on
    reads: Tensor  # (B, C) ids below V, to whose scores the terms are added; nothing is added to UNKNOWN
    scores: Tensor  # (B · n, C) the terms; 0 for padding

    def add(self, values: Tensor, shortlist: Shortlist | None) -> None:
        """Add the terms to the scores (V + C, B · n), or to those of a shortlist's places."""
        ids, reads = (part if shortlist is None else shortlist.places_of_texts(part) for part in (self.ids, self.reads))
        texts, words = self.ids.shape
        by_text = values.view(len(values), texts, -1)  # (V + C, B, n)
        ids, reads, adds_nothing = (
            part.t().unsqueeze(2).expand(-1, -1, by_text.shape[2]) for part in (ids, reads, self.reads == UNKNOWN)
        )
        scores = by_text.gather(0, reads).masked_fill_(adds_nothing, 0)
        by_text.scatter_(0, ids, scores.add_(self.scores.view(texts, -1, words).permute(2, 0, 1)))

    def added(self, values: Tensor) -> Tensor:
        """Return the scores (B · n, V + C) with the terms added, in a new tensor."""
        each = len(self.scores) // len(self.ids)
        ids, reads = (part.repeat_interleave(each, dim=0) for part in (self.ids, self.reads))
        base = values.gather(1, reads).masked_fill(reads == UNKNOWN, 0)
        return values.scatter(1, ids, base + self.scores)


class ShortProjection(Projection):
    """Scores of a shortlist's words alone: one product for the frequent words, a small one for each text's list."""

    def __init__(self, whole: Projection, frequent: int, lists: Tensor, texts: int, each: int) -> None:
        """frequent: the number of frequent words, which all texts share; lists: (R, S) further words of each text.

        texts: B, searched at once; each: hypotheses of a text.
        """
        super().__init__(whole.weight[:frequent], None if whole.bias is None else whole.bias[:frequent])
        weight, list_size = whole.weight, lists.shape[1]
        self._whole, self._lists = whole, lists
        self.shortlist: Shortlist = Shortlist(len(self.weight), list_size, len(weight), texts, each, weight.device)
        # Transposed: a product with the rows of a list as columns takes half as long again.
        self._list_weight = weight.new_zeros(texts, weight.shape[1], list_size)
        self._list_bias = weight.new_full((list_size, texts, 1), float("-inf"))
        self._has_bias = whole.bias is not None or bool((lists == PAD).any())  # otherwise it is 0 everywhere

    def renew(self, places: Tensor, texts: Tensor) -> None:
        """Put other texts into some places of the B texts; texts: rows of ``lists``."""
        lists = self._lists[texts]
        self.shortlist.renew(places, lists)
        self._list_weight[places] = self._whole.weight[lists].transpose(1, 2)
        bias = self._list_bias.new_zeros(lists.shape) if self._whole.bias is None else self._whole.bias[lists]
        self._list_bias[:, places, 0] = bias.masked_fill(lists == PAD, float("-inf")).t()

    def _multiply(self, outputs: Tensor, values: Tensor) -> None:
        texts, width, size = self._list_weight.shape
        list_scores = torch.bmm(outputs.view(texts, -1, width), self._list_weight)  # (B, n, S)
        listed = values[len(self.weight) :].view(size, texts, -1)
        if self._has_bias:
            torch.add(list_scores.permute(2, 0, 1), self._list_bias, out=listed)
        else:
            listed.copy_(list_scores.permute(2, 0, 1))
        super()._multiply(outputs, values[: len(self.weight)])


class InputTable:
    """The products W x + b of all words x of a vocabulary; a step gathers rows of this table.

    The table is computed again when the weights have changed. It belongs to the model and not to a search, since
    computing it takes as long as many steps. With several gates there is a table for each.
    """

    def __init__(self, gates: int = 1) -> None:
        self._gates = gates
        self._versions: list[tuple[int, int]] = []
        self._table = torch.empty(0)

    def __call__(self, dtype: torch.dtype, embedding: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
        """Return (V, m) in the embedding's type; of G > 1 gates (G, V, m / G).

        dtype: of the product; embedding: (V, k); weight: (…, k), with m elements in its other axes; bias: (m,).
        """
        if torch.is_grad_enabled():
            return self._by_gate(_product(dtype, embedding, weight, bias))
        now = [(part.data_ptr(), part._version) for part in (embedding, weight, bias) if part is not None]
        if now != self._versions:
            self._table, self._versions = self._by_gate(_product(dtype, embedding, weight, bias)).contiguous(), now
        return self._table

    def _by_gate(self, table: Tensor) -> Tensor:
        return table if self._gates == 1 else table.view(len(table), self._gates, -1).transpose(0, 1)


def _product(dtype: torch.dtype, x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    weight = weight.flatten(0, -2)
    return F.linear(x.to(dtype), weight.to(dtype), None if bias is None else bias.to(dtype)).to(x.dtype)


def scores_of(values: Tensor) -> Scores:
    """Return the scores of a model without a projection; unnormalised: (B · n, V + C)."""
    filled = F.pad(values.t(), (0, 0, 0, -values.shape[1] % WHOLE), value=float("-inf"))
    return Scores(filled, values.logsumexp(1), torch.empty_like(filled), values.shape[1])
