"""Bootstrap confidence intervals (Efron 1979; of BLEU: Koehn, EMNLP 2004): how far a figure depends on the texts taken.

The texts are drawn anew, with replacement, as many as there are, and the figure is computed of each draw; the interval
holds the middle 95% of what comes out (percentile method). It tells how much the choice of texts matters, not how much
the seed of a training does. All figures of N texts see the same draws.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from sacrebleu.metrics.bleu import BLEU, MAX_NGRAM_ORDER

DRAWS = 1000
LEVEL = 95.0  # percent of the draws that the interval holds
SEED = 1
LOW, HIGH = "low/", "high/"  # before a figure's name: the ends of its interval


@dataclass(frozen=True)
class Interval:
    low: float
    high: float


def named(figure: str, interval: Interval) -> dict[str, float]:
    """The interval's ends beside the figures that a run holds."""
    return {LOW + figure: interval.low, HIGH + figure: interval.high}


def of_mean(values: Sequence[float], draws: int = DRAWS, seed: int = SEED) -> Interval:
    """The interval of the mean of N texts' figures; N is at least 1."""
    column = np.asarray(values, dtype=np.float64).reshape(-1, 1)
    return of_sums(column, lambda sums: float(sums[0]) / len(column), draws, seed)


def of_ratio(above: Sequence[float], below: Sequence[float], draws: int = DRAWS, seed: int = SEED) -> Interval:
    """The interval of a sum over N texts divided by another (slot errors by slots); the texts are drawn, not the slots.

    A draw whose divisor is 0 gives 0.
    """
    columns = np.array([above, below], dtype=np.float64).T
    return of_sums(columns, lambda sums: float(sums[0] / sums[1]) if sums[1] else 0.0, draws, seed)


def of_sums(
    statistics: np.ndarray, figure: Callable[[np.ndarray], float], draws: int = DRAWS, seed: int = SEED
) -> Interval:
    """The interval of a figure that is computed of sums over texts: ``figure`` takes those of a draw.

    ``statistics``: (N, …) of each text.
    """
    chance = np.random.default_rng(seed)
    texts = len(statistics)
    found = [figure(statistics[chance.integers(texts, size=texts)].sum(axis=0)) for _ in range(draws)]
    outside = (100 - LEVEL) / 2
    low, high = np.percentile(found, [outside, 100 - outside])
    return Interval(float(low), float(high))


def of_perplexity(nats: Sequence[float], words: Sequence[float]) -> Interval:
    """The interval of exp(Σ nats / Σ words) over N documents."""
    ratio = of_ratio(nats, words)
    return Interval(math.exp(ratio.low), math.exp(ratio.high))


def of_perplexity_difference(
    nats: Sequence[float], words: Sequence[float], other_nats: Sequence[float], other_words: Sequence[float]
) -> tuple[float, Interval]:
    """One system's perplexity less another's on the same N documents, and its interval: a draw is of both (paired)."""
    columns = np.array([nats, words, other_nats, other_words], dtype=np.float64).T

    def difference(sums: np.ndarray) -> float:
        one, other = (math.exp(above / below) if below else 1.0 for above, below in sums.reshape(2, 2).tolist())
        return one - other

    return difference(columns.sum(axis=0)), of_sums(columns, difference)


def of_bleu(
    texts: Sequence[str], references: Sequence[Sequence[str]], draws: int = DRAWS, seed: int = SEED
) -> Interval:
    """The interval of corpus BLEU-4, 0 to 100, of N texts cut into words, each with its own references.

    The same figure as `evaluation.measures.protocols.bleu`: a draw adds up the texts' own n-gram counts and lengths.
    """
    return of_sums(bleu_statistics(texts, references), bleu_of, draws, seed)


def bleu_statistics(texts: Sequence[str], references: Sequence[Sequence[str]]) -> np.ndarray:
    """(N, 10) what BLEU-4 knows of each text: length, reference length, matched and all n-grams of 1 to 4 words."""
    metric = BLEU(tokenize="none", force=True, effective_order=True)
    scores = [metric.sentence_score(text, list(theirs)) for text, theirs in zip(texts, references, strict=True)]
    return np.array([[one.sys_len, one.ref_len, *one.counts, *one.totals] for one in scores], dtype=np.int64)


def bleu_of(sums: np.ndarray) -> float:
    """Corpus BLEU-4 of added-up statistics (10,), smoothed as sacrebleu does."""
    length, reference_length, *counts = sums.tolist()
    matched, every = counts[:MAX_NGRAM_ORDER], counts[MAX_NGRAM_ORDER:]
    return float(BLEU.compute_bleu(matched, every, length, reference_length, smooth_method="exp").score)
