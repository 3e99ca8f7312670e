"""Rows whose texts differ: searches by a taste for words that a row has by its id, and a choice among their texts.

A beam's hypotheses are nearly equal, and those of equal rows are the same. Each word costs a row a little more or less
than the model says, drawn from the row's id and its columns, so that beams of different rows go different ways; after
that only what the model says counts. Nothing depends on values, nor on what is searched beside a row. Several texts of
a row are searched one after another, each with the words of those before at a price (diverse beam search, Vijayakumar
et al. 2018, section 3, whose groups are searched at once).
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

SEARCHES = 2  # of a row by tastes, for each of its texts
TASTE = 1.0  # nats, the standard deviation of what words cost
AGAIN = 0.5  # nats off for a word of a text of the same row, but those of its items
MARGIN = 0.15  # nats a word that a text may be less likely than the likeliest that says as much
DIFFERENT = 1 / 3  # of the words of two texts of a row are not the same


def tastes(
    rows: Sequence[Prompt], vocabulary: Vocabulary, number: int, before: Sequence[Sequence[Hypothesis]]
) -> Tensor:
    """(R, V) nats off for each word in the texts of R rows.

    number: tells the searches of a row apart; before: the texts that each row has already.
    """
    chance = torch.Generator()
    drawn = [
        torch.randn(
            len(vocabulary), generator=chance.manual_seed(_seed(row.id, number, *map(" ".join, row.agenda_tokens)))
        )
        for row in rows
    ]
    found = TASTE * torch.stack(drawn)
    for place, (row, texts) in enumerate(zip(rows, before, strict=True)):
        of_items = set(vocabulary.encode([word for name in row.agenda_tokens for word in name]))
        for one in texts:
            words = {token for token in one.tokens if token < len(vocabulary)} - of_items  # behind it: the row's own
            found[place, sorted(words)] += AGAIN
    found[:, : len(SPECIALS)] = 0
    return found


def in_order(
    found: Sequence[Hypothesis], plain: Sequence[Hypothesis], before: Sequence[Hypothesis], row: Prompt
) -> list[Hypothesis]:
    """What a row's next text is chosen from, in an order that its id decides.

    First those that are nearly as likely as the ``plain`` text and differ from the texts ``before`` it, then the near
    ones that differ less, the most different first, then the plain text, then those that are far less likely.
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
    """The share of the words of two texts that the other lacks."""
    same = (Counter(one.tokens) & Counter(other.tokens)).total()
    return 1 - 2 * same / max(len(one.tokens) + len(other.tokens), 1)


def _seed(*parts: object) -> int:
    return int.from_bytes(hashlib.blake2b(repr(parts).encode(), digest_size=7).digest(), "big")
