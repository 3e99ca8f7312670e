"""What a model's training minimises, by part."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor


@dataclass(frozen=True)
class Losses:
    """Sums over a batch by their names; training minimises ``total``, the mean over texts."""

    named: dict[str, Tensor]  # first −Σ log p of the words, which all models call "nll", then what the model adds
    texts: int  # B
    words: Tensor  # predicted words, the end token among them

    @property
    def total(self) -> Tensor:
        first, *others = self.named.values()
        return sum(others, start=first) / self.texts
