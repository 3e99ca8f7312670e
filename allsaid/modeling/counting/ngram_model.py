"""Base of n-gram models: KenLM counts them, and a search gets the scores of all next words at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from torch import Tensor, nn

from allsaid.console import say
from allsaid.modeling.counting import lmplz
from allsaid.modeling.counting.ngrams import Ngrams
from allsaid.modeling.data.arrays import FlatTexts
from allsaid.modeling.layers.projection import WHOLE
from allsaid.modeling.layers.scores import Scores

PIECE = 100_000  # texts written to the file at once


class NgramModel(nn.Module):
    """A model whose weights are n-grams; nothing is learned by gradients."""

    def __init__(self, order: int, words: int) -> None:
        """order: K, 1 to 6; words: V."""
        super().__init__()
        self.ngrams = Ngrams(words, order)

    def count(self, ids: FlatTexts, folder: Path) -> None:
        """Count the n-grams of whole texts; no text is cut."""
        words, order, text, arpa = self.ngrams.words, self.ngrams.order, folder / "text", folder / "arpa"
        with text.open("w", encoding="ascii") as file:
            for first in range(0, len(ids), PIECE):
                starts = ids.text_starts[first : first + PIECE + 1]
                lmplz.write_lines(file, ids.read(first, first + PIECE, words), starts - starts[0])
        # The predicted words are V without PAD and START, but with <unk>.
        sparse_orders = lmplz.estimate(text, arpa, order, words - 1)
        if sparse_orders:
            say(
                f"There are too few {' and '.join(f'{n}-grams' for n in sparse_orders)} to estimate the discounts of "
                "modified Kneser-Ney from; they are 0.5, 1 and 1.5 there (lmplz --discount_fallback)."
            )
        self.ngrams.read(arpa)

    def resize(self, sizes: Mapping[str, Sequence[int]]) -> None:
        self.ngrams.resize({name.removeprefix("ngrams."): size for name, size in sizes.items()})


class NextWords:
    """Scores of all words after contexts, in buffers that are kept from step to step."""

    def __init__(self, ngrams: Ngrams) -> None:
        self._ngrams = ngrams
        self._values = self._room = torch.empty(0)

    def __call__(self, contexts: Tensor) -> Scores:
        """Return the scores of all words after contexts (B · n, K - 1)."""
        words = self._ngrams.words
        if self._values.shape[1:] != contexts.shape[:1]:
            size = (words + -words % WHOLE, len(contexts))
            self._values = torch.full(size, float("-inf"), device=contexts.device)
            self._room = torch.empty_like(self._values)
        self._ngrams.write_all(contexts, self._values[:words])
        return Scores(self._values, torch.zeros(len(contexts), device=contexts.device), self._room, words)
