"""Which of several good texts a row has, and what makes rows' searches differ."""

from dataclasses import replace

import pytest
import torch
from small_catalogue import make_text

from allsaid.decoding.hypothesis import Hypothesis
from allsaid.decoding.variety import AGAIN, MARGIN, in_order, word_costs
from allsaid.modeling.data.vocabulary import SPECIALS, Vocabulary
from schemas.example import NO_ITEM

ROWS = [replace(make_text("", ["name", "price"]), id=str(number)) for number in range(20)]
WORDS = Vocabulary((*SPECIALS, *(word for name in ROWS[0].agenda_tokens for word in name), *"abcdefghijklmnopqrst"))


def hypothesis(tokens: list[int], mean: float) -> Hypothesis:
    return Hypothesis(tokens, [NO_ITEM] * len(tokens), mean * (len(tokens) + 1), [], True, False)


GOOD = [hypothesis([5, 6, 7, first], -1 - 0.01 * first) for first in range(8, 12)]
PLAIN = hypothesis([5, 6, 7, 7], -1.05)


def test_the_id_orders_nearly_equal_texts() -> None:
    unlikely = hypothesis([9, 9], -1.1 - 2 * MARGIN)
    found = [in_order([*GOOD, unlikely], [PLAIN], [], row) for row in ROWS]
    assert len({tuple(texts[0].tokens) for texts in found}) > 2
    assert all(texts[-2:] == [PLAIN, unlikely] for texts in found)
    assert found == [in_order([unlikely, *reversed(GOOD)], [PLAIN], [], row) for row in ROWS]


def test_the_next_text_differs_in_a_third_of_its_words() -> None:
    other, middling = hypothesis([5, 16, 17, 18], -1.0), hypothesis([5, 6, 17, 10, 19], -1.0)
    for row in ROWS:
        ordered = in_order([*GOOD, middling, other], [PLAIN], [GOOD[0]], row)
        assert {tuple(one.tokens) for one in ordered[:2]} == {tuple(other.tokens), tuple(middling.tokens)}
        assert GOOD[0] not in ordered and ordered[-1] == PLAIN
        assert in_order([*GOOD, middling], [PLAIN], [other, GOOD[0]], row)[0] == middling


def test_a_taste_depends_on_the_row_the_search_and_no_value() -> None:
    alone = word_costs([ROWS[3]], WORDS, 0, [[]])[0]
    assert torch.equal(alone, word_costs(ROWS, WORDS, 0, [[]] * len(ROWS))[3])
    dearer = replace(ROWS[3], agenda=["name=some name", "price=another price"])
    assert torch.equal(alone, word_costs([dearer], WORDS, 0, [[]])[0])
    assert not torch.equal(alone, word_costs([ROWS[3]], WORDS, 1, [[]])[0])
    assert not torch.equal(alone, word_costs([ROWS[4]], WORDS, 0, [[]])[0])
    assert alone.mean().item() == pytest.approx(0, abs=0.5)


def test_words_of_earlier_texts_cost_more_except_items() -> None:
    item, word = WORDS.encode([ROWS[0].agenda_tokens[0][-1], "c"])
    before = [hypothesis([item, word, word], -1.0)]
    dearer = word_costs(ROWS[:1], WORDS, 0, [before]) - word_costs(ROWS[:1], WORDS, 0, [[]])
    assert dearer.nonzero().tolist() == [[0, word]] and dearer[0, word].item() == pytest.approx(AGAIN)
