"""Choosing among finished texts by what they agree on: minimum Bayes risk under BLEU (Kumar and Byrne, NAACL 2004)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from training.hypothesis import Hypothesis

ORDER = 4  # n-grams up to this length, as BLEU-4


def by_consensus(hypotheses: Sequence[Hypothesis]) -> list[Hypothesis]:
    """Hypotheses of one text, best first by their rank -> the same, equals in items by expected gain.

    The gain of a text is its mean BLEU against the others, each weighted by its probability.
    """
    ordered: list[Hypothesis] = []
    for _, group in groupby(hypotheses, key=lambda one: one.rank[:3]):
        equals = list(group)
        most = max(one.log_probability for one in equals)
        weights = [math.exp(one.log_probability - most) for one in equals]
        counts = [_ngrams(one.tokens) for one in equals]
        gains = [
            sum(weight * _bleu(own, other) for weight, other in zip(weights, counts, strict=True)) for own in counts
        ]
        order = sorted(range(len(equals)), key=lambda place: (-gains[place], equals[place].rank))
        ordered += [equals[place] for place in order]
    return ordered


def _ngrams(tokens: Sequence[int]) -> list[Counter[tuple[int, ...]]]:
    return [
        Counter(tuple(tokens[start : start + size]) for start in range(len(tokens) - size + 1))
        for size in range(1, ORDER + 1)
    ]


def _bleu(text: Sequence[Counter[tuple[int, ...]]], reference: Sequence[Counter[tuple[int, ...]]]) -> float:
    """BLEU of one text against one other, a one added to counts of two words and more (Lin and Och 2004)."""
    logs = 0.0
    for size, (ours, theirs) in enumerate(zip(text, reference, strict=True)):
        added = float(size > 0)
        matched, said = (ours & theirs).total() + added, ours.total() + added
        if not matched:
            return 0.0
        logs += math.log(matched / said) / ORDER
    shorter = 1 - reference[0].total() / max(text[0].total(), 1)
    return math.exp(logs + min(shorter, 0.0))
