"""Models of a few words with random weights, one of each kind and one that copies, and agendas for them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from allsaid.modeling.data.agenda_arrays import Prompts, make_prompts
from allsaid.modeling.data.vocabulary import UNKNOWN
from allsaid.modeling.layers.projection import Projection
from allsaid.modeling.layers.scores import Scores
from allsaid.modeling.models import encdec, sclstm
from allsaid.modeling.models.base.contract import PerHypothesis, PerText, State
from allsaid.modeling.models.checklist import Checklist, Settings
from allsaid.modeling.models.encdec import EncDec
from allsaid.modeling.models.sclstm import ScLstm

SIZES = (37, 9, 11)
torch.manual_seed(4)
MODELS = [
    Checklist(Settings(hidden=16, init=0.9), SIZES),
    Checklist(Settings(hidden=16, init=0.9, checklist_from_tokens=True), SIZES),
    EncDec(encdec.Settings(hidden=16, init=0.9, attention=True), SIZES),
    ScLstm(sclstm.Settings(hidden=16, init=0.9), SIZES),
]


def random_prompts(count: int) -> list[Prompts]:
    """Agendas of 1 to 20 items, each by itself."""
    chance = np.random.default_rng(4)

    def ids(below: int, most: int) -> list[int]:
        return chance.integers(4, below, chance.integers(1, most + 1)).tolist()

    agendas = [[ids(11, 3) for _ in range(chance.integers(1, 21))] for _ in range(count)]
    return [
        make_prompts([ids(9, 4)], [agenda], [[chance.integers(4, 37, len(item)).tolist() for item in agenda]])
        for agenda in agendas
    ]


@dataclass(frozen=True)
class CopyState(State):
    project: Projection
    own: PerText  # (B, C) scores of the example's own words
    h: PerHypothesis  # (B · n, k)


class Copying:
    """A model whose words from V on are the example's own: V = 7, C = 3."""

    def __init__(self) -> None:
        self.embedding, self.w_o = torch.randn(7, 8), torch.randn(7, 8)
        self.read: set[int] = set()

    def start(self, prompts: Prompts) -> CopyState:
        own = torch.where(prompts.item_mask, prompts.weights, float("-inf"))
        return CopyState(Projection(self.w_o), own, torch.zeros(len(own), 8))

    def step(self, state: CopyState, tokens: Tensor) -> tuple[Scores, CopyState]:
        self.read |= set(tokens.tolist())
        h = torch.tanh(0.5 * state.h + self.embedding[torch.where(tokens < 7, tokens, UNKNOWN)])
        own = state.own.repeat_interleave(len(h) // len(state.own), dim=0)
        return state.project(h, own), replace(state, h=h)
