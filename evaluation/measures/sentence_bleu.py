"""Smoothed BLEU-4 of one text: one is added to the matches and to the counts of 2-, 3- and 4-grams.

Lin and Och 2004, "ORANGE: a Method for Evaluating Automatic Evaluation Metrics for Machine Translation", section 4;
method 2 of Chen and Cherry 2014. A text without a word of the reference scores 0.
"""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.measures.bootstrap import bleu_of, bleu_statistics


def sentence_bleu(texts: Sequence[str], references: Sequence[str]) -> list[float]:
    """Return the score (0 to 100) of each of N texts with its reference; words are separated by blanks."""
    statistics = bleu_statistics(texts, [[reference] for reference in references])
    return [bleu_of(row, smooth_method="add-k", smooth_value=1) for row in statistics]
