"""BLEU-4 of one text, smoothed: one is added to the matches and to the counts of 2-, 3- and 4-grams (Lin and Och 2004).

Lin and Och 2004, "ORANGE: a Method for Evaluating Automatic Evaluation Metrics for Machine Translation", section 4;
method 2 of Chen and Cherry 2014. A text without a word of the reference scores 0.
"""

from __future__ import annotations

from collections.abc import Sequence

from sacrebleu.metrics.bleu import BLEU, MAX_NGRAM_ORDER

from evaluation.measures.bootstrap import bleu_statistics


def sentence_bleu(texts: Sequence[str], references: Sequence[str]) -> list[float]:
    """The score of each of N texts, 0 to 100, beside its reference; all are words parted by blanks."""
    known = bleu_statistics(texts, [[reference] for reference in references])
    return [_score(*one) for one in known.tolist()]


def _score(length: int, reference: int, *counts: int) -> float:
    matched, every = list(counts[:MAX_NGRAM_ORDER]), list(counts[MAX_NGRAM_ORDER:])
    found = BLEU.compute_bleu(matched, every, length, reference, smooth_method="add-k", smooth_value=1)
    return float(found.score)
