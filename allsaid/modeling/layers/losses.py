"""The losses of a model, by part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import torch
from torch import Tensor

NLL = "nll"  # −Σ log p of the words: the first loss of every model
COUNT, WORDS = "/count", "words"  # keys of sums: suffix for the count of one loss, and the count of all others


@dataclass(frozen=True)
class Losses:
    """Sums over a batch by name; training minimises ``total``, the mean over texts, and logs sum / count."""

    named: dict[str, Tensor]  # NLL first, then further losses of the model
    texts: int  # B
    words: Tensor  # number of predicted words, including the end token
    counts: Mapping[str, Tensor] = field(default_factory=dict)  # the count of each loss that is not per word
    parts: Mapping[str, Tensor] = field(default_factory=dict)  # shown, not added: NLL of a kind of words, gates

    def __post_init__(self) -> None:
        """Raise ValueError if the first loss is not that of the words, or if a count belongs to no loss."""
        if next(iter(self.named), "") != NLL:
            raise ValueError(
                f"the first of a model's losses must be '{NLL}', that of its words; these are {[*self.named]}"
            )
        if uncounted := [name for name in self.counts if name not in {**self.named, **self.parts}]:
            raise ValueError(f"there is a count of '{uncounted[0]}', but the losses are {[*self.named, *self.parts]}")

    @property
    def total(self) -> Tensor:
        first, *others = self.named.values()
        return sum(others, start=first) / self.texts

    def sums(self) -> dict[str, Tensor]:
        """Return the values to add up over batches, for :func:`means`."""
        counts = {name + COUNT: count for name, count in self.counts.items()}
        return {**self.named, **self.parts, **counts, WORDS: self.words}


def losses_by_kind(nll: Tensor, each: Tensor, texts: int, kinds: Mapping[str, Tensor]) -> Losses:
    """Return the one loss of a model, NLL, with its parts for some kinds of words.

    nll: −Σ log p; each: (N,) −log p of every word; kinds: masks (N,) by name.
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
    """Return each loss per word, or per its own count; a count of 0 means that there was nothing to count."""
    return {
        prefix + name: value / (sums.get(name + COUNT, sums[WORDS]) or 1)
        for name, value in sums.items()
        if name != WORDS and not name.endswith(COUNT)
    }
