"""The baselines *EncDec* and *Attention* of Kiddon et al. 2016, section 5 ("Models").

EncDec is the encoder-decoder of Cho et al. 2014 and Sutskever et al. 2014. A GRU reads the words of the goal. A second
one starts from its last state and reads the agenda, one item (the sum of its words) per step. A third one starts from
the last of these states and generates the text. With ``attention`` the weighted sum of the items is added to the state,
and a non-linear layer precedes the projection to words.

Letters as in ``checklist.py``: B texts, T text length, L agenda items, k hidden size, V words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from allsaid.modeling.data.agenda_arrays import Batch, Prompts
from allsaid.modeling.data.vocabulary import PAD, Vocabularies
from allsaid.modeling.layers.gradients import ProjectedNll, softmax_over
from allsaid.modeling.layers.losses import Losses
from allsaid.modeling.layers.projection import Projection
from allsaid.modeling.layers.scores import Scores
from allsaid.modeling.models.base.contract import PerHypothesis, PerText, State
from allsaid.modeling.models.base.initial import init_uniform
from allsaid.modeling.tasks import agenda
from allsaid.settings import number

TASK = agenda.TASK


@dataclass(frozen=True)
class Settings:
    kind: Literal["encdec"] = "encdec"
    hidden: int = number(256, 1)
    init: float = number(0.35, 0)
    attention: bool = False
    dropout: float = number(0.0, 0, 0.9)


def build(settings: Settings, vocabularies: Vocabularies, dtype: torch.dtype) -> EncDec:
    return EncDec(settings, vocabularies.sizes, dtype)


@dataclass(frozen=True)
class EncDecState(State):
    """State of B texts with n hypotheses each."""

    project: Projection
    items: PerText  # (B, L, k)
    item_mask: PerText  # (B, L) bool
    h: PerHypothesis  # (B · n, k)


class EncDec(nn.Module):
    def __init__(self, config: Settings, sizes: Sequence[int], dtype: torch.dtype = torch.float32) -> None:
        """sizes: words of the text, title and agenda vocabulary; dtype: of the product with the vocabulary."""
        super().__init__()
        text, title, agenda = sizes
        k = config.hidden
        self.config, self.dtype = config, dtype
        self.text_embedding = nn.Parameter(torch.empty(text, k))
        self.title_embedding = nn.Parameter(torch.empty(title, k))
        self.agenda_embedding = nn.Parameter(torch.empty(agenda, k))
        self.drop = nn.Dropout(config.dropout)
        self.read_goal = nn.GRU(k, k, batch_first=True)
        self.read_items = nn.GRU(k, k, batch_first=True)
        self.write = nn.GRU(k, k, batch_first=True)
        self.mix = nn.Linear(k, k) if config.attention else None
        self.w_o = nn.Parameter(torch.empty(text, k))
        init_uniform(self, config.init, self.text_embedding, self.title_embedding, self.agenda_embedding)

    def loss(self, batch: Batch) -> Losses:
        start = self.start(batch.prompts)
        x = self.drop(F.embedding(batch.inputs, self.text_embedding, PAD))
        h, _ = self.write(x, start.h.unsqueeze(0))
        real = batch.targets != PAD
        outputs = self.drop(self._outputs(h, start)[real])
        nll = ProjectedNll.apply(outputs, self.w_o.to(self.dtype), batch.targets[real])
        return Losses({"nll": nll}, len(real), real.sum())

    def start(self, prompts: Prompts) -> EncDecState:
        """Return the state before the first word of B texts, after reading goal and agenda."""
        goal = F.embedding(prompts.goal, self.title_embedding, PAD)
        items = F.embedding(prompts.items, self.agenda_embedding, PAD).sum(2)
        h = _read(self.read_goal, goal, (prompts.goal != PAD).sum(1), goal.new_zeros(len(goal), self.config.hidden))
        h = _read(self.read_items, items, prompts.item_mask.sum(1), h)
        return EncDecState(Projection(self.w_o.to(self.dtype)), items, prompts.item_mask, h)

    def step(self, state: EncDecState, tokens: Tensor) -> tuple[Scores, EncDecState]:
        """Read one word of each hypothesis; tokens: (B · n,)."""
        x = F.embedding(tokens, self.text_embedding)
        h = self.write(x.unsqueeze(1), state.h.unsqueeze(0))[0].squeeze(1)
        outputs = self._outputs(h.view(len(state.items), -1, h.shape[1]), state).flatten(0, 1)
        return state.project(outputs), replace(state, h=h)

    def _outputs(self, h: Tensor, state: EncDecState) -> Tensor:
        """Return the inputs of the projection to words, of states (B, S, k)."""
        if self.mix is None:
            return h
        weights = softmax_over(torch.bmm(h, state.items.transpose(1, 2)), state.item_mask.unsqueeze(1))
        return torch.tanh(self.mix(h + torch.bmm(weights, state.items)))


def _read(gru: nn.GRU, x: Tensor, lengths: Tensor, h: Tensor) -> Tensor:
    """Return the states (B, k) after the first ``lengths`` (B,) of the inputs (B, S, k), from h (B, k); S ≥ 1."""
    states = torch.cat([h.unsqueeze(1), gru(x, h.unsqueeze(0))[0]], 1)
    return states[torch.arange(len(states), device=states.device), lengths]
