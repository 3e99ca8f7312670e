"""PARENT beside the scores of its authors' own test, beside its formulas, and on texts whose scores are plain."""

from __future__ import annotations

import math
import random
from collections import Counter

import pytest

from evaluation.measures.overlap import ngrams
from evaluation.measures.parent import SMOOTHING, given, parent

# Dhingra et al. 2019, figure 1, with the scores that the test of the authors' code asks for (google-research/language,
# table_text_eval_test.py, the weight by the paper's heuristic).
TABLE = [
    ["michael", "dahlquist"],
    ["december", "22", ",", "1965"],
    ["seattle", ",", "washington"],
    ["july", "14", ",", "2005"],
    ["skokie", ",", "illinois"],
    ["male"],
    ["drummer"],
    ["drums"],
]
BEGIN = "michael dahlquist ( december 22 , 1965 -- july 14 , 2005 ) was a drummer"
REFERENCE = f"{BEGIN} in the seattle band silkworm ."


@pytest.mark.parametrize(
    ("end", "score"),
    [(" in the california band grateful dead .", 0.772), (" .", 0.836), (" from seattle , washington .", 0.848)],
)
def test_the_scores_of_the_authors_test(end: str, score: float) -> None:
    assert parent((BEGIN + end).split(), REFERENCE.split(), TABLE).f == pytest.approx(score, abs=5e-4)


def test_a_reference_that_the_table_entails_scores_full_marks() -> None:
    words = ["jane", "doe", "born", "may", "1904", "painter"]
    found = parent(words, words, [["jane", "doe"], ["may", "1904"], ["painter"]])
    assert found.precision == found.recall == found.f == pytest.approx(1)


def test_table_words_are_correct_without_the_reference() -> None:
    text, reference, table = ["a", "b", "c", "d"], ["e", "f", "g", "h"], [["a", "b", "c", "d"]]
    assert parent(text, reference, table).precision == 1
    # No word of the reference is asked for, and it gives nothing of the table: recall is the table's alone.
    assert parent(text, reference, table).recall == 1
    # Half of its words; of its bigrams one wholly, one by half and one not at all; and so on.
    shares = [2 / 4, (1 + 1 / 2 + 0) / 3, (2 / 3 + 1 / 3) / 2, 2 / 4]
    found = parent(["a", "b", "x", "y"], reference, table)
    assert found.precision == pytest.approx(math.prod(shares) ** (1 / 4))


def test_texts_with_nothing_right() -> None:
    reference, table = ["a", "b", "c", "d", "e"], [["a", "b"], ["c"]]
    for text in ([], ["x"], ["x", "y", "z", "w", "v"]):
        found = parent(text, reference, table)
        assert found.precision == found.f == 0
        assert found.recall == pytest.approx(SMOOTHING)
    assert parent(["a"], ["a"], [["a"]]).precision == pytest.approx(SMOOTHING ** (3 / 4))  # it has no longer n-gram


def slow(text: list[str], reference: list[str], table: list[list[str]]) -> tuple[float, float]:
    """The formulas of section 3, word by word."""
    known = {word for field in table for word in field}

    def entailed(gram: tuple[str, ...]) -> float:
        return len([word for word in gram if word in known]) / len(gram)

    def subsequence(one: list[str], other: list[str]) -> int:
        if not one or not other:
            return 0
        if one[-1] == other[-1]:
            return subsequence(one[:-1], other[:-1]) + 1
        return max(subsequence(one[:-1], other), subsequence(one, other[:-1]))

    precision = recall = 0.0
    for order in (1, 2, 3, 4):
        ours, theirs = Counter(ngrams(text, order)), Counter(ngrams(reference, order))
        right = 0.0
        for gram, count in ours.items():
            in_reference = min(1, theirs[gram] / count)
            right += count * (in_reference + (1 - in_reference) * entailed(gram))
        asked = sum(count * entailed(gram) for gram, count in theirs.items())
        found = sum(count * entailed(gram) * min(1, ours[gram] / count) for gram, count in theirs.items())
        precision += math.log(right / sum(ours.values()) or SMOOTHING) / 4
        recall += math.log((found / asked if asked else 1) or SMOOTHING) / 4
    of_table, of_reference = (
        sum(subsequence(field, words) / len(field) for field in table) / len(table) for words in (text, reference)
    )
    of_table = of_table or SMOOTHING
    return math.exp(precision), math.exp(recall * of_reference + math.log(of_table) * (1 - of_reference))


def test_as_the_formulas_written_out() -> None:
    chance = random.Random(4)
    for _ in range(50):
        text, reference = (["a", *chance.choices("abcdefgh", k=chance.randint(3, 9))] for _ in range(2))
        table = [["a"], *(chance.choices("abcdxyz", k=chance.randint(1, 5)) for _ in range(4))]
        found = parent(text, reference, table)
        assert (found.precision, found.recall) == pytest.approx(slow(text, reference, table))


def test_a_fields_words_are_given_in_their_order() -> None:
    assert given(["x", "a", "y", "c", "b"], [["a", "b", "c"]]) == pytest.approx(2 / 3)
    assert given(["x", "a", "y", "c", "b"], [["a", "b", "c"], ["z"]]) == pytest.approx(1 / 3)
    assert given(["a"] * 3, [["a"] * 500]) == pytest.approx(3 / 500)
