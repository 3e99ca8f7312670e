"""NIST-4 as mteval-v13a computes it, over tokens (Doddington 2002, equations 2 and 3).

NIST weighs n-grams by their information: log2 of the quotient of two counts in the references of all texts, that of
the first n - 1 words and that of the whole n-gram. For each n, the information of the n-grams that a text shares with
its references is summed over all texts and divided by the number of their n-grams. The figure is the sum over n, times
a penalty for texts that are shorter than their references. It has no upper bound. Doddington's own n goes up to 5.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from evaluation.measures.overlap import ngrams

ORDER = 4
HALVED = 2 / 3  # share of the references' length at which the penalty is one half
_BETA = math.log(0.5) / math.log(HALVED) ** 2

Words = Sequence[str]


def nist(texts: Sequence[Words], references: Sequence[Sequence[Words]]) -> float:
    """Return the NIST-4 of N texts, each with its own references."""
    return nist_of_sums(statistics(texts, references).sum(axis=0))


def statistics(texts: Sequence[Words], references: Sequence[Sequence[Words]]) -> np.ndarray:
    """Return the statistics of each text for NIST-4 (N, 9).

    They are the mean length of its references, and for n from 1 to 4 the information of the shared n-grams in bits and
    the number of the text's n-grams.
    """
    known = information(reference for theirs in references for reference in theirs)
    return np.array([_statistics(text, theirs, known) for text, theirs in zip(texts, references, strict=True)])


def nist_of_sums(sums: np.ndarray) -> float:
    """Return the NIST-4 of summed statistics (9,)."""
    reference_length, shared_bits, all_ngrams = sums[0], sums[1 : ORDER + 1], sums[ORDER + 1 :]
    if not shared_bits.any():
        return 0.0
    penalty = math.exp(_BETA * math.log(min(1.0, all_ngrams[0] / reference_length)) ** 2)
    return float((shared_bits / np.maximum(all_ngrams, 1)).sum() * penalty)


def information(references: Iterable[Words]) -> Mapping[tuple[str, ...], float]:
    """Return the information of each n-gram's last word after the words before it, in bits."""
    counts: Counter[tuple[str, ...]] = Counter()
    for reference in references:
        counts.update(gram for order in range(1, ORDER + 1) for gram in ngrams(reference, order))
        counts[()] += len(reference)
    return {gram: math.log2(counts[gram[:-1]] / count) for gram, count in counts.items() if gram}


def _statistics(text: Words, references: Sequence[Words], known: Mapping[tuple[str, ...], float]) -> list[float]:
    shared_bits = [
        math.fsum(known[gram] * count for gram, count in _shared(text, references, order).items())
        for order in range(1, ORDER + 1)
    ]
    all_ngrams = [max(0, len(text) - order + 1) for order in range(1, ORDER + 1)]
    return [sum(map(len, references)) / len(references), *shared_bits, *all_ngrams]


def _shared(text: Words, references: Sequence[Words], order: int) -> Counter[tuple[str, ...]]:
    """Count the text's n-grams, each at most as often as it occurs in one of the references."""
    highest: Counter[tuple[str, ...]] = Counter()
    for reference in references:
        highest |= Counter(ngrams(reference, order))
    return highest & Counter(ngrams(text, order))
