"""The choice by consensus: by hand, and in the order of what a search gives back."""

from __future__ import annotations

import math

import pytest

from training.config import SearchConfig
from training.consensus import PRECISION, SHARPNESS, preferred
from training.hypothesis import Hypothesis

NO_ITEM = -1
BYE, THANK, YOU, GOOD = 10, 11, 12, 13


def text(*words: int, probability: float, finished: bool = True) -> Hypothesis:
    return Hypothesis(list(words), [NO_ITEM] * len(words), math.log(probability), [], finished, False)


def test_what_the_others_say_too_comes_before_what_is_likeliest() -> None:
    alone = text(GOOD, probability=0.4)
    shared = [text(THANK, YOU, BYE, probability=0.3), text(THANK, YOU, GOOD, probability=0.2)]
    found = [alone, *shared]
    assert preferred(found, SearchConfig(length_power=0))[0] is alone
    assert preferred(found, SearchConfig(length_power=0, consensus=6))[0] is shared[0]


def test_the_gain_is_that_of_the_paper_by_hand() -> None:
    """Texts of one word: the n-grams are the word, the end, and both together."""
    bye, good = text(BYE, probability=0.6), text(GOOD, probability=0.4)
    share = 1 / (1 + (0.4 / 0.6) ** SHARPNESS)

    def gain(held: float, references: float) -> float:
        seen = 1 - (1 - held) ** references
        return seen / PRECISION[0] - 1 + 1 / PRECISION[0] - 1 + seen / PRECISION[1] - 1

    assert gain(share, 2) > gain(1 - share, 2)
    assert preferred([good, bye], SearchConfig(consensus=2)) == [bye, good]
    # Where a text of both words gains more than either alone, by the same formula, it comes first.
    both = text(BYE, GOOD, probability=0.5)
    weights = {one: (p / 0.6) ** SHARPNESS for one, p in (("bye", 0.6), ("good", 0.4), ("both", 0.5))}
    total = sum(weights.values())
    held = {one: weight / total for one, weight in weights.items()}

    def seen(share: float) -> float:
        return 1 - (1 - share) ** 8

    of_both = (
        (seen(held["bye"] + held["both"]) + seen(held["good"] + held["both"]) + 1) / PRECISION[0]
        - 3
        + (seen(held["both"]) + seen(held["good"] + held["both"])) / PRECISION[1]
        - 2
        + seen(held["both"]) / PRECISION[2]
        - 1
    )
    of_bye = (seen(held["bye"] + held["both"]) + 1) / PRECISION[0] - 2 + seen(held["bye"]) / PRECISION[1] - 1
    assert of_both > of_bye
    assert preferred([bye, good, both], SearchConfig(consensus=8))[0] is both


def test_a_repeated_phrase_loses_and_an_unfinished_text_is_no_witness() -> None:
    once = text(THANK, YOU, BYE, probability=0.2)
    twice = text(THANK, YOU, THANK, YOU, BYE, probability=0.3)
    assert preferred([once, twice], SearchConfig(length_power=0))[0] is twice
    assert preferred([once, twice], SearchConfig(consensus=6))[0] is once
    cut = text(GOOD, GOOD, BYE, probability=0.9, finished=False)
    assert preferred([cut, once], SearchConfig(consensus=6))[0] is once
    assert preferred([cut], SearchConfig(consensus=6)) == [cut]


@pytest.mark.parametrize("consensus", [0.0, 6.0])
def test_equal_texts_come_in_an_order_of_their_own(consensus: float) -> None:
    found = [text(BYE, probability=0.5), text(GOOD, probability=0.5)]
    search = SearchConfig(consensus=consensus)
    assert preferred(found, search) == preferred(found[::-1], search)
