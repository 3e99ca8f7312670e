"""Several processes that train one model together: ``torchrun --nproc-per-node 2 -m training CONFIG …``.

Each takes its share of every batch; DistributedDataParallel averages the gradients, by gloo on a CPU and nccl on GPUs.
So W processes with batches of N texts learn what one does with batches of W · N, but for the dropout that each draws by
itself. The first process alone writes, measures and tells; what it has measured decides for all.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypeVar

import numpy as np
import torch
from torch import distributed, nn
from torch.nn.parallel import DistributedDataParallel

from allsaid import console
from allsaid.modeling.layers.losses import Losses
from schemas.errors import UserError

STARTED = ("RANK", "WORLD_SIZE", "LOCAL_RANK", "MASTER_ADDR", "MASTER_PORT")  # what torchrun sets for each process
PATIENCE = timedelta(days=1)  # while the first process measures, the others wait; one that ends is noticed at once

T = TypeVar("T")


@dataclass(frozen=True)
class Team:
    rank: int = 0
    size: int = 1

    @property
    def is_first(self) -> bool:
        return self.rank == 0

    def share(self, rows: np.ndarray) -> tuple[np.ndarray, float]:
        """This process's rows of a batch, and the weight of their mean loss in that of the batch.

        A batch of fewer rows than processes leaves some without any: they take one that weighs nothing.
        """
        own = rows[self.rank :: self.size]
        return (own, self.size * len(own) / len(rows)) if len(own) else (rows[:1], 0.0)

    def together(self, model: Any) -> Callable[[Any], Losses]:
        """The loss of a batch, whose gradients are averaged over the processes; all begin with the first one's weights.

        Raises UserError for a model without weights to learn.
        """
        if self.size == 1:
            loss: Callable[[Any], Losses] = model.loss
            return loss
        if not [*model.parameters()]:
            raise UserError(
                f"This model is counted and not learned, which {self.size} processes can't do together. Start one."
            )
        warnings.filterwarnings("ignore", message="find_unused_parameters=True")  # some systems leave weights out
        return DistributedDataParallel(_Loss(model), find_unused_parameters=True)

    def add_up(self, sums: Mapping[str, float]) -> dict[str, float]:
        """Sums over all processes of what each has."""
        each: list[Any] = [dict(sums)]
        if self.size > 1:
            each = [None] * self.size
            distributed.all_gather_object(each, dict(sums))
        return {name: sum(one.get(name, 0.0) for one in each) for name in {name: 0 for one in each for name in one}}

    def of_first(self, make: Callable[[], T]) -> T:
        """What the first process makes, told to all."""
        if self.size == 1:
            return make()
        told = [make() if self.is_first else None]
        distributed.broadcast_object_list(told, src=0)
        return told[0]  # type: ignore[return-value]


ALONE = Team()


class _Loss(nn.Module):
    """A model whose forward pass is its loss, as DistributedDataParallel wants it."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model

    def forward(self, batch: Any) -> Losses:
        found: Losses = self.model.loss(batch)
        return found


def is_started() -> bool:
    """Whether torchrun has started this process and others beside it."""
    return all(name in os.environ for name in STARTED) and int(os.environ["WORLD_SIZE"]) > 1


@contextmanager
def joined(device: str) -> Iterator[Team]:
    """The processes that torchrun has started, while they train; all but the first tell no news.

    Raises UserError where one of the others ends before its time.
    """
    if not is_started():
        yield ALONE
        return
    if device == "cuda":
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    distributed.init_process_group("nccl" if device == "cuda" else "gloo", timeout=PATIENCE)
    team = Team(distributed.get_rank(), distributed.get_world_size())
    if not team.is_first:
        console.mute()
    try:
        yield team
    except (RuntimeError, distributed.DistError) as fault:
        if not _is_of_another(fault):
            raise
        raise UserError(
            f"Another of the {team.size} processes of this training has ended, so this one ends, too. What was trained "
            "up to the last checkpoint is kept: the same command goes on from it with --resume and its --run-dir."
        ) from fault
    finally:
        distributed.destroy_process_group()


def _is_of_another(fault: Exception) -> bool:
    """Whether what failed is the talk with other processes: gloo has no exception of its own for it."""
    return isinstance(fault, distributed.DistError) or "gloo" in str(fault) or "Connection closed" in str(fault)
