"""Rows whose texts differ: a taste for words that a row has by its id, and a choice among texts that are as good.

A beam's hypotheses are nearly equal, so that one search has little to choose from. Each word costs a row a little more
or less than the model says, drawn from the row's id and its columns, so that beams of different rows go different
ways; after that only what the model says counts. Nothing depends on values, nor on what is searched beside a row.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence

import torch
from torch import Tensor

from training.search.hypothesis import Hypothesis
from training.tasks.agenda import Prompt
from training.tasks.vocabulary import SPECIALS

TASTE = 1.0  # nats, the standard deviation of what words cost
MARGIN = 0.15  # nats a word that a text may be less likely than the likeliest that says as much
DIFFERENT = 1 / 3  # of the words of two texts of a row are not the same


def tastes(rows: Sequence[Prompt], words: int, number: int) -> Tensor:
    """(R, V) nats off for each word in the texts of some rows; ``number`` tells the searches of a row apart."""
    chance = torch.Generator()
    drawn = [
        torch.randn(words, generator=chance.manual_seed(_seed(row.id, number, *map(" ".join, row.agenda_tokens))))
        for row in rows
    ]
    found = TASTE * torch.stack(drawn)
    found[:, : len(SPECIALS)] = 0
    return found


def choose(good: Sequence[Hypothesis], row: Prompt, texts: int) -> list[Hypothesis]:
    """Texts of a row that are as good, in an order that its id decides; the first ones differ in their words."""
    likeliest = max(map(_mean, good))
    near = [one for one in good if _mean(one) >= likeliest - MARGIN]
    left = sorted(near, key=lambda one: _seed(row.id, *one.tokens))
    chosen: list[Hypothesis] = []
    for one in left:
        if len(chosen) < texts and all(_difference(one, other) >= DIFFERENT for other in chosen):
            chosen.append(one)
    return [*chosen, *(one for one in left if one not in chosen), *(one for one in good if one not in near)]


def _mean(one: Hypothesis) -> float:
    return one.log_probability / (len(one.tokens) + one.finished)


def _difference(one: Hypothesis, other: Hypothesis) -> float:
    """The share of the words of two texts that the other lacks."""
    same = (Counter(one.tokens) & Counter(other.tokens)).total()
    return 1 - 2 * same / max(len(one.tokens) + len(other.tokens), 1)


def _seed(*parts: object) -> int:
    return int.from_bytes(hashlib.blake2b(repr(parts).encode(), digest_size=7).digest(), "big")
