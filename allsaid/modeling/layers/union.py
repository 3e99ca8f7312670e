"""−Σ log p of words of the vocabulary and of a table, whose words have an additional score (Lebret et al. 2016).

Equation 23 and the softmax over W ∪ Q, with its gradient, block by block: the (N, V) scores are never held as a whole.
"""

from __future__ import annotations

from typing import Any  # Any: autograd's context, whose type declares no saved tensors

import torch
from torch import Tensor

from allsaid.modeling.data.vocabulary import PAD, UNKNOWN
from allsaid.modeling.layers.gradients import BLOCK, add_product, softmax_nll

LINE = 16  # numbers in a cache line: writing rows that are aligned to it is a fifth faster


class UnionNll(torch.autograd.Function):
    """−log p of N words, each with a table of C words; the sum, and each one (N,) without a gradient."""

    @staticmethod
    def forward(
        ctx: Any,
        outputs: Tensor,
        weight: Tensor,
        bias: Tensor,
        copies: Tensor,
        ids: Tensor,
        reads: Tensor,
        targets: Tensor,
    ) -> tuple[Tensor, Tensor]:
        """outputs: (N, k); weight: (V, k), in the type of the product; bias: (V,); copies: (N, C) scores of the
        table's words; ids: (N, C) these words, copy candidates from V on, each once, padded with PAD; reads: (N, C)
        the word of the vocabulary whose score is added, or UNKNOWN; targets: (N,) ids.
        """
        words, places = len(weight), copies.shape[1]
        nll = outputs.new_empty(len(outputs))
        d_outputs, d_copies = torch.empty_like(outputs), torch.empty_like(copies)
        d_weight = torch.zeros(weight.shape, dtype=outputs.dtype, device=weight.device)
        d_bias = torch.zeros_like(bias)
        width = words + places + -(words + places) % LINE
        size = max(1, min(len(outputs), BLOCK[outputs.device.type] // width))
        buffer = outputs.new_empty(size, width)  # memory shared by all blocks
        ones = buffer.new_ones(size)
        for start in range(0, len(outputs), size):
            rows = slice(start, start + size)
            part, id_, read, target = outputs[rows].to(weight.dtype), ids[rows], reads[rows], targets[rows, None]
            scores = buffer[: len(part)]
            _project(part, weight, bias, scores[:, :words])
            scores[:, words:] = float("-inf")
            has_base = read != UNKNOWN
            base = scores.gather(1, read) * has_base
            scores.scatter_(1, id_, base + copies[rows].masked_fill(id_ == PAD, 0))
            nll[rows] = softmax_nll(scores, target, scores)
            scores.scatter_add_(1, target, torch.full_like(target, -1, dtype=scores.dtype))  # now it is d nll
            of_words = scores.gather(1, id_).masked_fill(id_ == PAD, 0)
            d_copies[rows] = of_words
            # The part of a copy candidate in the gradient of the word whose score is added.
            scores.scatter_add_(1, read, of_words * (has_base & (id_ >= words)))
            d_scores = scores[:, :words].to(weight.dtype)
            d_outputs[rows] = d_scores @ weight
            add_product(d_weight, d_scores.t(), part)
            d_bias.addmv_(scores[:, :words].t(), ones[: len(part)])  # a sum in a third of the time of `sum`
        ctx.save_for_backward(d_outputs, d_weight, d_bias, d_copies)
        ctx.mark_non_differentiable(nll)
        return nll.sum(), nll

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        grad = grads[0]
        return *(part * grad for part in ctx.saved_tensors), None, None, None


def _project(part: Tensor, weight: Tensor, bias: Tensor, scores: Tensor) -> None:
    """Write W o + b to ``scores``."""
    if weight.dtype == scores.dtype:
        torch.addmm(bias, part, weight.t(), out=scores)
    else:
        torch.add(part @ weight.t(), bias, out=scores)
