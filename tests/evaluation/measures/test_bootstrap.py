"""Bootstrap intervals beside slow versions that draw the texts themselves."""

from __future__ import annotations

import random

import numpy as np
import pytest

from evaluation.measures.bootstrap import bleu_of, bleu_statistics, mean_interval, ratio_interval, sums_interval
from evaluation.measures.protocols import bleu

WORDS = ["stir", "the", "soup", "and", "serve", "hot", "."]


def texts_and_references(number: int) -> tuple[list[str], list[list[str]]]:
    chance = random.Random(7)

    def text() -> str:
        return " ".join(chance.choices(WORDS, k=chance.randint(3, 9)))

    return [text() for _ in range(number)], [[text() for _ in range(chance.randint(1, 3))] for _ in range(number)]


def test_statistics_add_up_to_the_corpus_figure() -> None:
    texts, references = texts_and_references(30)
    assert bleu_of(bleu_statistics(texts, references).sum(axis=0)) == pytest.approx(bleu(texts, references), abs=1e-9)
    assert bleu_of(bleu_statistics(["a b"], [["c d"]]).sum(axis=0)) == 0


def test_bleu_as_drawing_texts_and_cutting_them_anew() -> None:
    texts, references = texts_and_references(20)
    chance = np.random.default_rng(3)
    drawn = [chance.integers(20, size=20).tolist() for _ in range(50)]
    slow = [bleu([texts[place] for place in draw], [references[place] for place in draw]) for draw in drawn]
    found = sums_interval(bleu_statistics(texts, references), bleu_of, draws=50, seed=3)
    assert [found.low, found.high] == pytest.approx(np.percentile(slow, [2.5, 97.5]).tolist())
    assert found.low < bleu(texts, references) < found.high


def test_intervals_hold_the_true_mean_at_their_level() -> None:
    chance = np.random.default_rng(5)
    held = 0
    for _ in range(100):
        found = sums_interval(chance.normal(2.0, size=60), lambda total: float(total) / 60, draws=150)
        held += found.low <= 2.0 <= found.high
    assert 0.88 <= held / 100 <= 0.98


def test_equal_seeds_give_equal_intervals_and_constants_a_point() -> None:
    values = [float(number % 7) for number in range(50)]
    assert (
        mean_interval(values)
        == mean_interval(values)
        != sums_interval(np.array(values), lambda total: float(total) / 50, seed=2)
    )
    assert mean_interval(values) == ratio_interval(values, [1.0] * 50)
    assert (mean_interval([3.0] * 9).low, mean_interval([3.0] * 9).high) == (3.0, 3.0)


def test_ratios_weigh_texts_by_what_they_hold() -> None:
    found = ratio_interval([0, 0, 5, 5] * 20, [10, 10, 10, 10] * 20)
    assert found.low < 0.25 < found.high
    nothing = ratio_interval([0.0, 0.0], [0.0, 0.0])
    assert (nothing.low, nothing.high) == (0.0, 0.0)
