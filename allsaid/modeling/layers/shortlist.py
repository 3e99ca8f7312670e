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
        self.frequent, self._vocabulary, self._each = frequent, vocabulary, each
        self._words = torch.arange(frequent + list_size, device=device).repeat(texts, 1)
        self._words[:, frequent:] = PAD
        self._places = torch.full((texts, vocabulary), PAD, device=device)
        self._places[:, :frequent] = torch.arange(frequent, device=device)
        self._rows = torch.arange(texts * each, device=device).unsqueeze(1)

    @property
    def size(self) -> int:
        return self._words.shape[1]

    def renew(self, texts: Tensor, lists: Tensor) -> None:
        """Put other texts into the places ``texts``; lists: their lists (texts, S) of words that are not frequent."""
        self._words[texts, self.frequent :] = lists
        self._places[texts, self.frequent :] = PAD
        self._places[texts.unsqueeze(1), lists] = torch.arange(self.frequent, self.size, device=lists.device)
        self._places[texts, PAD] = PAD

    def places(self, words: Tensor, rows: Tensor | None = None) -> Tensor:
        """Return the places of ``words``, each of the hypothesis in ``rows``; None: a list (B · n, M) for each."""
        texts = (self._rows if rows is None else rows) // self._each
        return self._with_candidates(words, self._places[texts, words.clamp(max=self._vocabulary - 1)])

    def places_of_texts(self, words: Tensor) -> Tensor:
        """Return the places of a list of words (B, M) for each text."""
        return self._with_candidates(words, self._places.gather(1, words.clamp(max=self._vocabulary - 1)))

    def _with_candidates(self, words: Tensor, known: Tensor) -> Tensor:
        """Return the places ``known`` for words below V, and places after the lists for copy candidates."""
        return torch.where(words < self._vocabulary, known, words - self._vocabulary + self.size)

    def words(self, places: Tensor, rows: Tensor) -> Tensor:
        """Return the words at places of the hypotheses ``rows``, of the same shape."""
        known = self._words[rows // self._each, places.clamp(max=self.size - 1)]
        return torch.where(places < self.size, known, places - self.size + self._vocabulary)

    def of_places(self, values: Tensor) -> Tensor:
        """Return values (V, B) of words by place, (F + S, B)."""
        return values.gather(0, self._words.t())
