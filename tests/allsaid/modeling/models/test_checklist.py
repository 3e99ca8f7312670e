"""The checklist model against its equations, its step by step self and autograd."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from small_batch import SIZES, small_batch
from torch.nn import functional as F

from allsaid.modeling.data.agenda_arrays import Batch, Prompts
from allsaid.modeling.data.vocabulary import PAD, START
from allsaid.modeling.layers.checklists import true_checklists, true_types
from allsaid.modeling.layers.gradients import softmax_over
from allsaid.modeling.models.checklist import Checklist, Settings
from schemas.example import NEW, NO_ITEM, NONE, UNSUPERVISED, USED

CONFIG = Settings(hidden=7, init=0.5)


@pytest.fixture(autouse=True)
def seed() -> None:
    torch.manual_seed(3)


def stepwise_losses(model: Checklist, batch: Batch) -> dict[str, torch.Tensor]:
    """The same losses, word by word through ``start`` and ``step``, with the checklist forced to the true one."""
    state = model.start(batch.prompts)
    checklists, references = true_checklists(batch.refs, 3, torch.float64)
    sums = {name: torch.zeros((), dtype=torch.float64) for name in ("nll", "ref_type", "new_item", "used_item")}
    for t in range(batch.inputs.shape[1]):
        scores, state = model.step(replace(state, checklist=checklists[:, t]), batch.inputs[:, t])
        for row in range(len(batch.inputs)):
            if batch.targets[row, t] != PAD:
                sums["nll"] -= scores.log_probs[row, batch.targets[row, t]]
            kind = int(batch.types[row, t])
            if kind == UNSUPERVISED:
                continue
            true = F.one_hot(torch.tensor(kind), 3)
            sums["ref_type"] += (25 * (true - state.ref_types[row]) ** 2).mean()
            sums["new_item"] += ((references[row, t] * (kind == NEW) - state.new_items[row]) ** 2).sum()
            sums["used_item"] += ((references[row, t] * (kind == USED) - state.used_items[row]) ** 2).sum()
    return sums


def test_batched_loss_equals_stepwise_loss_and_gradients() -> None:
    model = Checklist(CONFIG, SIZES, torch.float64).double()
    batch = small_batch()
    losses = model.loss(batch)
    parts = stepwise_losses(model, batch)
    for name, value in losses.named.items():
        assert value.item() == pytest.approx(parts[name].item(), abs=1e-5), name
        assert value.item() > 0
    assert losses.words.item() == 10
    batched = torch.autograd.grad(losses.total, list(model.parameters()))
    stepped = torch.autograd.grad(sum(parts.values()) / 2, list(model.parameters()))
    for (name, _), one, other in zip(model.named_parameters(), batched, stepped, strict=True):
        assert one.abs().max() > 0, name
        torch.testing.assert_close(one, other, rtol=0, atol=1e-5)


def test_a_batch_of_texts_loses_what_its_texts_lose_alone() -> None:
    model = Checklist(CONFIG, SIZES, torch.float64).double()
    batch = small_batch()
    alone = []
    for row in range(2):
        prompts = Prompts(*(value[row : row + 1] for value in vars(batch.prompts).values()))
        rest = [value[row : row + 1] for name, value in vars(batch).items() if name != "prompts"]
        alone.append(model.loss(Batch(prompts, *rest)))
    for name, value in model.loss(batch).named.items():
        assert value.item() == pytest.approx(sum(losses.named[name].item() for losses in alone), rel=1e-12)


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def softmax(x: np.ndarray) -> np.ndarray:
    return np.exp(x) / np.exp(x).sum()


def test_the_equations_of_section_4_written_again_in_numpy() -> None:
    """Three items, five words, the soft checklist: each equation as the paper prints it."""
    model = Checklist(replace(CONFIG, type_temperature=1.5, item_temperature=2.5), SIZES, torch.float64).double()
    k, beta, gamma = 7, 1.5, 2.5
    par = {name: value.detach().numpy() for name, value in model.named_parameters()}
    w_z, w_r, w_s, w_q, w_h = par["w"].reshape(5, k, k)
    u_z, u_r, u_s, u_q, u_h = par["u"].reshape(5, k, k)
    g = par["title_embedding"][4] + par["title_embedding"][5]
    words = par["agenda_embedding"]
    e = np.stack([words[4] + words[5], words[6], words[7]])
    a, h = np.zeros(3), par["u_g"] @ g
    state = model.start(Prompts(*(value[:1] for value in vars(small_batch().prompts).values())))
    for word in (START, 5, 6, 8, 6):
        x = par["text_embedding"][word]
        e_new, e_used = (1 - a)[:, None] * e, a[:, None] * e
        z, r = sigmoid(w_z @ x + u_z @ h), sigmoid(w_r @ x + u_r @ h)
        s, q = sigmoid(w_s @ x + u_s @ h), sigmoid(w_q @ x + u_q @ h)
        items = sum(par["z"] @ row for row in e_new)
        h = (1 - z) * h + z * np.tanh(w_h @ x + r * (u_h @ h) + s * (par["y"] @ g) + q * items)
        f = softmax(beta * (par["s"] @ h))
        alpha_new, alpha_used = softmax(gamma * (e_new @ par["p"] @ h)), softmax(gamma * (e_used @ par["p"] @ h))
        o = f[0] * (par["p"] @ h) + f[1] * (e.T @ alpha_new) + f[2] * (e.T @ alpha_used)
        a = np.minimum(a + f[1] * alpha_new, 1)
        scores, state = model.step(state, torch.tensor([word]))
        np.testing.assert_allclose(scores.log_probs[0].detach().numpy(), np.log(softmax(par["w_o"] @ o)), atol=1e-10)
        np.testing.assert_allclose(state.checklist[0].detach().numpy(), a, atol=1e-10)
        np.testing.assert_allclose(state.used_items[0].detach().numpy(), f[2] * alpha_used, atol=1e-10)
    assert a.min() > 0 and a.max() < 1


def test_the_checklist_is_cut_at_one() -> None:
    model = Checklist(CONFIG, SIZES)
    state = model.start(small_batch().prompts)
    _, state = model.step(replace(state, checklist=torch.full((2, 3), 0.999)), torch.tensor([START, START]))
    assert state.checklist[0].max() == 1
    assert state.new_items[0].max() > 0.001


def test_padding_items_take_no_attention_and_zeroed_rows_do() -> None:
    scores = torch.tensor([[0.0, 1.0, 5.0]])
    weights = softmax_over(scores, torch.tensor([[True, True, False]]))
    torch.testing.assert_close(weights, torch.tensor([[1 / (1 + np.e), np.e / (1 + np.e), 0]], dtype=torch.float32))
    assert softmax_over(scores, torch.zeros(1, 3, dtype=torch.bool)).sum() == 0


def test_the_true_checklist_holds_the_items_of_all_words_before() -> None:
    entering, own = true_checklists(torch.tensor([[NO_ITEM, 1, NO_ITEM, 1, 0]]), 3, torch.float32)
    assert entering.tolist() == [[[0, 0, 0], [0, 0, 0], [0, 1, 0], [0, 1, 0], [0, 1, 0]]]
    assert own.tolist() == [[[0, 0, 0], [0, 1, 0], [0, 0, 0], [0, 1, 0], [1, 0, 0]]]


def test_only_the_first_word_of_a_first_mention_is_new() -> None:
    types = torch.tensor([[NONE, NEW, NEW, UNSUPERVISED, USED, NEW]])
    entering, own = true_checklists(torch.tensor([[NO_ITEM, 1, 1, NO_ITEM, 1, 0]]), 3, torch.float32)
    assert true_types(types, entering, own).tolist() == [[NONE, NEW, USED, UNSUPERVISED, USED, NEW]]


def test_unsupervised_words_bear_no_supervision_loss() -> None:
    model = Checklist(CONFIG, SIZES)
    batch = small_batch()
    parts = model.loss(replace(batch, types=torch.full_like(batch.types, UNSUPERVISED))).named
    assert parts["nll"] > 0
    assert [parts[name].item() for name in ("ref_type", "new_item", "used_item")] == [0, 0, 0]


def test_an_items_embedding_is_the_sum_over_its_words() -> None:
    model = Checklist(CONFIG, SIZES)
    state = model.start(small_batch().prompts)
    words = model.agenda_embedding
    torch.testing.assert_close(state.embedded[0, 0], words[4] + words[5])
    assert state.embedded[1, 2].abs().sum() == 0


def test_hypotheses_are_independent_and_selectable() -> None:
    model = Checklist(CONFIG, SIZES)
    state = model.start(small_batch().prompts)
    tokens = torch.tensor([START, 5, 6, START, 7, 8])
    together, wide = model.step(state.select(torch.tensor([0, 0, 0, 1, 1, 1])), tokens)
    for number in range(3):
        single, narrow = model.step(state, tokens[[number, number + 3]])
        torch.testing.assert_close(together.log_probs[[number, number + 3]], single.log_probs)
        torch.testing.assert_close(wide.checklist[[number, number + 3]], narrow.checklist)
    second = wide.keep(torch.tensor([1]), 3)
    torch.testing.assert_close(second.h, wide.h[3:])
    torch.testing.assert_close(model.step(second, tokens[3:])[0].log_probs, model.step(wide, tokens)[0].log_probs[3:])


def test_a_row_without_items_refers_to_none() -> None:
    model = Checklist(CONFIG, SIZES)
    prompts = small_batch().prompts
    empty = replace(prompts, item_mask=torch.zeros_like(prompts.item_mask))
    with torch.no_grad():
        _, state = model.step(model.start(empty), torch.tensor([START, START]))
    state = replace(state, ref_types=torch.tensor([[0.0, 1.0, 0.0]] * 2))
    found = model.items_of(state)
    assert found.item.tolist() == [NO_ITEM] * 2 and found.is_new.tolist() == [False] * 2


def test_bfloat16_stays_near_float32() -> None:
    exact = Checklist(CONFIG, SIZES)
    rough = Checklist(CONFIG, SIZES, torch.bfloat16)
    rough.load_state_dict(exact.state_dict())
    batch = small_batch()
    one, other = exact.loss(batch).total, rough.loss(batch).total
    assert other.dtype == torch.float32
    assert one.item() != other.item()
    assert other.item() == pytest.approx(one.item(), rel=0.02)
    other.backward()
    assert all(parameter.grad is not None and parameter.grad.isfinite().all() for parameter in rough.parameters())


def soft_losses(model: Checklist, batch: Batch) -> dict[str, torch.Tensor]:
    """The losses without supervision, word by word through ``start`` and ``step``: the model's own checklist."""
    state = model.start(batch.prompts)
    nll, final = torch.zeros((), dtype=torch.float64), torch.zeros((), dtype=torch.float64)
    for t in range(batch.inputs.shape[1]):
        scores, state = model.step(state, batch.inputs[:, t])
        for row in range(len(batch.inputs)):
            if batch.targets[row, t] != PAD:
                nll = nll - scores.log_probs[row, batch.targets[row, t]]
            ended = t + 1 == batch.inputs.shape[1] or batch.targets[row, t + 1] == PAD
            if batch.targets[row, t] != PAD and ended:
                items = batch.prompts.item_mask[row]
                final = final + model.config.final_weight * (1 - state.checklist[row, items]).square().sum()
    return {"nll": nll, "final": final}


