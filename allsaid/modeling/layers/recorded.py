"""Functions of tensors that a GPU records once per shape and replays from then on, as CUDA graphs."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

Act = Callable[..., tuple[Tensor, ...]]
Shape = tuple[tuple[torch.Size, torch.dtype, torch.device], ...]


class Recorded:
    """A function from tensors to tensors that reads no value on the host.

    It gets copies of its arguments, which it may change. The next call with the same shapes overwrites its results. On
    a CPU nothing is recorded.
    """

    def __init__(self, act: Act) -> None:
        self._act = act
        self._recordings: dict[Shape, _Recording] = {}

    def __call__(self, *tensors: Tensor) -> tuple[Tensor, ...]:
        shape = tuple((tensor.shape, tensor.dtype, tensor.device) for tensor in tensors)
        if shape not in self._recordings:
            self._recordings[shape] = _Recording(self._act, tensors)
        return self._recordings[shape].play(tensors)


class _Recording:
    def __init__(self, act: Act, tensors: tuple[Tensor, ...]) -> None:
        self._act = act
        self._given = [tensor.clone(memory_format=torch.contiguous_format) for tensor in tensors]
        self._made: tuple[Tensor, ...] = ()
        self._graph: torch.cuda.CUDAGraph | None = None
        if tensors[0].is_cuda:
            act(*self._given)  # libraries initialise
            self._graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self._graph):  # recording computes nothing
                self._made = act(*self._given)

    def play(self, tensors: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        for argument, tensor in zip(self._given, tensors, strict=True):
            argument.copy_(tensor)
        if self._graph is None:
            self._made = self._act(*self._given)
        else:
            self._graph.replay()
        return self._made
