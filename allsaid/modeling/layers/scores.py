"""The scores of the next words, as every model returns them to a search."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor

from allsaid.modeling.layers.shortlist import Shortlist


@dataclass(frozen=True)
class Scores:
    """Scores of the next word of B · n hypotheses.

    The first axis is the words, so that products, and sums and maxima over words, run along whole rows of memory. The
    buffers are kept from step to step; the next step overwrites them.
    """

    values: Tensor  # (V + C, B · n) unnormalised, padded to whole blocks (`modeling.layers.projection`) with -inf
    log_normaliser: Tensor  # (B · n,) the logarithm of the sum of their exponentials
    room: Tensor  # scratch memory of the shape of ``values``
    words: int  # V + C
    shortlist: Shortlist | None = None  # if there is one, the values are of its places: F + S instead of V

    @property
    def log_probs(self) -> Tensor:
        """The log-probabilities (B · n, V + C)."""
        return (self.values[: self.words] - self.log_normaliser).t()

    def of(self, words: Tensor) -> Tensor:
        """Return the log-probability (B · n,) of one word of each hypothesis; only without a shortlist."""
        return self.values.gather(0, words.unsqueeze(0)).squeeze(0) - self.log_normaliser