def test_without_supervision_the_checklist_is_the_models_own() -> None:
    config = replace(CONFIG, supervision=False, final_weight=3.0)
    model = Checklist(config, SIZES, torch.float64).double()
    batch = small_batch()
    losses, parts = model.loss(batch), soft_losses(model, batch)
    for name, value in losses.named.items():
        assert value.item() == pytest.approx(parts[name].item(), abs=1e-9), name
    batched = torch.autograd.grad(losses.total, list(model.parameters()))
    stepped = torch.autograd.grad(sum(parts.values()) / 2, list(model.parameters()))
    for (name, _), one, other in zip(model.named_parameters(), batched, stepped, strict=True):
        torch.testing.assert_close(one, other, msg=name)
    other_references = replace(batch, refs=torch.full_like(batch.refs, NO_ITEM))
    assert model.loss(other_references).total == losses.total


def test_a_forced_word_mixes_its_true_type_and_item() -> None:
    """As the authors' ``forward_pass``: o = P h of other words, the item's embedding of references."""
    model = Checklist(replace(CONFIG, teacher_forcing=1.0), SIZES, torch.float64).double()
    batch = small_batch()
    state = model.start(batch.prompts)
    checklists, references = true_checklists(batch.refs, 3, torch.float64)
    nll, new_item = 0.0, 0.0
    for t in range(batch.inputs.shape[1]):
        scores, state = model.step(replace(state, checklist=checklists[:, t]), batch.inputs[:, t])
        for row in range(len(batch.inputs)):
            kind, word = int(batch.types[row, t]), batch.targets[row, t]
            if word == PAD:
                continue
            mixed = model.p @ state.h[row] if kind == NONE else references[row, t] @ state.embedded[row]
            forced = F.log_softmax(model.w_o @ mixed, dim=0)[word].item()
            nll -= scores.log_probs[row, word].item() if kind == UNSUPERVISED else forced
            if kind == NEW:
                attention = state.new_items[row] / state.ref_types[row, NEW]  # by the true type, not the predicted one
                new_item += (references[row, t] - attention).square().sum().item()
    losses, own = model.loss(batch).named, model.eval().loss(batch).named
    assert losses["nll"].item() == pytest.approx(nll, abs=1e-9)
    assert losses["new_item"].item() == pytest.approx(new_item, abs=1e-9)
    assert losses["ref_type"].item() == pytest.approx(own["ref_type"].item(), abs=1e-9)
    assert own["nll"].item() == pytest.approx(stepwise_losses(model, batch)["nll"].item(), abs=1e-5)


