"""The last layer of a step: scores of all words, in buffers that are allocated once.

A fresh (V, B · n) tensor a step costs several times the product itself, since its pages must be fetched.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional as F

from training.models.contract import Scores

BLOCK = 32  # words; the best ones are found by the maxima of blocks, so scores come in whole ones


class Projection:
    """Scores W o + b of the vocabulary's words, and those of the example's own words beside them."""

    def __init__(self, weight: Tensor, bias: Tensor | None = None) -> None:
        """weight: (V, k), whose type is the product's; bias: (V,)."""
        self._weight, self._bias = weight, bias
        self._values = self._room = weight.new_empty(0)

    def __call__(self, outputs: Tensor, own: Tensor | None = None) -> Scores:
        """outputs: (B · n, k); own: (B · n, C) unnormalised scores of the example's own words."""
        if torch.is_grad_enabled():  # gradients need tensors of their own
            values = F.linear(outputs.to(self._weight.dtype), self._weight, self._bias).to(outputs.dtype)
            return scores_of(values if own is None else torch.cat([values, own], dim=1))
        words = len(self._weight)
        size = words + (0 if own is None else own.shape[1])
        self._allocate(size + -size % BLOCK, outputs)
        turned = outputs.to(self._weight.dtype).t().contiguous()
        if turned.dtype == self._values.dtype:
            torch.mm(self._weight, turned, out=self._values[:words])
        else:
            self._values[:words] = self._weight @ turned
        if self._bias is not None:
            self._values[:words] += self._bias.unsqueeze(1)
        if own is not None:
            self._values[words:size] = own.t()
        # `torch.logsumexp` does the same without the room, and takes five times as long on a CPU.
        highest = self._values.amax(0)
        total = torch.sub(self._values, highest, out=self._room).exp_().sum(0)
        return Scores(self._values, total.log_().add_(highest), self._room, size)

    def _allocate(self, words: int, outputs: Tensor) -> None:
        if self._values.shape != (words, len(outputs)) or self._values.dtype != outputs.dtype:
            self._values = outputs.new_full((words, len(outputs)), float("-inf"))
            self._room = torch.empty_like(self._values)


def scores_of(values: Tensor) -> Scores:
    """The scores of a model that has no projection: unnormalised (B · n, V + C)."""
    filled = F.pad(values.t(), (0, 0, 0, -values.shape[1] % BLOCK), value=float("-inf"))
    return Scores(filled, values.logsumexp(1), torch.empty_like(filled), values.shape[1])
