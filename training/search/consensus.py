"""Which of a search's texts is most like what people might write: minimum Bayes risk.

Kumar and Byrne, NAACL 2004: of the texts found, take the one that is expected to score best against references drawn
from the model. Here several references are imagined, the best of which counts, as METEOR counts; and likeness is
METEOR 1.5's form (Denkowski and Lavie, WMT 2014) on exact words: recall before precision, less for scattered matches.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from training.config import SearchConfig
from training.data.vocabulary import END
from training.search.hypothesis import Hypothesis

RECALL = 0.85  # its part in the weighted harmonic mean, as in METEOR 1.5
SCATTERED = 0.6  # what a text loses none of whose matching words stand side by side; METEOR adds an exponent of 0.2
SHARPNESS = 0.6  # below 1 the less likely texts count for more than the model says; chosen on valid parts


@dataclass(frozen=True)
class _Words:
    """A text's words, its end among them, since where a text ends is matched too."""

    singles: Counter[int]
    pairs: Counter[tuple[int, int]]  # of words side by side

    @classmethod
    def of(cls, one: Hypothesis) -> _Words:
        words = [*one.tokens, END]
        return cls(Counter(words), Counter(pairwise(words)))


def preferred(found: Sequence[Hypothesis], search: SearchConfig) -> list[Hypothesis]:
    """In the order of their expected likeness, or with no ``consensus`` of their probability for the length."""
    likely = sorted(found, key=lambda one: one.rank(search)[3:])
    witnesses = [one for one in likely if one.finished]
    if not (search.consensus and witnesses):
        return likely
    best = max(one.log_probability for one in witnesses)
    weights = [math.exp((one.log_probability - best) * SHARPNESS) for one in witnesses]
    total = sum(weights)
    shares = [weight / total for weight in weights]
    references = [_Words.of(one) for one in witnesses]

    def expected(one: Hypothesis) -> float:
        words = _Words.of(one)
        return _mean_of_best([_likeness(words, other) for other in references], shares, search.consensus)

    return sorted(likely, key=expected, reverse=True)


def _mean_of_best(values: Sequence[float], shares: Sequence[float], draws: float) -> float:
    """The mean of the highest of so many values drawn by their shares."""
    mean = share_so_far = all_so_far = 0.0  # the second: the chance that every draw is one of the values so far
    for value, share in sorted(zip(values, shares, strict=True)):
        share_so_far = min(share_so_far + share, 1.0)
        mean += value * (share_so_far**draws - all_so_far)
        all_so_far = share_so_far**draws
    return mean


def _likeness(one: _Words, reference: _Words) -> float:
    """0 to 1; matches are counted word by word and pair by pair, which needs no alignment."""
    matches = (one.singles & reference.singles).total()
    if not matches:
        return 0.0
    precision, recall = matches / one.singles.total(), matches / reference.singles.total()
    mean = precision * recall / (RECALL * precision + (1 - RECALL) * recall)
    runs = max(matches - (one.pairs & reference.pairs).total(), 1)
    return mean * (1 - SCATTERED * runs / matches)
