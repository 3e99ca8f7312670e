"""A model so small that every text it can write is known: the next word by the text and the word before."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from allsaid.decoding.hypothesis import Hypothesis
from allsaid.modeling.config import SearchConfig
from allsaid.modeling.data.agenda_arrays import Prompts
from allsaid.modeling.data.vocabulary import END, PAD, START
from allsaid.modeling.layers.projection import scores_of
from allsaid.modeling.layers.scores import Scores
from allsaid.modeling.models.base.contract import Items, PerHypothesis, PerText, State
from schemas.example import NO_ITEM

A, B, C = 4, 5, 6  # the words of the scripted models


@dataclass(frozen=True)
class ScriptedState(State):
    item: PerHypothesis
    is_new: PerHypothesis
    text: PerHypothesis
    names: PerText


class Scripted:
    """Knows the next word's probabilities and item by the text and the word before only."""

    def __init__(
        self,
        probabilities: list[dict[int, dict[int, float]]],
        items: dict[int, tuple[int, bool]],
        names: list[list[int]],
    ) -> None:
        self.table = torch.zeros(len(probabilities), 7, 7)
        for text, rows in enumerate(probabilities):
            for before, row in rows.items():
                for word, probability in row.items():
                    self.table[text, before, word] = probability
        self.item_after = torch.tensor([items.get(word, (NO_ITEM, False))[0] for word in range(7)])
        self.is_new_after = torch.tensor([items.get(word, (NO_ITEM, False))[1] for word in range(7)])
        self.names = torch.tensor(names)

    def start(self, prompts: Prompts) -> ScriptedState:
        nothing = torch.full_like(prompts.goal[:, 0], NO_ITEM)
        names = self.names.expand(len(nothing), *self.names.shape)
        return ScriptedState(nothing, nothing != NO_ITEM, prompts.goal[:, 0], names)

    def step(self, state: ScriptedState, tokens: Tensor) -> tuple[Scores, ScriptedState]:
        following = replace(state, item=self.item_after[tokens], is_new=self.is_new_after[tokens])
        return scores_of(self.table[state.text, tokens].log()), following

    def items_of(self, state: ScriptedState) -> Items:
        return Items(state.item, state.is_new, state.names)


def prompts(texts: int, items: int = 3) -> Prompts:
    nothing = torch.zeros(texts, items, 1, dtype=torch.long)
    mask = torch.ones(texts, items, dtype=torch.bool)
    return Prompts(torch.arange(texts).unsqueeze(1), nothing, nothing, mask, mask.float())


NO_NAMES = [[PAD]] * 3


def every_text(model: Scripted, text: int, longest: int) -> list[Hypothesis]:
    """All finished texts of at most ``longest`` words with their ends, by the slow way."""
    found = []
    for words in itertools.chain.from_iterable(itertools.product((A, B, C), repeat=n) for n in range(1, longest)):
        steps = list(itertools.pairwise((START, *words, END)))
        probability = math.prod(float(model.table[text, before, word]) for before, word in steps)
        if probability == 0:
            continue
        items = [int(model.item_after[before]) for before, _ in steps]
        new = [bool(model.is_new_after[before]) for before, _ in steps[:-1]]
        used = sorted({item for item, is_new in zip(items, new, strict=False) if is_new})
        double = any(one != NO_ITEM and other != NO_ITEM for one, other in itertools.pairwise(items))
        found.append(Hypothesis(list(words), items[:-1], math.log(probability), used, True, double))
    return sorted(found, key=lambda one: one.rank(SearchConfig()))
