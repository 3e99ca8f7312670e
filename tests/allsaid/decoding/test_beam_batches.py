"""A text is found alike alone, in any batch, and by any number of threads."""

from __future__ import annotations

import pytest
import torch
from random_models import MODELS, random_prompts

from allsaid.decoding.beam import beam_search
from allsaid.decoding.hypothesis import Hypothesis
from allsaid.modeling.config import SearchConfig
from allsaid.modeling.data.agenda_arrays import Prompts
from allsaid.modeling.data.shapes import by_shape
from allsaid.modeling.models import encdec
from allsaid.modeling.models.base.contract import Model
from allsaid.modeling.models.checklist import Checklist, Settings
from allsaid.modeling.models.encdec import EncDec


def test_a_text_is_found_alike_alone_and_in_a_batch() -> None:
    torch.manual_seed(5)
    model = Checklist(Settings(hidden=7, init=0.7), (13, 5, 6), torch.float64).double()
    items = torch.tensor([[[4, 5], [5, 0], [3, 0]], [[2, 0], [4, 0], [0, 0]], [[5, 4], [3, 0], [2, 0]]])
    mask = items.sum(2) > 0
    together = Prompts(torch.tensor([[3], [4], [2]]), items, items, mask, mask.double())
    options = SearchConfig(width=5, max_tokens=17, finished=5)
    found = beam_search(model, together, options)
    for row in range(3):
        alone = Prompts(*(value[row : row + 1] for value in vars(together).values()))
        (single,) = beam_search(model, alone, options)
        assert [one.tokens for one in single] == [one.tokens for one in found[row]]
        assert [one.items for one in single] == [one.items for one in found[row]]
        assert single[0].log_probability == pytest.approx(found[row][0].log_probability, rel=1e-9)
        assert len(single) >= 5
    assert found == beam_search(model, together, options)


@pytest.mark.parametrize("model", MODELS, ids=["checklist", "hard", "attention", "sclstm"])
def test_texts_do_not_depend_on_their_batch(model: Model) -> None:
    options = SearchConfig(max_tokens=12, finished=4, item_bonus=0.3, no_repeat_ngram=3)  # 20 texts of 10 hypotheses
    rows = random_prompts(14)

    def search(chosen: list[int]) -> list[list[Hypothesis]]:
        found: list[list[Hypothesis]] = [[] for _ in chosen]
        for places, group in by_shape([rows[row] for row in chosen]):
            for place, hypotheses in zip(places, beam_search(model, group, options), strict=True):
                found[place] = hypotheses
        return found

    together = search(list(range(14)))
    assert len({tuple(one[0].tokens) for one in together}) > 5
    shuffled = [9, 3, 13, 0, 7, 1, 12, 5, 2, 11, 4, 10, 6, 8]
    assert search(shuffled) == [together[row] for row in shuffled]
    assert search([5, 2, 8]) == [together[row] for row in (5, 2, 8)]
    for row in (0, 6, 13):
        assert search([row]) == [together[row]]


@pytest.mark.slow
def test_two_hundred_texts_are_found_alike_one_at_a_time() -> None:
    rows = random_prompts(200)
    options = SearchConfig(width=4, max_tokens=6, finished=4, search_batch=8)
    together: dict[int, list[Hypothesis]] = {}
    for places, group in by_shape(rows):
        together |= zip(places, beam_search(MODELS[0], group, options), strict=True)
    for row, prompt in enumerate(rows):
        ((_, alone),) = by_shape([prompt])
        assert beam_search(MODELS[0], alone, options) == [together[row]]


def test_slots_and_threads_change_no_bit() -> None:
    """A sum over the words takes the last rows in another order, unless these come in whole blocks."""
    torch.manual_seed(3)
    model = EncDec(encdec.Settings(hidden=16, init=0.9), (3000, 9, 11))
    ((_, group),) = by_shape(random_prompts(1) * 23)
    threads, found = torch.get_num_threads(), []
    for number in (1, 2):
        torch.set_num_threads(number)
        found.append(beam_search(model, group, SearchConfig(max_tokens=6)))
        assert torch.get_num_threads() == number
    torch.set_num_threads(threads)
    assert found[0] == found[1] == found[0][:1] * 23
