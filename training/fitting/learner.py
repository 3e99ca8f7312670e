"""Learning steps of a model: a step of the optimiser for each batch, and weights averaged over the steps."""

from __future__ import annotations

import copy
from typing import Any  # Any: a batch of the task, known only at run time

import torch
from torch import Tensor, nn

from allsaid.modeling.config import FitConfig
from allsaid.modeling.layers.losses import Losses
from training.fitting.process_group import ProcessGroup


class Learner:
    """The model, the optimiser, and the model of averaged weights, which is measured and saved."""

    def __init__(self, model: nn.Module, fit: FitConfig, group: ProcessGroup) -> None:
        self.model, self.fit = model, fit
        self._loss = group.loss_of(model)
        self.average = copy.deepcopy(model) if fit.average else model
        kind = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam}[fit.optimiser]
        parameters = {"params": [*model.parameters()]}  # a group may be empty, the list of groups may not
        self.optimiser = kind([parameters], lr=fit.learning_rate, fused=True)  # one pass over the weights

    @property
    def learning_rate(self) -> float:
        return float(self.optimiser.param_groups[0]["lr"])

    @learning_rate.setter
    def learning_rate(self, rate: float) -> None:
        for group in self.optimiser.param_groups:
            group["lr"] = rate

    def learn(self, batch: Any, weight: float, step: int) -> tuple[Losses, Tensor]:
        """Take one step of the optimiser; return the batch's losses and the gradient's norm before clipping.

        weight: of the batch's mean loss in the average over processes, 1 for one process; step: the number of earlier
        steps.
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
        """Move the averaged weights towards the new ones; faster at first, so that they forget the initial weights."""
        keep = min(self.fit.average, (1 + step) / (10 + step))
        for mean, weight in zip(self.average.parameters(), self.model.parameters(), strict=True):
            mean.lerp_(weight, 1 - keep)
