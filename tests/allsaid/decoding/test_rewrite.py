"""The weights of Checklist+ by a scripted search."""

from __future__ import annotations

import torch

from allsaid.decoding.hypothesis import Hypothesis
from allsaid.decoding.rewrite import rewrite
from allsaid.modeling.data.agenda_arrays import Prompts
from allsaid.modeling.data.vocabulary import PAD, UNKNOWN


def text(*used: int) -> Hypothesis:
    return Hypothesis([9], [-1], -1.0, list(used), True, False)


def prompts(items: list[list[int]]) -> Prompts:
    """One word an item; PAD is filling."""
    words = torch.tensor(items).unsqueeze(2)
    mask = words[:, :, 0] != PAD
    return Prompts(torch.full((len(items), 1), 4), words, words, mask, torch.ones(mask.shape))


class Script:
    """Says an item if its weight is at least what the script asks for; remembers the weights it was given."""

    def __init__(self, thresholds: dict[int, float]) -> None:
        self.thresholds = thresholds
        self.asked: list[list[list[float]]] = []

    def __call__(self, given: Prompts, texts: list[int]) -> list[list[Hypothesis]]:
        weights = given.weights
        assert len(texts) == len(weights)
        self.asked.append(weights.tolist())
        words = given.items[:, :, 0].tolist()
        return [
            [text(*(at for at, word in enumerate(row) if word != PAD and weight[at] >= self.thresholds.get(word, 1)))]
            for row, weight in zip(words, weights.tolist(), strict=True)
        ]


def test_missing_items_get_louder_until_they_are_said() -> None:
    script = Script({6: 2, 7: 3})
    found = rewrite(script, prompts([[5, 6, 7], [5, 5, PAD]]), 5)
    assert [one[0].used for one in found] == [[0, 1, 2], [0, 1]]
    # Only the first text is written again; what it has said by then keeps its weight.
    assert script.asked == [[[1, 1, 1], [1, 1, 1]], [[1, 2, 2]], [[1, 2, 3]]]


def test_a_round_without_gain_is_not_kept_and_ends_the_loop() -> None:
    script = Script({6: 4})
    found = rewrite(script, prompts([[5, 6]]), 5)
    assert found[0][0].used == [0]
    assert script.asked == [[[1, 1]], [[1, 2]]]


def test_rounds_are_bounded_and_none_is_the_plain_search() -> None:
    script = Script({6: 2, 7: 3})
    assert rewrite(script, prompts([[5, 6, 7]]), 0)[0][0].used == [0]
    assert rewrite(script, prompts([[5, 6, 7]]), 1)[0][0].used == [0, 1]
    assert len(script.asked) == 3


def test_items_without_a_known_word_ask_for_no_round() -> None:
    script = Script({UNKNOWN: 9})
    assert rewrite(script, prompts([[5, UNKNOWN]]), 5)[0][0].used == [0]
    assert script.asked == [[[1, 1]]]
