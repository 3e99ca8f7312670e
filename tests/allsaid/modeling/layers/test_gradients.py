"""Layers with gradients of their own: equal to those of autograd."""

from __future__ import annotations

import pytest
import torch
from torch.nn import functional as F

from allsaid.modeling.layers.gradients import GatedRecurrence, ProjectedNll


@pytest.fixture(autouse=True)
def seed() -> None:
    torch.manual_seed(3)


def test_the_recurrence_and_its_gradient() -> None:
    steps, texts, k = 5, 3, 2
    shapes = ((steps, texts, 5 * k), (steps, texts, k), (texts, k), (5 * k, k), (texts, k))
    tensors = [torch.randn(shape, dtype=torch.float64, requires_grad=True) for shape in shapes]
    assert torch.autograd.gradcheck(GatedRecurrence.apply, tensors)


def test_the_projected_nll_over_several_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("allsaid.modeling.layers.gradients.BLOCK", {"cpu": 2 * 5})
    outputs, weight = torch.randn(7, 3, dtype=torch.float64), torch.randn(5, 3, dtype=torch.float64)
    outputs.requires_grad_(), weight.requires_grad_()
    targets = torch.tensor([0, 4, 2, 2, 1, 3, 0])
    plain = F.cross_entropy(outputs @ weight.t(), targets, reduction="sum")
    mine = ProjectedNll.apply(outputs, weight, targets)
    assert mine.item() == pytest.approx(plain.item(), rel=1e-12)
    wanted = torch.autograd.grad(plain * 3, (outputs, weight))
    for one, other in zip(torch.autograd.grad(mine * 3, (outputs, weight)), wanted, strict=True):
        torch.testing.assert_close(one, other)


def test_the_nll_of_a_word_whose_probability_is_no_float() -> None:
    outputs, weight = torch.tensor([[1.0]], requires_grad=True), torch.tensor([[200.0], [0.0]], requires_grad=True)
    nll = ProjectedNll.apply(outputs, weight, torch.tensor([1]))
    assert nll.item() == 200
    assert [grad.tolist() for grad in torch.autograd.grad(nll, (outputs, weight))] == [[[200]], [[1], [-1]]]
