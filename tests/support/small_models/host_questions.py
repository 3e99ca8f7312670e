"""What a recorded step must not do: ask the host for a value, or for a size that depends on values."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode

aten = torch.ops.aten
ASKING = {
    aten._local_scalar_dense.default: "a number of a tensor",
    aten.nonzero.default: "the places that are not zero",
    aten.masked_select.default: "the chosen values",
    aten.lift_fresh.default: "a tensor of numbers of the host",
    aten.equal.default: "whether tensors are equal",
}
INDEXING = {aten.index.Tensor, aten.index_put.default, aten.index_put_.default}


class NoQuestions(TorchDispatchMode):
    """Within it, an operation that asks the host raises AssertionError."""

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        assert func not in ASKING, f"a step asks for {ASKING[func]}"
        if func in INDEXING:
            kinds = {one.dtype for one in args[1] if isinstance(one, Tensor)}
            assert not kinds & {torch.bool, torch.uint8}, "a step chooses values by a mask"
        return func(*args, **(kwargs or {}))
