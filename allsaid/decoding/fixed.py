"""Search steps that a GPU can record once and replay (CUDA graphs).

A recording always reads and writes the same memory, but a step replaces tensors by new ones. So after each step the
new tensors are copied into the memory of the first ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

Key = tuple[int, str]  # the index of the object, and the name of its attribute


class FixedSteps:
    """A function whose calls differ only in the values of tensors that are attributes of some objects.

    On a GPU the first call runs it, the second one records it, and this and all later calls replay the recording. On a
    CPU each call runs it.
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
