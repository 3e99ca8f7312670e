"""Steps whose tensors keep their memory, so that a GPU can record them once and replay them.

A step makes new tensors and keeps them in place of the old ones. Here new tensors are copied into the memory of the
first ones, because the steps of a recording always read from there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

Key = tuple[int, str]  # the index of the object, and the name of its attribute


class FixedSteps:
    """A function that does the same at each call, except for the values of the tensors that some objects hold.

    On a GPU the first call runs it. The second call records it (a CUDA graph) and plays the recording, as all later
    calls do. On a CPU each call runs it.
    """

    def __init__(self, act: Callable[[], None], objects: Callable[[], Sequence[object]], device: torch.device) -> None:
        """objects: hold tensors as attributes; ``act`` writes into these tensors or replaces them."""
        self._act, self._objects, self._is_gpu = act, objects, device.type == "cuda"
        self._places: dict[Key, Tensor] | None = None  # the fixed memory of the tensors that are replaced
        self._graph: torch.cuda.CUDAGraph | None = None

    def __call__(self) -> None:
        if self._graph is None and (self._places is None or not self._is_gpu):
            self._do()
            return
        if self._graph is None:
            self._graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self._graph):  # nothing is computed while recording
                self._do()
        self._graph.replay()

    def _do(self) -> None:
        before = self._tensors()
        self._act()
        # Copy all of them first, since one may share memory with another or be its place.
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
