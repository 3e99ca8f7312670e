"""The weights of Checklist+ by a scripted search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from allsaid.decoding.group import Group
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


@dataclass(frozen=True)
class Script(Group):
    """Says an item if its weight is at least what the script asks for; remembers the weights it was given."""

    thresholds: dict[int, float]
    asked: list[list[list[float]]] = field(default_factory=list)

    def beam_search(self, prompts: Prompts, places: Sequence[int]) -> list[list[Hypothesis]]:
        weights = prompts.weights
        assert len(places) == len(weights)
        self.asked.append(weights.tolist())
        words = prompts.items[:, :, 0].tolist()
        return [
            [text(*(at for at, word in enumerate(row) if word != PAD and weight[at] >= self.thresholds.get(word, 1)))]
            for row, weight in zip(words, weights.tolist(), strict=True)
        ]


def script(thresholds: dict[int, float], items: list[list[int]]) -> Script:
    bundle: Any = None  # nothing is searched
    return Script(bundle, (), prompts(items), bundle, None, None, thresholds)


def test_missing_items_get_louder_until_they_are_said() -> None:
    group = script({6: 2, 7: 3}, [[5, 6, 7], [5, 5, PAD]])
    found = rewrite(group, 5)
    assert [one[0].used for one in found] == [[0, 1, 2], [0, 1]]
    # Only the first text is written again; what it has said by then keeps its weight.
    assert group.asked == [[[1, 1, 1], [1, 1, 1]], [[1, 2, 2]], [[1, 2, 3]]]


def test_a_round_without_gain_is_not_kept_and_ends_the_loop() -> None:
    group = script({6: 4}, [[5, 6]])
    found = rewrite(group, 5)
    assert found[0][0].used == [0]
    assert group.asked == [[[1, 1]], [[1, 2]]]


def test_rounds_are_bounded_and_none_is_the_plain_search() -> None:
    group = script({6: 2, 7: 3}, [[5, 6, 7]])
    assert rewrite(group, 0)[0][0].used == [0]
    assert rewrite(group, 1)[0][0].used == [0, 1]
    assert len(group.asked) == 3


def test_items_without_a_known_word_ask_for_no_round() -> None:
    group = script({UNKNOWN: 9}, [[5, UNKNOWN]])
    assert rewrite(group, 5)[0][0].used == [0]
    assert group.asked == [[[1, 1]]]
