"""Which of several good texts a row has, and what makes rows' searches differ."""

from dataclasses import replace

import pytest
import torch
from small_catalogue import make_text

from schemas.example import NO_ITEM
from training.search.hypothesis import Hypothesis
from training.search.variety import DIFFERENT, MARGIN, choose, tastes

ROWS = [replace(make_text("", ["name", "price"]), id=str(number)) for number in range(20)]


def hypothesis(tokens: list[int], mean: float) -> Hypothesis:
    return Hypothesis(tokens, [NO_ITEM] * len(tokens), mean * (len(tokens) + 1), [], True, False)


GOOD = [hypothesis([5, 6, 7, first], -1 - 0.01 * first) for first in range(8, 12)]


def test_the_id_chooses_among_texts_that_are_nearly_as_likely() -> None:
    unlikely = hypothesis([9, 9], -1.1 - 2 * MARGIN)
    first = [choose([*GOOD, unlikely], row, 1)[0].tokens for row in ROWS]
    assert len(set(map(tuple, first))) > 2
    assert all(choose([*GOOD, unlikely], row, 1)[-1] == unlikely for row in ROWS)
    assert first == [choose([unlikely, *reversed(GOOD)], row, 1)[0].tokens for row in ROWS]


def test_the_first_texts_of_a_row_differ_in_a_third_of_their_words() -> None:
    other = hypothesis([5, 16, 17, 18], -1.0)
    for row in ROWS:
        one, two, *rest = choose([*GOOD, other], row, 2)
        assert other in (one, two) and len(rest) == 3
        assert len({*one.tokens} & {*two.tokens}) / 4 <= 1 - DIFFERENT


def test_a_taste_depends_on_the_row_the_search_and_no_value() -> None:
    alone = tastes([ROWS[3]], 30, 0)[0]
    assert torch.equal(alone, tastes(ROWS, 30, 0)[3])
    dearer = replace(ROWS[3], agenda=["name=some name", "price=another price"])
    assert torch.equal(alone, tastes([dearer], 30, 0)[0])
    assert not torch.equal(alone, tastes([ROWS[3]], 30, 1)[0])
    assert not torch.equal(alone, tastes([ROWS[4]], 30, 0)[0])
    assert alone.mean().item() == pytest.approx(0, abs=0.5)
