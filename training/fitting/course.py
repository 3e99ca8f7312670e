"""Where a training stands, and what it has lost since its last figures."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from torch import Tensor

from allsaid.modeling.layers.losses import WORDS, Losses, means
from training.fitting.team import Team


@dataclass
class Course:
    """Where the run stands; it goes into each checkpoint."""

    epoch: int = 0  # epochs done
    batch: int = 0  # batches done of the one under way
    step: int = 0  # batches done in all
    best_loss: float = float("inf")  # of an epoch's end, a dev text; where BLEU decides, that below 0
    stalled: int = 0  # epochs since the best one
    history: list[dict[str, object]] = field(default_factory=list)  # one row an epoch
    sums: dict[str, float] = field(default_factory=dict)  # this epoch's training losses and their counts so far


class Window:
    """Adds up losses on the device; they are fetched, and so waited for, only when the window is closed."""

    def __init__(self, course: Course, team: Team) -> None:
        self._course, self._team = course, team
        self._begin()

    def _begin(self) -> None:
        self._sums: dict[str, Tensor] = {}
        self._norms: Tensor | float = 0.0
        self._batches = 0
        self._since = time.monotonic()

    def add(self, losses: Losses, norm: Tensor, counts: bool = True) -> None:
        """A batch's losses, where they count, and its gradient's norm, which all processes have alike."""
        for name, value in losses.sums().items() if counts else ():
            self._sums[name] = self._sums.get(name, 0) + value.detach().double()
        self._norms = self._norms + norm.detach().double()
        self._batches += 1

    def close(self) -> dict[str, float]:
        """The window's figures of all processes, which are also added to the epoch's; then a new window begins."""
        sums = self._team.add_up({name: value.item() for name, value in self._sums.items()})
        norms = float(self._norms)
        for name, value in sums.items():
            self._course.sums[name] = self._course.sums.get(name, 0.0) + value
        figures = means(sums, "train_") if sums else {}
        figures |= {
            "tokens_per_second": sums.get(WORDS, 0.0) / (time.monotonic() - self._since),
            "gradient_norm": norms / max(self._batches, 1),
        }
        self._begin()
        return figures
