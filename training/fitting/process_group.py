"""Several processes that train one model together: ``torchrun --nproc-per-node 2 -m training CONFIG …``.

Each takes its part of every batch; DistributedDataParallel averages the gradients, with gloo on a CPU and nccl on GPUs.
So W processes with batches of N texts learn the same as one process with batches of W · N, except for dropout. Only the
first process writes, measures and reports; its measurements decide for all.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypeVar  # Any: networks and batches, known only at run time

import numpy as np
import torch
from torch import distributed, nn
from torch.nn.parallel import DistributedDataParallel

from allsaid import console
from allsaid.modeling.layers.losses import Losses
from schemas.errors import UserError

VARIABLES = ("RANK", "WORLD_SIZE", "LOCAL_RANK", "MASTER_ADDR", "MASTER_PORT")  # variables that torchrun sets
PATIENCE = timedelta(days=1)  # others wait while the first process measures; a process that ends is noticed at once

T = TypeVar("T")


@dataclass(frozen=True)
class ProcessGroup:
    """One process's view of the group."""

    rank: int = 0
    size: int = 1

    @property
    def is_first(self) -> bool:
        return self.rank == 0

    def part_of(self, rows: np.ndarray) -> tuple[np.ndarray, float]:
        """Return this process's rows of a batch, and the weight of their mean loss in the batch's mean loss.

        If a batch has fewer rows than processes, the others take one row with weight 0.
        """
        own = rows[self.rank :: self.size]
        return (own, self.size * len(own) / len(rows)) if len(own) else (rows[:1], 0.0)

    def loss_of(self, model: Any) -> Callable[[Any], Losses]:
        """Return a model's loss function; gradients are averaged over the processes, weights are the first one's.

        Raises UserError for a model without weights to learn.
        """
        if self.size == 1:
            loss: Callable[[Any], Losses] = model.loss
            return loss
        if not [*model.parameters()]:
            raise UserError(
                f"This model is counted, not learned, which {self.size} processes can't do together. Start one process."
            )
        warnings.filterwarnings("ignore", message="find_unused_parameters=True")  # some models leave weights unused
        return DistributedDataParallel(_Loss(model), find_unused_parameters=True)

    def add_up(self, sums: Mapping[str, float]) -> dict[str, float]:
        """Return the sums over all processes."""
        all_sums: list[Any] = [dict(sums)]  # of every process
        if self.size > 1:
            all_sums = [None] * self.size
            distributed.all_gather_object(all_sums, dict(sums))
        names = dict.fromkeys(name for process_sums in all_sums for name in process_sums)
        return {name: sum(process_sums.get(name, 0.0) for process_sums in all_sums) for name in names}

    def from_first(self, make: Callable[[], T]) -> T:
        """Return the value that the first process makes, in all processes."""
        if self.size == 1:
            return make()
        values = [make() if self.is_first else None]
        distributed.broadcast_object_list(values, src=0)
        return values[0]  # type: ignore[return-value]


ALONE = ProcessGroup()


class _Loss(nn.Module):
    """A model whose forward pass is its loss, as DistributedDataParallel needs it."""

    def __init__(self, model: Any) -> None:
        super().__init__()
        self.model = model

    def forward(self, batch: Any) -> Losses:
        losses: Losses = self.model.loss(batch)
        return losses


def is_started() -> bool:
    """Return whether torchrun has started this process and others."""
    return all(name in os.environ for name in VARIABLES) and int(os.environ["WORLD_SIZE"]) > 1


@contextmanager
def joined(device: str) -> Iterator[ProcessGroup]:
    """Join the group of processes that torchrun has started; all but the first one report only warnings.

    Raises UserError if another process ends too early.
    """
    if not is_started():
        yield ALONE
        return
    if device == "cuda":
        torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
    distributed.init_process_group("nccl" if device == "cuda" else "gloo", timeout=PATIENCE)
    group = ProcessGroup(distributed.get_rank(), distributed.get_world_size())
    if not group.is_first:
        console.mute()
    try:
        yield group
    except (RuntimeError, distributed.DistError) as fault:
        if not _is_lost_connection(fault):
            raise
        raise UserError(
            f"Another of the {group.size} processes of this training has ended, so this one ends too. The last "
            "checkpoint is kept: the same command continues from it with --resume and its --run-dir."
        ) from fault
    finally:
        distributed.destroy_process_group()


def _is_lost_connection(fault: Exception) -> bool:
    """Return whether the communication with other processes failed; gloo has no exception class for it."""
    return isinstance(fault, distributed.DistError) or "gloo" in str(fault) or "Connection closed" in str(fault)
