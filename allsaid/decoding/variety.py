"""Distinct texts for rows: searches with word costs that depend on the row's id, and a choice among their texts.

A beam's hypotheses are nearly equal, and equal rows have the same hypotheses. So each word gets a small random cost,
drawn from the row's id and columns, and the beams of different rows diverge. Texts are then compared by the model's own
probabilities. Nothing depends on values, nor on the rows that are searched together.

Several texts of a row are searched one after another, with a penalty on the words of earlier texts. (Diverse beam
search, Vijayakumar et al. 2018, section 3, searches its groups at once.)
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence

import torch
from torch import Tensor

from allsaid.decoding.hypothesis import Hypothesis
from allsaid.modeling.data.agenda_arrays import Prompt
from allsaid.modeling.data.vocabulary import SPECIALS, Vocabulary

SEARCHES = 2  # perturbed searches of a row for each of its texts
DEVIATION = 1.0  # nats, the standard deviation of the word costs
AGAIN = 0.5  # nats; penalty of a word that an earlier text of the row has, unless it is in an item's name
MARGIN = 0.15  # a text may be less likely than the likeliest one of equal quality by this many nats per word
DIFFERENT = 1 / 3  # share of words that should differ between two texts of a row


def word_costs(
    rows: Sequence[Prompt], vocabulary: Vocabulary, number: int, before: Sequence[Sequence[Hypothesis]]
) -> Tensor:
    """Return the extra cost in nats (R, V) of each word in the texts of R rows.

    number: distinguishes the searches of a row; before: the earlier texts of each row.
    """
    generator = torch.Generator()
    drawn = [
        torch.randn(
            len(vocabulary), generator=generator.manual_seed(_seed(row.id, number, *map(" ".join, row.agenda_tokens)))
        )
        for row in rows
    ]
    costs = DEVIATION * torch.stack(drawn)
    for index, (row, texts) in enumerate(zip(rows, before, strict=True)):
        of_items = set(vocabulary.encode([word for name in row.agenda_tokens for word in name]))
        for hypothesis in texts:
            words = {
                token for token in hypothesis.tokens if token < len(vocabulary)
            } - of_items  # larger ids are copy candidates
            costs[index, sorted(words)] += AGAIN
    costs[:, : len(SPECIALS)] = 0
    return costs


def in_order(
    candidates: Sequence[Hypothesis], plain: Sequence[Hypothesis], before: Sequence[Hypothesis], row: Prompt
) -> list[Hypothesis]:
    """Return the candidates for a row's next text, in an order that its id determines.

    1. Texts nearly as likely as the ``plain`` text that differ enough from the texts ``before``.
    2. Other texts nearly as likely, the most different first.
    3. The plain text.
    4. Less likely texts.
    """
    distinct = {tuple(hypothesis.tokens): hypothesis for hypothesis in candidates}
    for hypothesis in before:
        distinct.pop(tuple(hypothesis.tokens), None)
    least = max(map(_mean, plain), default=0.0) - MARGIN

    def key(hypothesis: Hypothesis) -> tuple[bool, float, int]:
        difference = min((_difference(hypothesis, other) for other in before), default=1.0)
        return _mean(hypothesis) < least, -min(difference, DIFFERENT), _seed(row.id, *hypothesis.tokens)

    ordered = sorted(distinct.values(), key=key)
    likely = [hypothesis for hypothesis in ordered if _mean(hypothesis) >= least]
    return [*likely, *(hypothesis for hypothesis in plain if hypothesis not in before), *ordered[len(likely) :]]


def _mean(hypothesis: Hypothesis) -> float:
    return hypothesis.log_probability / (len(hypothesis.tokens) + hypothesis.finished)


def _difference(hypothesis: Hypothesis, other: Hypothesis) -> float:
    """Return the share of the words in two texts that are not in both."""
    same = (Counter(hypothesis.tokens) & Counter(other.tokens)).total()
    return 1 - 2 * same / max(len(hypothesis.tokens) + len(other.tokens), 1)


def _seed(*parts: object) -> int:
    return int.from_bytes(hashlib.blake2b(repr(parts).encode(), digest_size=7).digest(), "big")
