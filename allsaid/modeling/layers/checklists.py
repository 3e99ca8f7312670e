"""Tensor functions of the checklist model: true checklists and reference types, and one step of its recurrence."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from schemas.example import NEW, USED


@dataclass(frozen=True)
class Truth:
    """The true types and items; at forced words the output is computed from them instead of the model's predictions.

    The paper does not mention forcing. The authors' code (neural-checklist, ``forward_pass``) forces every word.
    """

    forced: Tensor  # (B, T, 1) bool
    types: Tensor  # (B, T, 3), or 2 without used items: zeros and ones
    items: Tensor  # (B, T, L) zeros and ones


def true_checklists(refs: Tensor, items: int, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    """Return the items truly mentioned before each step, and the item mentioned at it.

    refs: (B, T) items of the predicted words, or NO_ITEM. Both results are (B, T, L) tensors of zeros and ones.
    """
    references = F.one_hot(refs + 1, items + 1)[:, :, 1:].to(dtype)
    before = references.cumsum(1) - references
    return before.clamp(max=1), references


def true_types(types: Tensor, checklists: Tensor, references: Tensor) -> Tensor:
    """Return the reference types (B, T) with only the first word of an item's first mention as new.

    checklists, references: the results of `true_checklists`.
    The checklist checks an item off at its first word, so the item is used at the other words of its name.
    """
    is_repeated = (checklists * references).sum(2) > 0
    return types.masked_fill(is_repeated & (types == NEW), USED)


def advance(tables: Tensor, tokens: Tensor, h: Tensor, u: Tensor, goal: Tensor, available: Tensor) -> Tensor:
    """Compute one step of the recurrence of section 4.5 (`GatedRecurrence`).

    tables: (5, V, k) W x of all words; tokens: (N,) the words read; h: (N, k); u: (5, k, k); goal: (B, 1, k);
    available: (B, n, k). N = B · n. The gates are z, r, s, q and the new content. Each is finished before the next one
    is begun, so that what it is computed from is still in the processor's cache.
    """
    read = h.to(u.dtype)

    def gate(number: int) -> Tensor:
        parts = tables[number].index_select(0, tokens)
        if read.dtype == parts.dtype:
            parts.addmm_(read, u[number].t())
        else:
            parts += F.linear(read, u[number])
        return parts.sigmoid_()

    new_h = tables[4].index_select(0, tokens).addcmul_(gate(1), F.linear(read, u[4]).to(h.dtype))
    by_text = new_h.view_as(available)
    by_text.addcmul_(gate(2).view_as(available), goal).addcmul_(gate(3).view_as(available), available).tanh_()
    # In place of the new content where no gradient needs it: a new tensor would have to be fetched from memory.
    return torch.lerp(h, new_h, gate(0), out=None if torch.is_grad_enabled() else new_h)
