"""The n-grams of a back-off language model as sorted arrays, which are looked up for many contexts at once.

An n-gram has a place among those of its order; the place of a single word is its id. Longer n-grams are sorted by a
key: V times the place of all words but the last, plus the last. So the n-grams that continue a context are adjacent. A
context of m words is represented by its place among the m-grams, or by `NOWHERE` if training has never seen it.

ARPA's ``<unk>``, a word never seen, has the place of PAD, which is in no text. Its share of every distribution is added
to UNKNOWN. Logarithms are natural.

Letters: V words, K the order, N contexts.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any  # Any: a ModuleList, which does not know the class of its modules

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from allsaid.modeling.counting import lmplz
from allsaid.modeling.data.vocabulary import PAD, START, UNKNOWN

NOWHERE = -1


class Ngrams(nn.Module):
    """The n-grams of all orders. Until they are read, all words are equally likely."""

    log_probs: Tensor  # (V,) of single words
    backoffs: Tensor  # (V,) log of the weight of shorter contexts after each word

    def __init__(self, words: int, order: int) -> None:
        """words: V; order: K."""
        super().__init__()
        self.words, self.order = words, order
        self.register_buffer("log_probs", torch.full((words,), -math.log(words - 1)))
        self.register_buffer("backoffs", torch.zeros(words))
        self.longer: Any = nn.ModuleList(_Longer(words, is_longest=n == order) for n in range(2, order + 1))

    def resize(self, sizes: Mapping[str, Sequence[int]]) -> None:
        """Allocate the n-grams of each order; sizes: of the tensors by their names."""
        for number, longer in enumerate(self.longer):
            longer.resize(next(iter(sizes.get(f"longer.{number}.keys", ())), 0))

    def read(self, path: Path) -> None:
        """Read an ARPA file of the same order; words that it lacks are as likely as ``<unk>``."""
        for order, (count, pieces) in enumerate(lmplz.read(path), 1):
            if order == 1:
                self._read_words(pieces)
            else:
                self.longer[order - 2].fill(count, ((self._keys(ids), *values) for ids, *values in pieces))

    def _read_words(self, pieces: Iterator[lmplz.Piece]) -> None:
        self.log_probs.fill_(float("nan"))
        self.backoffs.zero_()
        for ids, log_probs, backoffs in pieces:
            self.log_probs[ids[:, 0]] = log_probs
            self.backoffs[ids[:, 0]] = backoffs
        self.log_probs[self.log_probs.isnan()] = self.log_probs[PAD].clone()

    def _keys(self, ids: Tensor) -> Tensor:
        """Return the keys (R,) of n-grams (R, n) whose contexts are known."""
        place = ids[:, 0]
        for longer, words in zip(self.longer, ids[:, 1:-1].unbind(1), strict=False):
            place = longer.find(place, words)
        return place * self.words + ids[:, -1]

    def empty(self, count: int) -> Tensor:
        """Return ``count`` contexts (N, K - 1) without a word."""
        return torch.full((count, self.order - 1), NOWHERE, device=self.log_probs.device)

    def contexts(self, words: Tensor) -> Tensor:
        """Return the contexts (B, T, K - 1) after each word (B, T): the places of the last 1, 2, … words of a text."""
        places = [words]
        for longer in self.longer[:-1]:
            places.append(longer.find(F.pad(places[-1][:, :-1], (1, 0), value=NOWHERE), words))
        return torch.stack(places, dim=2)[:, :, : self.order - 1]

    def follow(self, contexts: Tensor, words: Tensor) -> Tensor:
        """Return the contexts (N, K - 1) after one more word of each (N,)."""
        places = [words]
        for longer, before in zip(self.longer[:-1], contexts.unbind(1), strict=False):
            places.append(longer.find(before, words))
        return torch.stack(places, dim=1)[:, : self.order - 1]

    def log_probs_of(self, contexts: Tensor, words: Tensor) -> Tensor:
        """Return the log-probability (N,) of one next word (N,) of each context (N, K - 1)."""
        log_probs, backoffs = self.log_probs[words], self._backoffs(contexts)
        for number, longer in enumerate(self.longer):
            place = longer.find(contexts[:, number], words)
            shorter = log_probs + backoffs[:, number]
            log_probs = shorter if not len(longer.keys) else torch.where(place >= 0, longer.log_probs[place], shorter)
        unseen = self.log_probs[PAD] + backoffs.sum(1)
        return torch.where(words == UNKNOWN, torch.logaddexp(log_probs, unseen), log_probs)

    def write_all(self, contexts: Tensor, out: Tensor) -> None:
        """Write the log-probabilities of all next words (V, N) of contexts (N, K - 1); -inf for PAD and START."""
        # The score is that of the longest known n-gram, plus the back-offs of all longer contexts.
        backoff_sums = F.pad(self._backoffs(contexts).flip(1).cumsum(1).flip(1), (0, 1))  # (N, K)
        torch.add(self.log_probs.unsqueeze(1), backoff_sums[:, 0], out=out)
        for number, longer in enumerate(self.longer):
            rows, places = longer.after(contexts[:, number])
            out[longer.keys[places] % self.words, rows] = longer.log_probs[places] + backoff_sums[rows, number + 1]
        out[UNKNOWN] = torch.logaddexp(out[UNKNOWN], out[PAD])
        out[[PAD, START]] = float("-inf")

    def _backoffs(self, contexts: Tensor) -> Tensor:
        """Return the back-offs (N, K - 1) of each context; 0 for one that training has never seen."""
        values = torch.zeros(contexts.shape, device=contexts.device)
        for number, backoffs in enumerate([self.backoffs, *(longer.backoffs for longer in self.longer[:-1])]):
            if number < contexts.shape[1] and len(backoffs):
                places = contexts[:, number]
                values[:, number] = torch.where(places >= 0, backoffs[places], 0.0)
        return values


class _Longer(nn.Module):
    """The n-grams of one order above the first."""

    keys: Tensor  # (M,) int64, sorted
    log_probs: Tensor  # (M,)
    backoffs: Tensor  # (M,); empty for the longest n-grams

    def __init__(self, words: int, is_longest: bool) -> None:
        super().__init__()
        self.words, self.is_longest = words, is_longest
        self.register_buffer("keys", torch.zeros(0, dtype=torch.int64))
        self.register_buffer("log_probs", torch.zeros(0))
        self.register_buffer("backoffs", torch.zeros(0))

    def resize(self, size: int) -> None:
        self.keys, self.log_probs = self.keys.new_empty(size), self.log_probs.new_empty(size)
        self.backoffs = self.backoffs.new_empty(0 if self.is_longest else size)

    def fill(self, size: int, pieces: Iterator[tuple[Tensor, ...]]) -> None:
        """Set ``size`` n-grams from pieces of keys, log-probabilities and back-offs, in any order."""
        self.resize(size)
        parts = [self.keys, self.log_probs, self.backoffs][: 2 if self.is_longest else 3]
        begin = 0
        for values in pieces:
            for part, piece in zip(parts, values, strict=False):
                part[begin : begin + len(piece)] = piece
            begin += len(values[0])
        order = self.keys.argsort()
        for part in parts:
            part.copy_(part[order])

    def find(self, contexts: Tensor, words: Tensor) -> Tensor:
        """Return the places of contexts with one more word each; both have one shape."""
        if not len(self.keys):
            return torch.full_like(words, NOWHERE)
        keys = contexts * self.words + words
        places = torch.searchsorted(self.keys, keys).clamp_(max=len(self.keys) - 1)
        return torch.where(self.keys[places] == keys, places, NOWHERE)

    def after(self, contexts: Tensor) -> tuple[Tensor, Tensor]:
        """Return all n-grams (E,) that continue contexts (N,): the number of the context of each, and its place."""
        begin, end = torch.searchsorted(self.keys, torch.stack([contexts, contexts + 1]) * self.words)
        sizes = end - begin
        rows = torch.arange(len(sizes), device=sizes.device).repeat_interleave(sizes)
        first = begin - sizes.cumsum(0) + sizes
        return rows, first[rows] + torch.arange(len(rows), device=rows.device)
