"""EncDec, Attention and SC-LSTM against slow versions written from their equations."""

from __future__ import annotations

import math

import pytest
import torch
from small_batch import SIZES, small_batch
from torch import Tensor
from torch.nn import functional as F

from allsaid.modeling.data.agenda_arrays import Batch, Prompts
from allsaid.modeling.data.vocabulary import PAD
from allsaid.modeling.models import encdec, sclstm
from allsaid.modeling.models.base.contract import KnowsItems
from allsaid.modeling.models.encdec import EncDec
from allsaid.modeling.models.sclstm import ALPHA, ETA, XI, ScLstm


@pytest.fixture(autouse=True)
def seed() -> None:
    torch.manual_seed(5)


def gru(weights: torch.nn.GRU, x: Tensor, h: Tensor) -> Tensor:
    """One step of Cho et al. 2014, as PyTorch documents its own variant, for one row."""
    from_x = weights.weight_ih_l0 @ x + weights.bias_ih_l0
    from_h = weights.weight_hh_l0 @ h + weights.bias_hh_l0
    k = len(h)
    r, z = torch.sigmoid(from_x[:k] + from_h[:k]), torch.sigmoid(from_x[k : 2 * k] + from_h[k : 2 * k])
    return (1 - z) * torch.tanh(from_x[2 * k :] + r * from_h[2 * k :]) + z * h


def encdec_nll(model: EncDec, batch: Batch, row: int) -> float:
    """−Σ log p of one text, word by word and item by item."""
    prompts = batch.prompts
    h = torch.zeros(model.config.hidden, dtype=torch.float64)
    for word in prompts.goal[row][prompts.goal[row] != PAD]:
        h = gru(model.read_goal, model.title_embedding[word], h)
    items = []
    for item, there in zip(prompts.items[row], prompts.item_mask[row], strict=True):
        if there:
            items.append(sum(model.agenda_embedding[word] for word in item if word != PAD))
            h = gru(model.read_items, items[-1], h)
    total = 0.0
    for word, target in zip(batch.inputs[row], batch.targets[row], strict=True):
        if target == PAD:
            break
        h = gru(model.write, model.text_embedding[word], h)
        output = h
        if model.mix is not None:
            scores = [math.exp((item @ h).item()) for item in items]
            read = sum(score / sum(scores) * item for score, item in zip(scores, items, strict=True))
            output = torch.tanh(model.mix.weight @ (h + read) + model.mix.bias)
        total -= F.log_softmax(model.w_o @ output, dim=0)[target].item()
    return total


@pytest.mark.parametrize("attention", [False, True])
def test_encdec_is_its_slow_version(attention: bool) -> None:
    model = EncDec(encdec.Settings(hidden=7, init=0.8, attention=attention), SIZES, torch.float64).double()
    batch = small_batch()
    losses = model.loss(batch)
    assert losses.named["nll"].item() == pytest.approx(encdec_nll(model, batch, 0) + encdec_nll(model, batch, 1))
    assert losses.words.item() == 10 and losses.total.item() == pytest.approx(losses.named["nll"].item() / 2)


def sclstm_losses(model: ScLstm, batch: Batch, row: int) -> dict[str, float]:
    """The three parts of Wen et al. 2015, equation 9, for one text, gate by gate."""
    k = model.config.hidden
    h = c = torch.zeros(k, dtype=torch.float64)
    d = torch.zeros(model.w_r.shape[0], dtype=torch.float64)
    prompts = batch.prompts
    d[[int(word) for word in prompts.goal[row] if word != PAD]] = 1
    d[[model.title + int(word) for item in prompts.items[row] for word in item if word != PAD]] = 1
    found = {"nll": 0.0, "jumps": 0.0}
    for word, target in zip(batch.inputs[row], batch.targets[row], strict=True):
        if target == PAD:
            break
        w = model.text_embedding[word]
        i, f, o, new = (
            model.w[at : at + k] @ w + model.u[at : at + k] @ h + model.b[at : at + k] for at in range(0, 4 * k, k)
        )
        before, d = d, d * torch.sigmoid(model.w_r @ w + ALPHA * (model.u_r @ h))
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(new) + torch.tanh(model.w_d @ d)
        h = torch.sigmoid(o) * torch.tanh(c)
        found["nll"] -= F.log_softmax(model.w_o @ h, dim=0)[target].item()
        found["jumps"] += ETA * XI ** (d - before).norm().item()
    return found | {"left": d.norm().item()}


def test_sclstm_is_its_slow_version() -> None:
    model = ScLstm(sclstm.Settings(hidden=5, init=0.8), SIZES, torch.float64).double()
    batch = small_batch()
    slow = [sclstm_losses(model, batch, row) for row in range(2)]
    for name, value in model.loss(batch).named.items():
        assert value.item() == pytest.approx(sum(one[name] for one in slow), rel=1e-6), name
        assert value.item() > 0


@pytest.mark.parametrize(
    "model",
    [
        EncDec(encdec.Settings(hidden=7, init=0.8), SIZES, torch.float64).double(),
        EncDec(encdec.Settings(hidden=7, init=0.8, attention=True), SIZES, torch.float64).double(),
        ScLstm(sclstm.Settings(hidden=5, init=0.8), SIZES, torch.float64).double(),
    ],
    ids=["encdec", "attention", "sclstm"],
)
def test_a_step_at_a_time_gives_the_loss(model: EncDec | ScLstm) -> None:
    """Two hypotheses of each text side by side, chosen and dropped as a search does."""
    batch = small_batch()
    state = model.start(batch.prompts).select(torch.tensor([0, 0, 1, 1]))
    total = 0.0
    for t in range(4):
        scores, state = model.step(state, batch.inputs[:, t].repeat_interleave(2))
        log_probs = scores.log_probs
        assert torch.allclose(log_probs[0], log_probs[1]) and torch.allclose(log_probs[2], log_probs[3])
        total -= log_probs[2, batch.targets[1, t]].item()
        state = state.select(torch.tensor([1, 0, 3, 2]))
    alone = model.loss(
        Batch(
            **{name: getattr(batch, name)[1:, :4] for name in ("inputs", "targets", "types", "refs")},
            prompts=second(batch),
        )
    )
    assert alone.named["nll"].item() == pytest.approx(total)
    assert len(state.keep(torch.tensor([1]), 2).select(torch.tensor([0])).h) == 1
    assert not isinstance(model, KnowsItems)


def second(batch: Batch) -> Prompts:
    prompts = batch.prompts
    return Prompts(*(part[1:] for part in vars(prompts).values()))
