"""The recurrence in stretches that a GPU records; here on the CPU, where each is computed anew in its own tensors."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from host_questions import NoQuestions
from torch import Tensor

from allsaid.modeling.layers import gradients
from allsaid.modeling.layers.gradients import GatedRecurrence
from allsaid.modeling.layers.recorded import Recorded

STEPS, TEXTS, K = 11, 3, 5
NEEDS_GPU = pytest.mark.skipif(
    not torch.cuda.is_available(), reason="Needs a GPU, and PyTorch finds none here. docs/gpu.md says what runs on one."
)


def given(device: str = "cpu") -> list[Tensor]:
    """Arguments of the recurrence that want gradients."""
    chance = torch.Generator().manual_seed(2)
    shapes = ((STEPS, TEXTS, 5 * K), (STEPS, TEXTS, K), (TEXTS, K), (5 * K, K), (TEXTS, K))
    return [torch.randn(shape, generator=chance).to(device).requires_grad_() for shape in shapes]


def computed(first: list[Tensor], second: list[Tensor]) -> list[Tensor]:
    """The states and gradients of two recurrences, of which both go ahead before either goes back."""
    states = [GatedRecurrence.apply(*one) for one in (first, second)]
    for number, one in enumerate(states):
        (one * torch.linspace(-1, 1, one.numel(), device=one.device).view_as(one) * (number + 1)).sum().backward()
    return [*states, *(part.grad for one in (first, second) for part in one if part.grad is not None)]


@pytest.mark.parametrize("stretch", [4, 11, 12])
def test_stretches_give_the_states_and_gradients_of_the_whole(stretch: int, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = computed(given(), given())
    calls: list[int] = []
    for name in ("_FORWARD", "_BACKWARD"):
        act = getattr(gradients, name)
        monkeypatch.setattr(gradients, name, lambda *some, act=act: (calls.append(len(some[0])), act(*some))[1])
    monkeypatch.setitem(gradients.STRETCH, "cpu", stretch)
    parts = computed(given(), given())
    assert calls == [stretch] * (4 * (STEPS // stretch))
    for mine, plain in zip(parts, whole, strict=True):
        assert torch.equal(mine, plain)
    assert len(whole) == 12


def test_the_steps_of_a_stretch_ask_the_host_nothing() -> None:
    x, items, goal, u, h = (one.detach() for one in given())
    with NoQuestions():
        gradients._record_forward(x, items, goal, u, h)
        gradients._record_backward(items, items, torch.zeros(STEPS, TEXTS, 5, K), u, h)


def test_arguments_stay_and_shapes_have_own_tensors() -> None:
    def act(one: Tensor) -> tuple[Tensor, ...]:
        return (one.add_(1),)

    recorded = Recorded(act)
    short, long = torch.zeros(2), torch.zeros(3)
    (first,), (second,) = recorded(short), recorded(long)
    assert first.tolist() == [1, 1] and second.tolist() == [1, 1, 1] and short.sum() == long.sum() == 0
    (third,) = recorded(torch.ones(2))
    assert third.tolist() == [2, 2] and third is first, "what was given before is written over"


@NEEDS_GPU
def test_a_gpu_plays_what_it_has_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    plain: Any = computed(given(), given())
    monkeypatch.setitem(gradients.STRETCH, "cuda", 4)
    for _ in range(3):
        for mine, right in zip(computed(given("cuda"), given("cuda")), plain, strict=True):
            assert torch.allclose(mine.cpu(), right, atol=1e-5)
