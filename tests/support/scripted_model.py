"""A model so small that every text it can write is known: the next word by the text and the word before."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from schemas.example import NO_ITEM
from training.config import SearchConfig
from training.search.hypothesis import Hypothesis
from training.tasks.agenda import Prompts
from training.tasks.vocabulary import END, PAD, START

A, B, C = 4, 5, 6  # the words of the scripted models


@dataclass(frozen=True)
class ScriptedState:
    text: Tensor  # (B · n,)
    item: Tensor
    is_new: Tensor
    names: Tensor

    def select(self, rows: Tensor) -> ScriptedState:
        return replace(self, text=self.text[rows], item=self.item[rows], is_new=self.is_new[rows])

    def keep(self, texts: Tensor) -> ScriptedState:
        each = len(self.text) // len(self.names)
        rows = (texts.unsqueeze(1) * each + torch.arange(each)).flatten()
        return replace(self.select(rows), names=self.names[texts])


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
        self.items = torch.tensor([items.get(word, (NO_ITEM, False))[0] for word in range(7)])
        self.new = torch.tensor([items.get(word, (NO_ITEM, False))[1] for word in range(7)])
        self.names = torch.tensor([names] * len(probabilities))

    def start(self, prompts: Prompts) -> ScriptedState:
        texts = len(prompts.goal)
        return ScriptedState(
            torch.arange(texts), torch.full((texts,), NO_ITEM), torch.zeros(texts, dtype=torch.bool), self.names[:texts]
        )

    def step(self, state: ScriptedState, tokens: Tensor) -> tuple[Tensor, ScriptedState]:
        told = replace(state, item=self.items[tokens], is_new=self.new[tokens])
        return self.table[state.text, tokens].log(), told


def prompts(texts: int, items: int = 3) -> Prompts:
    nothing = torch.zeros(texts, items, 1, dtype=torch.long)
    mask = torch.ones(texts, items, dtype=torch.bool)
    return Prompts(torch.zeros(texts, 1, dtype=torch.long), nothing, nothing, mask, mask.float())


NO_NAMES = [[PAD]] * 3


def every_text(model: Scripted, text: int, longest: int) -> list[Hypothesis]:
    """All finished texts of at most ``longest`` words with their ends, by the slow way."""
    found = []
    for words in itertools.chain.from_iterable(itertools.product((A, B, C), repeat=n) for n in range(1, longest)):
        steps = list(itertools.pairwise((START, *words, END)))
        probability = math.prod(float(model.table[text, before, word]) for before, word in steps)
        if probability == 0:
            continue
        items = [int(model.items[before]) for before, _ in steps]
        new = [bool(model.new[before]) for before, _ in steps[:-1]]
        used = sorted({item for item, is_new in zip(items, new, strict=False) if is_new})
        double = any(one != NO_ITEM and other != NO_ITEM for one, other in itertools.pairwise(items))
        found.append(Hypothesis(list(words), items[:-1], math.log(probability), used, True, double))
    return sorted(found, key=lambda one: one.rank(SearchConfig()))
