"""The scores of the words that may come next, as every model gives them to a search."""

from __future__ import annotations

from dataclasses import dataclass

from torch import Tensor

from allsaid.modeling.layers.shortlist import Shortlist


@dataclass(frozen=True)
class Scores:
    """Of the next word of B · n hypotheses.

    Words stand first: sums and maxima over them then run along whole rows of memory, and so does the product that makes
    them. The buffers are kept from step to step, and the next step writes over them.
    """

    values: Tensor  # (V + C, B · n) unnormalised, filled up to whole blocks (`modeling.layers.projection`) with -inf
    log_normaliser: Tensor  # (B · n,) the logarithm of the sum of their exponents
    room: Tensor  # of the shape of ``values``; whoever reads these may write here
    words: int  # V + C
    shortlist: Shortlist | None = None  # with one: the values are of its places, F + S in place of V

    @property
    def log_probs(self) -> Tensor:
        """(B · n, V + C) natural logarithms."""
        return (self.values[: self.words] - self.log_normaliser).t()

    def of(self, words: Tensor) -> Tensor:
        """(B · n,) natural logarithms of one word of each hypothesis; of scores without a shortlist."""
        return self.values.gather(0, words.unsqueeze(0)).squeeze(0) - self.log_normaliser
