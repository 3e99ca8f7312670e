"""A model as it learns: a step of the optimiser for each batch, and weights that are averaged over the steps."""

from __future__ import annotations

import copy
from typing import Any

import torch
from torch import Tensor

from allsaid.modeling.config import FitConfig
from allsaid.modeling.layers.losses import Losses
from training.fitting.team import Team


class Learner:
    """The model, the optimiser, and the model of averaged weights, which is what is measured and kept."""

    def __init__(self, model: Any, fit: FitConfig, team: Team) -> None:
        self.model, self.fit = model, fit
        self._loss = team.together(model)
        self.average = copy.deepcopy(model) if fit.average else model
        self.optimiser = _optimiser(model, fit)

    @property
    def learning_rate(self) -> float:
        return self.optimiser.param_groups[0]["lr"]

    @learning_rate.setter
    def learning_rate(self, rate: float) -> None:
        for group in self.optimiser.param_groups:
            group["lr"] = rate

    def learn(self, batch: Any, weight: float, step: int) -> tuple[Losses, Tensor]:
        """One step of the optimiser; returns the batch's losses and the gradient's norm before it was cut.

        weight: of the batch's mean loss among those of other processes, 1 without any; step: those taken before.
        """
        losses = self._loss(batch)
        if not losses.total.requires_grad:  # the model has no parameters
            return losses, torch.zeros(())
        self.optimiser.zero_grad(set_to_none=True)
        (losses.total * weight).backward()
        norm = torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.fit.clip)
        self.optimiser.step()
        if self.average is not self.model:
            self._add_to_average(step)
        return losses, norm

    @torch.no_grad()
    def _add_to_average(self, step: int) -> None:
        """Move the averaged weights a little to the new ones; at first by more, so that they forget the start."""
        keep = min(self.fit.average, (1 + step) / (10 + step))
        for mean, weight in zip(self.average.parameters(), self.model.parameters(), strict=True):
            mean.lerp_(weight, 1 - keep)


def _optimiser(model: torch.nn.Module, fit: FitConfig) -> torch.optim.Optimizer:
    kind = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam}[fit.optimiser]
    parameters = {"params": [*model.parameters()]}  # a group may be empty, the list of groups may not
    return kind([parameters], lr=fit.learning_rate, fused=True)  # one pass over the weights
