"""Steps whose tensors stay where they are, so that a GPU can record them once and play them from then on.

A step makes new tensors and keeps them in place of the old ones. Here what is kept is copied to where the tensors of
the first time stand, so that the next steps read from there, as those of a recording must.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

Key = tuple[int, str]  # which of the objects, and the name of its attribute


class FixedSteps:
    """A function that does the same at each call, but for the values of the tensors that some objects hold.

    On a GPU the first call does it, the second records it (a CUDA graph) and plays the recording, as all others do. On
    a CPU each call does it.
    """

    def __init__(self, act: Callable[[], None], objects: Callable[[], Sequence[object]], device: torch.device) -> None:
        """objects: what holds tensors as attributes; ``act`` writes into these, or makes others in their place."""
        self._act, self._objects, self._is_gpu = act, objects, device.type == "cuda"
        self._places: dict[Key, Tensor] | None = None  # of the tensors in whose place others are made
        self._graph: torch.cuda.CUDAGraph | None = None

    def __call__(self) -> None:
        if self._graph is None and (self._places is None or not self._is_gpu):
            self._do()
            return
        if self._graph is None:
            self._graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self._graph):  # nothing is computed meanwhile
                self._do()
        self._graph.replay()

    def _do(self) -> None:
        before = self._tensors()
        self._act()
        # Copies of all come first, since one may be of the same memory as another, or as its place.
        made = {key: value.clone() for key, value in self._tensors().items() if value is not before[key]}
        if self._places is None:
            self._places = made
        for key, value in made.items():
            place = self._places[key]
            if place is not value:
                place.copy_(value)
            number, name = key
            vars(self._objects()[number])[name] = place

    def _tensors(self) -> dict[Key, Tensor]:
        return {
            (number, name): value
            for number, one in enumerate(self._objects())
            for name, value in vars(one).items()
            if isinstance(value, Tensor)
        }
