"""NIST-4 beside what mteval-v13a prints, and by hand."""

from __future__ import annotations

import math

import pytest

from evaluation.measures import bootstrap
from evaluation.measures.nist import HALVED, information, nist, nist_of_sums, statistics

# The example of Papineni et al. 2002 as NLTK's documentation has it; mteval-v13a -c gives these texts 5.0379 and
# 2.1139 (nltk/nltk#3901), and 2.447712 the first with the first reference alone.
TEXTS = [
    "It is a guide to action which ensures that the military always obeys the commands of the party",
    "It is to insure the troops forever hearing the activity guidebook that party direct",
]
REFERENCES = [
    "It is a guide to action that ensures that the military will forever heed Party commands",
    "It is the guiding principle which guarantees the military forces always being under the command of the Party",
    "It is the practical guide for the army always to heed the directions of the party",
]


def nist_of(text: str, *references: str) -> float:
    return nist([text.split()], [[reference.split() for reference in references]])


def test_the_figures_that_mteval_prints() -> None:
    assert [f"{nist_of(text, *REFERENCES):.4f}" for text in TEXTS] == ["5.0379", "2.1139"]
    assert nist_of(TEXTS[0], REFERENCES[0]) == pytest.approx(2.447712, abs=1e-6)


def test_a_small_corpus_by_hand() -> None:
    known = information([["a", "b", "a", "c"]])
    assert known[("a",)] == 1  # two of four words
    assert known[("b",)] == 2
    assert known[("a", "b")] == 1  # behind one of the two a
    assert known[("b", "a")] == known[("a", "b", "a", "c")] == 0  # there is no other way
    penalty = math.exp(math.log(0.5) * (math.log(2 / 4) / math.log(2 / 3)) ** 2)
    assert nist_of("a b", "a b a c") == pytest.approx(((1 + 2) / 2 + 1) * penalty)


def test_shared_words_count_as_often_as_one_reference_has_them() -> None:
    assert statistics([["a", "a", "a"]], [[["a", "a", "b"], ["b", "b", "b"]]])[0].tolist() == pytest.approx(
        [3, 2 * math.log2(6 / 2), 1, 0, 0, 3, 2, 1, 0]  # of two "a a" one is shared, and a second word tells one bit
    )


def test_short_texts_are_penalised_and_long_ones_not() -> None:
    whole, short, long = (statistics([["a", "b"] * 3], [[["a", "b"] * 3]]).sum(axis=0) for _ in range(3))
    short[0] /= HALVED
    long[0] /= 2
    assert nist_of_sums(short) == pytest.approx(nist_of_sums(whole) / 2)
    assert nist_of_sums(long) == nist_of_sums(whole) > 0


def test_texts_without_a_word_in_common_score_nothing() -> None:
    assert nist_of("", "a b c") == nist_of("x y", "a b c") == nist_of("x", "") == 0


def test_the_interval_of_a_corpus_holds_its_figure() -> None:
    texts, references = [text.split() for text in TEXTS * 10], [[REFERENCES[0].split()]] * 20
    found = bootstrap.sums_interval(statistics(texts, references), nist_of_sums, draws=100)
    assert found.low < nist(texts, references) < found.high
