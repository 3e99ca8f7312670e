"""What a model's training minimises, by part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import torch
from torch import Tensor

NLL = "nll"  # −Σ log p of the words: the first loss of every model
COUNT, WORDS = "/count", "words"  # among the sums: ends the name of a loss's own count, and the count of the others


@dataclass(frozen=True)
class Losses:
    """Sums over a batch by their names; training minimises ``total``, the mean over texts, and logs sum / count."""

    named: dict[str, Tensor]  # first NLL, then what the model adds
    texts: int  # B
    words: Tensor  # predicted words, the end token among them
    counts: Mapping[str, Tensor] = field(default_factory=dict)  # of each loss that is not one of words: its own count
    parts: Mapping[str, Tensor] = field(default_factory=dict)  # of NLL, over some kinds of words: shown, not added

    def __post_init__(self) -> None:
        """Raises ValueError where the first loss is not that of the words, or a count is of no loss."""
        if next(iter(self.named), "") != NLL:
            raise ValueError(
                f"the first of a model's losses must be '{NLL}', that of its words; these are {[*self.named]}"
            )
        if strange := [name for name in self.counts if name not in {**self.named, **self.parts}]:
            raise ValueError(f"there is a count of '{strange[0]}', but the losses are {[*self.named, *self.parts]}")

    @property
    def total(self) -> Tensor:
        first, *others = self.named.values()
        return sum(others, start=first) / self.texts

    def sums(self) -> dict[str, Tensor]:
        """All that is added up over batches; :func:`means` takes it."""
        counts = {name + COUNT: count for name, count in self.counts.items()}
        return {**self.named, **self.parts, **counts, WORDS: self.words}


def losses_by_kind(nll: Tensor, each: Tensor, texts: int, kinds: Mapping[str, Tensor]) -> Losses:
    """The losses of a model that has that of its words alone, with those of some kinds of words shown beside it.

    nll: −Σ log p; each: (N,) −log p of every word; kinds: (N,) bool by names.
    """
    parts = {f"{NLL}_{name}": mask for name, mask in kinds.items()}
    return Losses(
        {NLL: nll},
        texts,
        torch.tensor(len(each), device=each.device),
        counts={name: mask.sum() for name, mask in parts.items()},
        parts={name: each[mask].sum() for name, mask in parts.items()},
    )


def means(sums: Mapping[str, float], prefix: str) -> dict[str, float]:
    """Each loss a word, or over its own count; nothing was counted where that is 0."""
    return {
        prefix + name: value / (sums.get(name + COUNT, sums[WORDS]) or 1)
        for name, value in sums.items()
        if name != WORDS and not name.endswith(COUNT)
    }
