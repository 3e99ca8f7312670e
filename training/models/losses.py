"""What a model's training minimises, by part."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor


@dataclass(frozen=True)
class Losses:
    """Sums over a batch; training minimises ``total``, the mean over texts."""

    named: dict[str, Tensor]  # "nll", −Σ log p(word), and what the model adds to it
    texts: int  # B
    words: Tensor  # predicted words, the end token among them

    @property
    def total(self) -> Tensor:
        return sum(self.named.values(), start=self.words.new_zeros((), dtype=self.named["nll"].dtype)) / self.texts

    def parts(self) -> dict[str, Tensor]:
        return self.named
