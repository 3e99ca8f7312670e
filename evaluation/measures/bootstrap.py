"""Bootstrap confidence intervals (Efron 1979; for BLEU: Koehn, EMNLP 2004).

A draw takes N texts from the N texts, with replacement, and computes the figure of these. The interval contains the
middle 95% of the draws' figures (percentile method). It shows how much the choice of texts matters, not how much the
seed of a training matters. All figures of N texts use the same draws.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np
from sacrebleu.metrics.bleu import BLEU, MAX_NGRAM_ORDER

DRAWS = 1000
LEVEL = 95.0  # percent of the draws that the interval contains
SEED = 1
LOW, HIGH = "low/", "high/"  # before a figure's name: the ends of its interval


@dataclass(frozen=True)
class Interval:
    low: float
    high: float


def ends(figure: str, interval: Interval) -> dict[str, float]:
    """Return the ends of the interval under the names that a run logs."""
    return {LOW + figure: interval.low, HIGH + figure: interval.high}


def with_intervals(figures: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """Return the mean of each figure over N texts, and its interval, under the names that a run logs."""
    results: dict[str, float] = {}
    for name, values in figures.items():
        results |= {name: fmean(values)} | ends(name, mean_interval(values))
    return results


def mean_interval(values: Sequence[float]) -> Interval:
    """Return the interval of the mean of one value per text (N,); N is at least 1."""
    column = np.asarray(values, dtype=np.float64).reshape(-1, 1)
    return sums_interval(column, lambda sums: float(sums[0]) / len(column))


def ratio_interval(above: Sequence[float], below: Sequence[float]) -> Interval:
    """Return the interval of the quotient of two sums over N texts, such as slot errors by slots.

    The texts are drawn, not the slots. The quotient of a draw with divisor 0 is 0.
    """
    columns = np.array([above, below], dtype=np.float64).T
    return sums_interval(columns, lambda sums: float(sums[0] / sums[1]) if sums[1] else 0.0)


def sums_interval(
    statistics: np.ndarray, figure: Callable[[np.ndarray], float], draws: int = DRAWS, seed: int = SEED
) -> Interval:
    """Return the interval of a figure that is a function of sums over texts.

    ``statistics``: (N, …), the summands of each text. ``figure`` takes the sums of a draw (…).
    """
    random = np.random.default_rng(seed)
    texts = len(statistics)
    figures = [figure(statistics[random.integers(texts, size=texts)].sum(axis=0)) for _ in range(draws)]
    outside = (100 - LEVEL) / 2
    low, high = np.percentile(figures, [outside, 100 - outside])
    return Interval(float(low), float(high))


def perplexity_interval(nats: Sequence[float], words: Sequence[float]) -> Interval:
    """Return the interval of exp(Σ nats / Σ words) over N documents."""
    ratio = ratio_interval(nats, words)
    return Interval(math.exp(ratio.low), math.exp(ratio.high))


def perplexity_difference(
    nats: Sequence[float], words: Sequence[float], other_nats: Sequence[float], other_words: Sequence[float]
) -> tuple[float, Interval]:
    """Return the difference of two systems' perplexities on the same N documents, and the interval of the difference.

    The draws are paired: each draw takes the same documents for both systems.
    """
    columns = np.array([nats, words, other_nats, other_words], dtype=np.float64).T

    def difference(sums: np.ndarray) -> float:
        ours, theirs = (math.exp(above / below) if below else 1.0 for above, below in sums.reshape(2, 2).tolist())
        return ours - theirs

    return difference(columns.sum(axis=0)), sums_interval(columns, difference)


def bleu_interval(texts: Sequence[str], references: Sequence[Sequence[str]]) -> Interval:
    """Return the interval of corpus BLEU-4 (0 to 100) of N tokenised texts, each with its own references.

    `evaluation.measures.protocols.bleu` computes the figure itself. A draw sums the texts' n-gram counts and lengths.
    """
    return sums_interval(bleu_statistics(texts, references), bleu_of)


def bleu_statistics(texts: Sequence[str], references: Sequence[Sequence[str]]) -> np.ndarray:
    """Return the statistics of each text for BLEU-4 (N, 10).

    They are the text's length, its references' length, and the numbers of its matched n-grams and of all its n-grams,
    both for n from 1 to 4.
    """
    metric = BLEU(tokenize="none", force=True, effective_order=True)
    scores = [metric.sentence_score(text, list(theirs)) for text, theirs in zip(texts, references, strict=True)]
    rows = [[score.sys_len, score.ref_len, *score.counts, *score.totals] for score in scores]
    return np.array(rows, dtype=np.int64)


def bleu_of(sums: np.ndarray, smooth_method: str = "exp", smooth_value: float | None = None) -> float:
    """Return the corpus BLEU-4 (0 to 100) of summed statistics (10,), smoothed by a method of sacrebleu."""
    length, reference_length, *counts = sums.tolist()
    matched, all_ngrams = counts[:MAX_NGRAM_ORDER], counts[MAX_NGRAM_ORDER:]
    return float(BLEU.compute_bleu(matched, all_ngrams, length, reference_length, smooth_method, smooth_value).score)
