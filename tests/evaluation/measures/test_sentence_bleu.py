"""Smoothed BLEU of single texts beside a published example and figures by hand."""

from __future__ import annotations

import math

import pytest

from evaluation.measures.sentence_bleu import sentence_bleu

TEXT = "It is a guide to action which ensures that the military always obeys the commands of the party"
REFERENCE = "It is a guide to action that ensures that the military will forever heed Party commands"


def test_the_example_of_nltk() -> None:
    """What nltk's page of `SmoothingFunction` gives for method 2, which is Lin and Och's."""
    assert sentence_bleu([TEXT], [REFERENCE]) == [pytest.approx(44.52, abs=0.01)]


def test_figures_by_hand() -> None:
    short = ("the cat sat", "the cat sat on the mat")  # 3/3, (2 + 1)/(2 + 1), (1 + 1)/(1 + 1), (0 + 1)/(0 + 1)
    swapped = ("a b c d", "a b d c")  # 4/4, (1 + 1)/(3 + 1), (0 + 1)/(2 + 1), (0 + 1)/(1 + 1)
    texts, references = zip(short, swapped, ("x y", "a b"), ("", "a"), strict=True)
    assert sentence_bleu(texts, references) == pytest.approx(
        [100 * math.exp(1 - 6 / 3), 100 * (1 / 2 * 1 / 3 * 1 / 2) ** (1 / 4), 0, 0]
    )
