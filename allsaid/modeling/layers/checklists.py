"""Tensor functions of the checklist model: true checklists and reference types, and one step of its recurrence."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from schemas.example import NEW, USED


@dataclass(frozen=True)
class Truth:
    """The true types and items; at forced words the output is computed from them instead of the model's own.

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


def advance(x_parts: Tensor, h: Tensor, u: Tensor, goal: Tensor, available: Tensor) -> Tensor:
    """Compute one step of the recurrence of section 4.5 (`GatedRecurrence`).

    x_parts: (N, 5k); u: (5k, k); h, goal, available: (N, k).
    """
    k = h.shape[1]
    from_h = F.linear(h.to(u.dtype), u).to(h.dtype)
    z, r, s, q = from_h[:, : 4 * k].add_(x_parts[:, : 4 * k]).sigmoid_().chunk(4, dim=1)
    new_h = torch.addcmul(x_parts[:, 4 * k :], r, from_h[:, 4 * k :]).addcmul_(s, goal).addcmul_(q, available).tanh_()
    return torch.lerp(h, new_h, z)
