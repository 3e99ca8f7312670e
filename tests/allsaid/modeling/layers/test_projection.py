"""The normaliser of scores that are large, small and usual."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

from allsaid.modeling.layers import projection
from allsaid.modeling.layers.projection import Projection

USUAL, LARGE, SMALL = 1.0, 500.0, -500.0  # of a hypothesis; an exponential of the last two has no place in float32


def normalisers(*sizes: float) -> tuple[Tensor, Tensor]:
    """Return those of hypotheses whose scores are about these sizes, and the scores (B · n, V)."""
    chance = torch.Generator().manual_seed(1)
    weight = torch.cat([torch.rand(40, 7, generator=chance), torch.ones(40, 1)], dim=1)
    outputs = torch.cat([torch.ones(len(sizes), 7), torch.tensor(sizes).unsqueeze(1)], dim=1)
    with torch.inference_mode():
        return Projection(weight)(outputs).log_normaliser.clone(), outputs @ weight.t()


@pytest.mark.parametrize("looks", [True, False], ids=["a cpu", "a gpu"])
@pytest.mark.parametrize("sizes", [(USUAL,), (LARGE, USUAL), (SMALL,), (USUAL, SMALL, LARGE)])
def test_it_is_exact_whatever_the_scores(
    sizes: tuple[float, ...], looks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(projection.LOOKS, "cpu", looks)
    found, scores = normalisers(*sizes)
    assert found.tolist() == pytest.approx(scores.double().logsumexp(1).tolist(), rel=1e-6)


def test_it_depends_on_no_other_hypothesis() -> None:
    alone, beside = normalisers(USUAL, USUAL)[0], normalisers(USUAL, LARGE)[0]
    assert alone[0].item() == beside[0].item()
