"""What the states of several models have in common."""

from __future__ import annotations

import torch
from torch import Tensor

from schemas.example import NO_ITEM


class WithoutItems:
    """Of B · n hypotheses whose model knows of no item that a word refers to."""

    h: Tensor  # (B · n, k)

    @property
    def item(self) -> Tensor:
        return torch.full((len(self.h),), NO_ITEM, device=self.h.device)

    @property
    def is_new(self) -> Tensor:
        return torch.zeros(len(self.h), dtype=torch.bool, device=self.h.device)


def rows_of(texts: Tensor, each: int) -> Tensor:
    """The rows of some texts, each of which has so many hypotheses side by side."""
    return (texts.unsqueeze(1) * each + torch.arange(each, device=texts.device)).flatten()
