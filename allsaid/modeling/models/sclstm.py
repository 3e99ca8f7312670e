"""SC-LSTM: Wen et al., EMNLP 2015, section 3; one layer.

A vector d_0 has a one for the act type and for each of its slots. At each word a reading gate removes what the text has
mentioned. The rest is added to the LSTM's cell:

    i, f, o = σ(W_w* w_t + W_h* h_{t-1})                              (1 to 3)
    r_t = σ(W_wr w_t + α W_hr h_{t-1}),  d_t = r_t ⊙ d_{t-1}           (6, 7)
    c_t = f_t ⊙ c_{t-1} + i_t ⊙ ĉ_t + tanh(W_dc d_t)                   (8)
    h_t = o_t ⊙ tanh(c_t)                                            (5)

The loss adds ‖d_T‖ + Σ_t η ξ^‖d_{t+1} − d_t‖ (9): everything is mentioned by the end, and not much of it at once.
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
from allsaid.modeling.layers.gradients import ProjectedNll
from allsaid.modeling.layers.losses import Losses
from allsaid.modeling.layers.projection import Projection
from allsaid.modeling.layers.scores import Scores
from allsaid.modeling.models.base.contract import PerHypothesis, State
from allsaid.modeling.models.base.initial import init_uniform
from allsaid.modeling.tasks import agenda
from allsaid.settings import number

TASK = agenda.TASK
ALPHA = 0.5  # factor of the reading gate's recurrent part
ETA, XI = 1e-4, 100.0


@dataclass(frozen=True)
class Settings:
    kind: Literal["sclstm"] = "sclstm"
    hidden: int = number(80, 1)
    init: float = number(0.1, 0)
    dropout: float = number(0.0, 0, 0.9)


def build(settings: Settings, vocabularies: Vocabularies, dtype: torch.dtype) -> ScLstm:
    return ScLstm(settings, vocabularies.sizes, dtype)


@dataclass(frozen=True)
class ScLstmState(State):
    """State of B texts with n hypotheses each."""

    project: Projection
    h: PerHypothesis  # (B · n, k)
    c: PerHypothesis  # (B · n, k)
    d: PerHypothesis  # (B · n, D) the act type and slots, as far as they are not mentioned yet


class ScLstm(nn.Module):
    def __init__(self, config: Settings, sizes: Sequence[int], dtype: torch.dtype = torch.float32) -> None:
        """sizes: words of the text, title and agenda vocabulary; D is the sum of the last two."""
        super().__init__()
        text, title, agenda = sizes
        k, size = config.hidden, title + agenda
        self.config, self.dtype, self.title = config, dtype, title
        self.text_embedding = nn.Parameter(torch.empty(text, k))
        self.drop = nn.Dropout(config.dropout)
        self.w = nn.Parameter(torch.empty(4 * k, k))  # of i, f, o, ĉ
        self.u = nn.Parameter(torch.empty(4 * k, k))
        self.b = nn.Parameter(torch.empty(4 * k))
        self.w_r = nn.Parameter(torch.empty(size, k))
        self.u_r = nn.Parameter(torch.empty(size, k))
        self.w_d = nn.Parameter(torch.empty(k, size))
        self.w_o = nn.Parameter(torch.empty(text, k))
        init_uniform(self, config.init, self.text_embedding)

    def loss(self, batch: Batch) -> Losses:
        state = self.start(batch.prompts)
        x = self.drop(F.embedding(batch.inputs, self.text_embedding, PAD))
        real = batch.targets != PAD
        outputs, jumps = [], state.h.new_zeros(())
        for t in range(x.shape[1]):
            following = self._advance(state, x[:, t])
            following = replace(following, d=torch.where(real[:, t, None], following.d, state.d))
            jumps = jumps + (ETA * XI ** _norm(following.d - state.d))[real[:, t]].sum()
            state = following
            outputs.append(state.h)
        h = self.drop(torch.stack(outputs, dim=1)[real])
        nll = ProjectedNll.apply(h, self.w_o.to(self.dtype), batch.targets[real])
        return Losses({"nll": nll, "left": _norm(state.d).sum(), "jumps": jumps}, len(real), real.sum())

    def start(self, prompts: Prompts) -> ScLstmState:
        texts = len(prompts.goal)
        d = self.w_o.new_zeros(texts, self.w_r.shape[0])
        d.scatter_(1, prompts.goal, 1.0)
        d.scatter_(1, prompts.items.flatten(1) + self.title, 1.0)
        d[:, [PAD, self.title + PAD]] = 0
        nothing = d.new_zeros(texts, self.config.hidden)
        return ScLstmState(Projection(self.w_o.to(self.dtype)), nothing, nothing, d)

    def step(self, state: ScLstmState, tokens: Tensor) -> tuple[Scores, ScLstmState]:
        """Read one word of each hypothesis; tokens: (B · n,)."""
        state = self._advance(state, F.embedding(tokens, self.text_embedding))
        return state.project(state.h), state

    def _advance(self, state: ScLstmState, x: Tensor) -> ScLstmState:
        gates = F.linear(x, self.w, self.b) + F.linear(state.h, self.u)
        i, f, o = torch.sigmoid(gates[:, : 3 * self.config.hidden]).chunk(3, dim=1)
        new = torch.tanh(gates[:, 3 * self.config.hidden :])
        d = state.d * torch.sigmoid(F.linear(x, self.w_r) + ALPHA * F.linear(state.h, self.u_r))
        c = f * state.c + i * new + torch.tanh(F.linear(d, self.w_d))
        return replace(state, h=o * torch.tanh(c), c=c, d=d)


def _norm(rows: Tensor) -> Tensor:
    """Return the norms of the rows (B,); differentiable at zero, too."""
    return (rows.square().sum(1) + 1e-12).sqrt()
