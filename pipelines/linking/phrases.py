"""word2phrase (Mikolov et al. 2013) over ingredient lists: count, score, choose, apply.

The paper ran it on the training part's ingredients to make one token of a multi-word name. Beam sums the counts;
everything here is a plain function, so that a raw agenda is joined by the same code.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from schemas.example import PHRASE_JOINER
from schemas.phrase import Phrase

Pair = tuple[str, str]
Pass = frozenset[Pair]  # the pairs that one pass joins


@dataclass
class Counts:
    """The counts of words and pairs in a set of names, as one pass needs them."""

    words: Counter[str]
    pairs: Counter[Pair]
    total: int  # number of words; ``words`` may lack the rare ones


def count(names: Iterable[Sequence[str]]) -> Counts:
    """Count words and adjacent pairs; each name is counted by itself, so that no pair spans two ingredients."""
    words: Counter[str] = Counter()
    pairs: Counter[Pair] = Counter()
    for name in names:
        words.update(name)
        pairs.update(pairwise(name))
    return Counts(words, pairs, words.total())


def score(pair_count: int, first_count: int, second_count: int, words: int, min_count: int) -> float:
    """Return (count(ab) - min) * N / (count(a) * count(b)), with N the number of words."""
    return (pair_count - min_count) / first_count / second_count * words


def choose(counts: Counts, threshold: float, min_count: int, step: int) -> list[Phrase]:
    """Return the pairs of a pass whose score is above the threshold, best first."""
    chosen = []
    for pair, number in counts.pairs.items():
        if number > min_count:
            first, second = (counts.words[word] for word in pair)
            value = score(number, first, second, counts.total, min_count)
            if value > threshold:
                chosen.append(Phrase(step, *pair, number, first, second, counts.total, value))
    return sorted(chosen, key=order)


def order(phrase: Phrase) -> tuple[int, float, str, str]:
    """Return the sort key of the phrase table: by pass, best score first, then by spelling."""
    return phrase.step, -phrase.score, phrase.first, phrase.second


def passes(table: Iterable[Phrase]) -> list[Pass]:
    """Return the pairs of each pass, in the order of the passes."""
    by_step: dict[int, set[Pair]] = {}
    for phrase in table:
        by_step.setdefault(phrase.step, set()).add((phrase.first, phrase.second))
    return [frozenset(by_step[step]) for step in sorted(by_step)]


def join(words: Sequence[str], table: Sequence[Pass]) -> list[list[int]]:
    """Return the positions of ``words``, grouped by the token that they form.

    Like word2phrase: from left to right, a word that ends a pair begins no other in the same pass.
    """
    groups = [[position] for position in range(len(words))]
    tokens = list(words)
    for pairs in table:
        groups, tokens = _join_once(groups, tokens, pairs)
    return groups


def _join_once(groups: list[list[int]], tokens: list[str], pairs: Pass) -> tuple[list[list[int]], list[str]]:
    new_groups: list[list[int]] = []
    new_tokens: list[str] = []
    position = 0
    while position < len(tokens):
        if position + 1 < len(tokens) and (tokens[position], tokens[position + 1]) in pairs:
            new_groups.append(groups[position] + groups[position + 1])
            new_tokens.append(tokens[position] + PHRASE_JOINER + tokens[position + 1])
            position += 2
        else:
            new_groups.append(groups[position])
            new_tokens.append(tokens[position])
            position += 1
    return new_groups, new_tokens


def merge(words: Sequence[str], table: Sequence[Pass]) -> list[str]:
    """Return ``words`` with their phrases joined: ``olive oil`` -> ``olive_oil``."""
    return [PHRASE_JOINER.join(words[position] for position in group) for group in join(words, table)]
