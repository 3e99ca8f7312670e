"""PARENT of a text beside its reference and its table (Dhingra et al. 2019, section 3), by word overlap.

An n-gram of the text is right as far as the reference has it or, where it has not, as far as its words stand in the
table; one of the reference is asked for as far as its words stand in the table. So what no table could tell is neither
asked for nor excused. Recall also asks for the table's fields, by the longest common subsequence of each with the text:
its weight is 1 less the share of the fields that the reference itself gives, the paper's heuristic.

Values count as words of the table and the names of fields don't, as in the authors' code, which gave the paper's
figures. Theirs are also the rules for what is missing: the recall of n-grams that nothing asks for is 1; a precision
of 0 for n from 2 on, and a recall of 0, are taken as SMOOTHING; n is up to 4.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Sequence

from evaluation.measures.ngrams import Agreement, ngrams

ORDER = 4
SMOOTHING = 1e-5


def parent(text: Sequence[str], reference: Sequence[str], table: Sequence[Sequence[str]]) -> Agreement:
    """Precision, recall and F of a text's tokens; a corpus has the mean of its texts'.

    ``table``: the tokens of each of its M > 0 fields, in the same letter case as text and reference.
    """
    known = {word for field in table for word in field}
    precisions, recalls = zip(*(_by_order(text, reference, known, order) for order in range(1, ORDER + 1)), strict=True)
    weight = 1 - given(reference, table)
    recall = (_mean(recalls) or SMOOTHING) ** (1 - weight) * (given(text, table) or SMOOTHING) ** weight
    return Agreement(_mean(precisions), recall)


def _by_order(text: Sequence[str], reference: Sequence[str], known: Collection[str], order: int) -> tuple[float, float]:
    """Precision, and recall beside the reference alone, of n-grams."""
    ours, theirs = Counter(ngrams(text, order)), Counter(ngrams(reference, order))
    overlap = {gram: sum(word in known for word in gram) / order for gram in ours | theirs}
    right = asked = found = 0.0
    for gram, count in ours.items():
        shared = min(count, theirs[gram])
        right += shared + (count - shared) * overlap[gram]
    for gram, count in theirs.items():
        asked += count * overlap[gram]
        found += min(count, ours[gram]) * overlap[gram]
    return right / max(ours.total(), 1), found / asked if asked else 1.0


def _mean(shares: Sequence[float]) -> float:
    """The geometric mean over n; 0 where not even a word is right."""
    return math.prod(share or SMOOTHING for share in shares) ** (1 / len(shares)) if shares[0] else 0.0


def given(text: Sequence[str], table: Sequence[Sequence[str]]) -> float:
    """How much of the table's fields a text gives, from 0 to 1: the mean over them."""
    places: dict[str, int] = {}
    for place, word in enumerate(text):
        places[word] = places.get(word, 0) | 1 << place
    return math.fsum(_in_common(field, places, len(text)) / len(field) for field in table) / len(table)


def _in_common(field: Sequence[str], places: dict[str, int], length: int) -> int:
    """The length of the longest common subsequence of a field and a text, whose words' ``places`` are bits.

    Hyyrö 2004: the bits of ``row`` that are 0 are the text's places where a subsequence grows by one.
    """
    row = every = (1 << length) - 1
    for word in field:
        shared = row & places.get(word, 0)
        row = (row + shared | row - shared) & every
    return length - row.bit_count()
