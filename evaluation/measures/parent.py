"""PARENT of a text for its reference and its table (Dhingra et al. 2019, section 3), by word overlap.

An n-gram of the text is correct if the reference has it; otherwise it is correct to the share of its words that are in
the table. An n-gram of the reference is required to the share of its words that are in the table, so a text need not
state what the table does not know. Recall also requires the table's fields, by the longest common subsequence of each
field with the text. The weight of this part is 1 minus the share of the fields that the reference states (the paper's
heuristic).

As in the authors' code, which gave the paper's figures, values count as words of the table and names of fields do not.
So are the rules for empty cases: if no n-gram is required, recall is 1; a precision of 0 for n > 1 and a recall of 0
are replaced by SMOOTHING; n is at most 4.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Sequence

from evaluation.measures.overlap import Agreement, common_subsequence, ngrams, places_of

ORDER = 4
SMOOTHING = 1e-5


def parent(text: Sequence[str], reference: Sequence[str], table: Sequence[Sequence[str]]) -> Agreement:
    """Return the PARENT of a text's tokens; a corpus has the mean over its texts.

    ``table``: the tokens of each of its M > 0 fields, in the same letter case as text and reference.
    """
    known = {word for field in table for word in field}
    precisions, recalls = zip(*(_by_order(text, reference, known, order) for order in range(1, ORDER + 1)), strict=True)
    weight = 1 - given(reference, table)
    recall = (_mean(recalls) or SMOOTHING) ** (1 - weight) * (given(text, table) or SMOOTHING) ** weight
    return Agreement(_mean(precisions), recall)


def _by_order(text: Sequence[str], reference: Sequence[str], known: Collection[str], order: int) -> tuple[float, float]:
    """Return the precision of the n-grams, and their recall of the reference alone."""
    ours, theirs = Counter(ngrams(text, order)), Counter(ngrams(reference, order))
    in_table = {gram: sum(word in known for word in gram) / order for gram in ours | theirs}
    correct = required = stated = 0.0
    for gram, count in ours.items():
        shared = min(count, theirs[gram])
        correct += shared + (count - shared) * in_table[gram]
    for gram, count in theirs.items():
        required += count * in_table[gram]
        stated += min(count, ours[gram]) * in_table[gram]
    return correct / max(ours.total(), 1), stated / required if required else 1.0


def _mean(shares: Sequence[float]) -> float:
    """Return the geometric mean over n; 0 if no single word is correct."""
    return math.prod(share or SMOOTHING for share in shares) ** (1 / len(shares)) if shares[0] else 0.0


def given(text: Sequence[str], table: Sequence[Sequence[str]]) -> float:
    """Return the share of each field that a text states, averaged over the fields (0 to 1)."""
    places = places_of(text)
    return math.fsum(common_subsequence(field, places) / len(field) for field in table) / len(table)
