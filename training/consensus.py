"""Which of a search's texts agrees most with the others: minimum Bayes risk for corpus BLEU.

Tromble et al. 2008, "Lattice Minimum Bayes-Risk Decoding for Statistical Machine Translation", section 3: where corpus
BLEU is near its first-order expansion, a text gains by each of its n-grams that the references hold, and loses by each
that they lack. Here the references are imagined: several texts drawn from those that the search found.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence

from training.config import SearchConfig
from training.hypothesis import Hypothesis
from training.vocab import END

ORDERS = range(1, 5)  # of the n-grams that BLEU counts
PRECISION = (0.95, 0.87, 0.79, 0.71)  # of the n-grams written, by order: what a text must beat to gain
SHARPNESS = 0.7  # below 1 the less likely texts count for more than the model says; chosen on valid parts

NGram = tuple[int, ...]


def preferred(found: Sequence[Hypothesis], search: SearchConfig) -> list[Hypothesis]:
    """In the order of their gain, or with no ``consensus`` of their probability for the length."""
    likely = sorted(found, key=lambda one: one.rank(search)[3:])
    if not search.consensus:
        return likely
    expected = _expected([one for one in found if one.finished], search.consensus)
    return sorted(likely, key=lambda one: -_gain(one, expected))


def _expected(found: Sequence[Hypothesis], references: float) -> dict[NGram, float]:
    """For each n-gram the probability that one of so many references holds it."""
    best = max((one.log_probability for one in found), default=0.0)
    weights = [math.exp((one.log_probability - best) * SHARPNESS) for one in found]
    total = sum(weights)
    held: defaultdict[NGram, float] = defaultdict(float)
    for one, weight in zip(found, weights, strict=True):
        for gram in set(_ngrams(one)):
            held[gram] += weight / total
    return {gram: 1 - (1 - min(share, 1.0)) ** references for gram, share in held.items()}


def _gain(one: Hypothesis, expected: dict[NGram, float]) -> float:
    """Of an n-gram that stands twice only the first is expected."""
    counts = Counter(_ngrams(one))
    return sum(expected.get(gram, 0.0) / PRECISION[len(gram) - 1] - count for gram, count in counts.items())


def _ngrams(one: Hypothesis) -> list[NGram]:
    """The end counts as a word, as the paper's protocol ends each text with a full stop."""
    words = [*one.tokens, END]
    return [tuple(words[start : start + order]) for order in ORDERS for start in range(len(words) - order + 1)]
