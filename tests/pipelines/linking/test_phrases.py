"""word2phrase: the score, the order of joining, and parity with gensim."""

from __future__ import annotations

from collections import Counter

import pytest
from gensim.models.phrases import Phrases

from pipelines.linking.phrases import Counts, choose, count, join, merge, passes, score
from schemas.phrase import Phrase

NAMES = (
    [["olive", "oil"]] * 14
    + [["extra", "virgin", "olive", "oil"]] * 7
    + [["onion"]] * 30
    + [["red", "onion"]] * 5
    + [["oil"]] * 6
    + [["flour"]] * 20
    + [["baking", "powder"]] * 9
    + [["chili", "powder"]] * 3
)


def gensim_score(
    worda_count: int, wordb_count: int, bigram_count: int, len_vocab: int, min_count: int, corpus_word_count: int
) -> float:
    return (bigram_count - min_count) * corpus_word_count / (worda_count * wordb_count)


def test_score() -> None:
    assert score(pair_count=11, first_count=20, second_count=30, words=600, min_count=5) == pytest.approx(6.0)


def test_same_phrases_and_scores_as_gensim() -> None:
    theirs = Phrases(NAMES, min_count=2, threshold=1.5, scoring=gensim_score, max_vocab_size=10**6)
    ours = choose(count(NAMES), threshold=1.5, min_count=2, step=1)
    assert {f"{row.first}_{row.second}": pytest.approx(row.score) for row in ours} == theirs.export_phrases()
    assert len(ours) == 6
    table = passes(ours)
    assert [merge(name, table) for name in NAMES] == [theirs[name] for name in NAMES]


def test_second_pass_as_gensim() -> None:
    first = Phrases(NAMES, min_count=2, threshold=1.5, scoring=gensim_score)
    second = Phrases([first[name] for name in NAMES], min_count=2, threshold=1.5, scoring=gensim_score)
    one = choose(count(NAMES), 1.5, 2, step=1)
    two = choose(count(merge(name, passes(one)) for name in NAMES), 1.5, 2, step=2)
    assert [merge(name, passes(one + two)) for name in NAMES] == [second[first[name]] for name in NAMES]
    assert merge(["extra", "virgin", "olive", "oil"], passes(one + two)) == ["extra_virgin_olive_oil"]


def test_no_pair_spans_two_ingredients() -> None:
    counts = count([["salt"], ["black", "pepper"], ["salt"], ["black", "pepper"]])
    assert counts.pairs == {("black", "pepper"): 2}
    assert counts.total == 6


def test_the_total_may_exceed_the_counted_words() -> None:
    counts = Counts(Counter(a=4, b=5), Counter({("a", "b"): 4}), total=100)
    assert choose(counts, 1, 1, step=1) == [Phrase(1, "a", "b", 4, 4, 5, 100, pytest.approx(15.0))]


def test_joining_goes_from_left_to_right_and_uses_a_word_once() -> None:
    pairs = frozenset({("a", "b"), ("b", "c"), ("c", "d")})
    assert join(["a", "b", "c", "d", "e"], [pairs]) == [[0, 1], [2, 3], [4]]
    assert merge(["b", "b", "c"], [pairs]) == ["b", "b_c"]
    assert merge([], [pairs]) == []


def test_the_table_is_ordered_by_score_then_spelling() -> None:
    rows = choose(count([["a", "b"], ["c", "d"], ["e", "f"], ["e", "f"]] * 3), 0, 1, step=1)
    assert [(row.first, row.second) for row in rows] == [("a", "b"), ("c", "d"), ("e", "f")]
