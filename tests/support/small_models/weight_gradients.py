"""Checks that the gradients of a model's weights are those of differences."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from copying_texts import V, batch
from torch import Tensor


def check_all_gradients(model: Any) -> None:
    """Check all gradients of a model that copies, for the two texts of `copying_texts`."""
    names, weights = zip(*model.named_parameters(), strict=True)

    def total(*values: Tensor) -> Tensor:
        parameters = dict(zip(names, values, strict=True))
        filling, words = parameters["embedding"].split([1, V - 1])
        parameters["embedding"] = torch.cat([filling.detach() * 0, words])  # the filling is no weight
        return torch.func.functional_call(_Loss(model), {f"model.{name}": one for name, one in parameters.items()}, ())

    assert torch.autograd.gradcheck(total, weights, fast_mode=True)


class _Loss(torch.nn.Module):
    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model

    def forward(self) -> Any:
        return self.model.loss(batch(0, 1)).total


def check_largest_gradients(model: Any, given: Any) -> None:
    """Check the largest gradient of each weight for a batch of the model's task."""
    model.loss(given).total.backward()
    for name, weight in model.named_parameters():
        assert weight.grad is not None, name
        place = tuple(int(index) for index in (weight.grad.abs() == weight.grad.abs().max()).nonzero()[0])
        with torch.no_grad():
            ends = []
            for change in (1e-6, -1e-6):
                weight[place] += change
                ends.append(model.loss(given).total.item())
                weight[place] -= change
        assert weight.grad[place].item() == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-5), name
