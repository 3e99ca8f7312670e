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
    """A function whose calls differ only in tensors that are attributes of some objects.

    On a GPU the first call runs it, the second one records it, and this and all later calls replay the recording. On a
    CPU each call runs it.
    """

    def __init__(self, step: Callable[[], None], objects: Callable[[], Sequence[object]], device: torch.device) -> None:
        """``step`` changes or replaces tensors that are attributes of the objects that ``objects`` returns."""
        self._step, self._objects, self._is_gpu = step, objects, device.type == "cuda"
        self._buffers: dict[Key, Tensor] | None = None  # the fixed memory of the tensors that are replaced
        self._graph: torch.cuda.CUDAGraph | None = None

    def __call__(self) -> None:
        if self._graph is None and (self._buffers is None or not self._is_gpu):
            self._run()
            return
        if self._graph is None:
            self._graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self._graph):  # nothing is computed while recording
                self._run()
        self._graph.replay()

    def _run(self) -> None:
        before = self._tensors()
        self._step()
        # Clone all new tensors first: one may share memory with another, or be the buffer of another attribute, which
        # the loop below overwrites.
        new = {key: value.clone() for key, value in self._tensors().items() if value is not before[key]}
        if self._buffers is None:
            self._buffers = new
        for key, value in new.items():
            buffer = self._buffers[key]
            if buffer is not value:
                buffer.copy_(value)
            index, name = key
            vars(self._objects()[index])[name] = buffer

    def _tensors(self) -> dict[Key, Tensor]:
        return {
            (index, name): value
            for index, owner in enumerate(self._objects())
            for name, value in vars(owner).items()
            if isinstance(value, Tensor)
        }
