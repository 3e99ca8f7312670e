"""The choice by consensus: by hand, and in the order of what a search gives back."""

from __future__ import annotations

import math

import pytest

from training.config import SearchConfig
from training.search.consensus import RECALL, SCATTERED, SHARPNESS, preferred
from training.search.hypothesis import Hypothesis

NO_ITEM = -1
BYE, THANK, YOU, GOOD = 10, 11, 12, 13


def text(*words: int, probability: float, finished: bool = True) -> Hypothesis:
    return Hypothesis(list(words), [NO_ITEM] * len(words), math.log(probability), [], finished, False)


def test_what_the_others_say_too_comes_before_what_is_likeliest() -> None:
    alone = text(GOOD, probability=0.4)
    shared = [text(THANK, YOU, BYE, probability=0.3), text(THANK, YOU, GOOD, probability=0.2)]
    found = [alone, *shared]
    assert preferred(found, SearchConfig(length_power=0))[0] is alone
    assert preferred(found, SearchConfig(length_power=0, consensus=8))[0] is shared[0]


def likeness(matches: int, runs: int, written: int, asked: int) -> float:
    precision, recall = matches / written, matches / asked
    return precision * recall / (RECALL * precision + (1 - RECALL) * recall) * (1 - SCATTERED * runs / matches)


def test_the_order_is_that_of_the_likeness_to_the_best_of_several_references_by_hand() -> None:
    """Each text ends with a word of its own kind, the end; so two texts share that at least."""
    found = [text(BYE, probability=0.5), text(THANK, YOU, probability=0.3), text(YOU, BYE, probability=0.2)]
    weights = [(one / 0.5) ** SHARPNESS for one in (0.5, 0.3, 0.2)]
    first, second, third = (weight / sum(weights) for weight in weights)

    def of_three(draws: int) -> list[float]:
        same = [likeness(size, 1, size, size) for size in (2, 3, 3)]
        # Of "bye" and "thank you" only the end matches; of "bye" and "you bye" two words side by side; of "thank you"
        # and "you bye" two words, apart.
        bye = [(likeness(1, 1, 2, 3), second), (likeness(2, 1, 2, 3), third), (same[0], first)]
        thank = [(likeness(1, 1, 3, 2), first), (likeness(2, 2, 3, 3), third), (same[1], second)]
        you = [(likeness(2, 2, 3, 3), second), (likeness(2, 1, 3, 2), first), (same[2], third)]
        means = []
        for pairs in (bye, thank, you):
            (low, a), (middle, b), (high, _) = sorted(pairs)
            means.append(low * a**draws + middle * ((a + b) ** draws - a**draws) + high * (1 - (a + b) ** draws))
        return means

    orders = set()
    for draws in (1, 8):
        means = of_three(draws)
        order = sorted(range(3), key=lambda place: -means[place])
        assert preferred(found, SearchConfig(consensus=draws)) == [found[place] for place in order]
        orders.add(tuple(order))
    assert len(orders) == 2  # the number of references matters


def test_an_unfinished_text_is_no_witness() -> None:
    once = text(THANK, YOU, BYE, probability=0.2)
    cut = text(GOOD, GOOD, BYE, probability=0.9, finished=False)
    assert preferred([cut, once], SearchConfig(consensus=8))[0] is once
    assert preferred([cut], SearchConfig(consensus=8)) == [cut]


@pytest.mark.parametrize("consensus", [0.0, 8.0])
def test_equal_texts_come_in_an_order_of_their_own(consensus: float) -> None:
    found = [text(BYE, probability=0.5), text(GOOD, probability=0.5)]
    search = SearchConfig(consensus=consensus)
    assert preferred(found, search) == preferred(found[::-1], search)
