"""Distinct texts for rows: searches with word costs that depend on the row's id, and a choice among their texts.

A beam's hypotheses are nearly equal, and those of equal rows are the same. So each word gets a small random cost, drawn
from the row's id and columns, and the beams of different rows diverge. Texts are then compared by the model's own
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
AGAIN = 0.5  # nats; the penalty of a word in an earlier text of the row, unless it is a word of the items
MARGIN = 0.15  # nats per word that a text may be less likely than the likeliest of equal quality
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
    found = DEVIATION * torch.stack(drawn)
    for place, (row, texts) in enumerate(zip(rows, before, strict=True)):
        of_items = set(vocabulary.encode([word for name in row.agenda_tokens for word in name]))
        for one in texts:
            words = {
                token for token in one.tokens if token < len(vocabulary)
            } - of_items  # larger ids are copy candidates
            found[place, sorted(words)] += AGAIN
    found[:, : len(SPECIALS)] = 0
    return found


def in_order(
    found: Sequence[Hypothesis], plain: Sequence[Hypothesis], before: Sequence[Hypothesis], row: Prompt
) -> list[Hypothesis]:
    """Return the candidates for a row's next text, in an order that its id determines.

    First come the texts that are nearly as likely as the ``plain`` text and differ from the texts ``before``. Next are
    the near ones that differ less, the most different first, then the plain text, then those that are far less likely.
    """
    different = {tuple(one.tokens): one for one in found}
    for one in before:
        different.pop(tuple(one.tokens), None)
    least = max(map(_mean, plain), default=0.0) - MARGIN

    def key(one: Hypothesis) -> tuple[bool, float, int]:
        difference = min((_difference(one, other) for other in before), default=1.0)
        return _mean(one) < least, -min(difference, DIFFERENT), _seed(row.id, *one.tokens)

    ordered = sorted(different.values(), key=key)
    near = [one for one in ordered if _mean(one) >= least]
    return [*near, *(one for one in plain if one not in before), *ordered[len(near) :]]


def _mean(one: Hypothesis) -> float:
    return one.log_probability / (len(one.tokens) + one.finished)


def _difference(one: Hypothesis, other: Hypothesis) -> float:
    """Return the share of the words of two texts that the other lacks."""
    same = (Counter(one.tokens) & Counter(other.tokens)).total()
    return 1 - 2 * same / max(len(one.tokens) + len(other.tokens), 1)


def _seed(*parts: object) -> int:
    return int.from_bytes(hashlib.blake2b(repr(parts).encode(), digest_size=7).digest(), "big")
