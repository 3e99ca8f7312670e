"""The progress of a training, and its losses since the last logged figures."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from torch import Tensor

from allsaid.modeling.layers.losses import WORDS, Losses, means
from training.fitting.process_group import ProcessGroup


@dataclass
class TrainState:
    """The progress of a run, which is saved in each checkpoint."""

    epoch: int = 0  # finished epochs
    batch: int = 0  # finished batches of the current epoch
    step: int = 0  # finished batches in all
    best_loss: float = float("inf")  # lowest loss of a dev text after an epoch; if BLEU decides, its negative
    stalled: int = 0  # epochs since the best one
    history: list[dict[str, object]] = field(default_factory=list)  # figures of each epoch
    sums: dict[str, float] = field(default_factory=dict)  # this epoch's training losses and their counts so far


class Window:
    """Sums of losses on the device; they are fetched, which waits for the device, only when the window is closed."""

    def __init__(self, state: TrainState, group: ProcessGroup) -> None:
        self._state, self._group = state, group
        self._begin()

    def _begin(self) -> None:
        self._sums: dict[str, Tensor] = {}
        self._norms: Tensor | float = 0.0
        self._batches = 0
        self._since = time.monotonic()

    def add(self, losses: Losses, norm: Tensor, counts: bool = True) -> None:
        """Add a batch's losses, if they count, and its gradient's norm, which is the same in all processes."""
        for name, value in losses.sums().items() if counts else ():
            self._sums[name] = self._sums.get(name, 0) + value.detach().double()
        self._norms = self._norms + norm.detach().double()
        self._batches += 1

    def close(self) -> dict[str, float]:
        """Return the window's figures of all processes, add them to the epoch's, and begin a new window."""
        sums = self._group.add_up({name: value.item() for name, value in self._sums.items()})
        norms = float(self._norms)
        for name, value in sums.items():
            self._state.sums[name] = self._state.sums.get(name, 0.0) + value
        figures = means(sums, "train_") if sums else {}
        figures |= {
            "tokens_per_second": sums.get(WORDS, 0.0) / (time.monotonic() - self._since),
            "gradient_norm": norms / max(self._batches, 1),
        }
        self._begin()
        return figures