def test_a_share_of_words_is_forced() -> None:
    model = Checklist(replace(CONFIG, teacher_forcing=0.5), SIZES, torch.float64).double()
    found = {round(model.loss(small_batch()).named["nll"].item(), 9) for _ in range(20)}
    assert len(found) > 5
    assert torch.autograd.grad(model.loss(small_batch()).total, model.s)[0].abs().max() > 0


@pytest.mark.parametrize("changed", [{"interpolation": False}, {"used_items": False}, {"supervision": False}])
def test_an_ablation_differs_where_it_should(changed: dict[str, bool]) -> None:
    """Same weights, other outputs; and the parts that the ablation lacks are gone."""
    batch = small_batch()
    model = Checklist(replace(CONFIG, **changed), SIZES)
    whole = Checklist(CONFIG, SIZES)
    whole.load_state_dict(model.state_dict() | {"s": torch.randn(3, 7)})
    parts, all_parts = model.loss(batch).named, whole.loss(batch).named
    assert not torch.isclose(parts["nll"], all_parts["nll"])
    _, state = model.step(model.start(batch.prompts), batch.inputs[:, 0])
    _, state = model.step(state, batch.inputs[:, 1])
    if "used_items" in changed:
        assert model.s.shape == (2, 7) and not state.used_items.any() and parts["used_item"] == 0
    else:
        assert model.s.shape == (3, 7) and state.used_items.any()
    if "interpolation" in changed:
        scores, state = model.step(state, batch.inputs[:, 2])
        torch.testing.assert_close(scores.log_probs, F.log_softmax(F.linear(state.h, model.w_o), dim=1))


def test_a_checklist_from_tokens_checks_off_what_the_words_name() -> None:
    model = Checklist(replace(CONFIG, checklist_from_tokens=True), SIZES)
    state = model.start(small_batch().prompts)
    for words in ([START, START], [6, 9], [4, 5]):
        _, state = model.step(state, torch.tensor(words))
    # "6" is the first text's second item, "4" a word of its first; "5" the second text's first. Its second item has no
    # word of the text: only the classifier can check it off.
    assert state.checklist.tolist() == [[1, 1, 0], [1, 0, 0]]
    sure = replace(state, ref_types=torch.tensor([[0.0, 1, 0]] * 2), new_items=torch.tensor([[0.0, 0, 1], [0, 1, 0]]))
    _, state = model.step(sure, torch.tensor([9, 9]))
    assert state.checklist.tolist() == [[1, 1, 0], [1, 1, 0]]
