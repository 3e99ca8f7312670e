"""Shortlists: the words that a search may use for each text, instead of the whole vocabulary."""

from __future__ import annotations

import torch
from torch import Tensor

from allsaid.modeling.data.vocabulary import PAD


class Shortlist:
    """The places of the words of B texts in scores; the n hypotheses of a text are grouped.

    Places 0 to F - 1 are the first words of the vocabulary, the frequent ones, for all texts. Places F to F + S - 1 are
    each text's own list, padded with PAD. Copy candidates (ids from V on) follow. So special tokens have the places
    that they have in the vocabulary. A word that a text may not choose has the place of PAD, which no text contains.
    """

    def __init__(
        self, frequent: int, list_size: int, vocabulary: int, texts: int, each: int, device: torch.device
    ) -> None:
        """frequent: F; list_size: S; vocabulary: V; texts: B; each: n."""
        self.frequent, self.size, self._vocabulary = frequent, frequent + list_size, vocabulary
        self._words = torch.arange(frequent + list_size, device=device).repeat(texts, 1)
        self._words[:, frequent:] = PAD
        self._places = torch.full((texts, vocabulary), PAD, device=device)
        self._places[:, :frequent] = torch.arange(frequent, device=device)
        self._texts = torch.arange(texts, device=device).repeat_interleave(each)  # of each hypothesis

    def append(self, count: int) -> None:
        """Add places after the lists, for copy candidates and what fills up the scores."""
        if self.size + count > self._words.shape[1]:
            more = torch.arange(count, device=self._words.device).expand(len(self._words), -1)
            self._words = torch.cat([self._words, more + self._vocabulary], dim=1)
            self._places = torch.cat([self._places, more + self.size], dim=1)

    def renew(self, texts: Tensor, lists: Tensor) -> None:
        """Put other texts into the places ``texts``; lists: their lists (texts, S) of words that are not frequent."""
        self._words[texts, self.frequent : self.size] = lists
        self._places[texts, self.frequent : self._vocabulary] = PAD
        self._places[texts.unsqueeze(1), lists] = torch.arange(self.frequent, self.size, device=lists.device)
        self._places[texts, PAD] = PAD

    def places(self, words: Tensor, rows: Tensor | None = None) -> Tensor:
        """Return the places of ``words``, each of the hypothesis in ``rows``; None: a list (B · n, M) for each."""
        texts = self._texts.unsqueeze(1) if rows is None else self._texts.take(rows)
        return self._places.take(torch.add(words, texts, alpha=self._places.shape[1]))

    def places_of_texts(self, words: Tensor) -> Tensor:
        """Return the places of a list of words (B, M) for each text."""
        return self._places.gather(1, words)

    def words(self, places: Tensor, rows: Tensor) -> Tensor:
        """Return the words at places of the hypotheses ``rows``, of the same shape."""
        return self._words.take(torch.add(places, self._texts.take(rows), alpha=self._words.shape[1]))

    def of_places(self, values: Tensor) -> Tensor:
        """Return values (V, B) of words by place, (F + S, B)."""
        return values.gather(0, self._words[:, : self.size].t())
