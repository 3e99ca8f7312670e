"""Which words the texts of a search choose from, where that is not the whole vocabulary."""

from __future__ import annotations

import torch
from torch import Tensor

from allsaid.modeling.data.vocabulary import PAD


class Shortlist:
    """The places at which the words of B texts stand among scores; n hypotheses of each text side by side.

    Places 0 to F - 1 are of the vocabulary's first words, the frequent ones, for all texts; F to F + S - 1 of each
    text's own choice, filled up with PAD; behind them stand the example's own words of a model that copies (ids from V
    on). So marks stand where they do in the vocabulary. A word that a text may not choose has the place of PAD, which
    no text holds.
    """

    def __init__(self, frequent: int, own: int, vocabulary: int, texts: int, each: int, device: torch.device) -> None:
        """frequent: F; own: S; vocabulary: V; texts: B; each: n."""
        self.frequent, self._vocabulary, self._each = frequent, vocabulary, each
        self._words = torch.arange(frequent + own, device=device).repeat(texts, 1)
        self._words[:, frequent:] = PAD
        self._places = torch.full((texts, vocabulary), PAD, device=device)
        self._places[:, :frequent] = torch.arange(frequent, device=device)
        self._rows = torch.arange(texts * each, device=device).unsqueeze(1)

    @property
    def size(self) -> int:
        return self._words.shape[1]

    def renew(self, texts: Tensor, own: Tensor) -> None:
        """Other texts begin here, with words of their own (texts, S), none of them frequent and none of them twice."""
        self._words[texts, self.frequent :] = own
        self._places[texts, self.frequent :] = PAD
        self._places[texts.unsqueeze(1), own] = torch.arange(self.frequent, self.size, device=own.device)
        self._places[texts, PAD] = PAD

    def places(self, words: Tensor, rows: Tensor | None = None) -> Tensor:
        """The places of words of the hypotheses ``rows``, of one shape; without rows a list (B · n, M) for each."""
        texts = (self._rows if rows is None else rows) // self._each
        return self._or_behind(words, self._places[texts, words.clamp(max=self._vocabulary - 1)])

    def places_of_texts(self, words: Tensor) -> Tensor:
        """The places of a list of words (B, M) for each text."""
        return self._or_behind(words, self._places.gather(1, words.clamp(max=self._vocabulary - 1)))

    def _or_behind(self, words: Tensor, known: Tensor) -> Tensor:
        """The places ``known`` of words below V, and those behind the list of the others."""
        return torch.where(words < self._vocabulary, known, words - self._vocabulary + self.size)

    def words(self, places: Tensor, rows: Tensor) -> Tensor:
        """The words at places of the hypotheses ``rows``, of one shape."""
        known = self._words[rows // self._each, places.clamp(max=self.size - 1)]
        return torch.where(places < self.size, known, places - self.size + self._vocabulary)

    def of_places(self, values: Tensor) -> Tensor:
        """Values (V, B) of words, as (F + S, B) of places."""
        return values.gather(0, self._words.t())
