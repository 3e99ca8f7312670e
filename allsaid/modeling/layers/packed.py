"""The source of a model that reads all items as one text: their words side by side, without filling in between."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from allsaid.modeling.data.copying import Prompts
from allsaid.modeling.data.tensors import Tensors
from allsaid.modeling.data.vocabulary import PAD


@dataclass(frozen=True)
class Packed(Tensors):
    """B sources of at most S words."""

    source: Tensor  # (B, S) ids, filled up with PAD
    items: Tensor  # (B, S) the item that each is of, 0 in the filling
    words: Tensor  # (B, S) which of the item's words it is, 0 in the filling


def pack(prompts: Prompts) -> Packed:
    """The words of all items, in their order."""
    length = prompts.items.shape[2]
    flat = prompts.items.flatten(1)
    order = (flat == PAD).to(torch.uint8).sort(dim=1, stable=True).indices
    order = order[:, : max(1, int((flat != PAD).sum(1).max()))]
    source = flat.gather(1, order)
    order = order.masked_fill(source == PAD, 0)
    return Packed(source, order // length, order % length)


def by_place(packed_items: Tensor, packed_words: Tensor, values: Tensor) -> Tensor:
    """Values (B · n, S) of packed words as (B · n, L, W), each where its item has it; in the filling they are 0."""
    sizes = int(packed_items.max()) + 1, int(packed_words.max()) + 1
    place = (packed_items * sizes[1] + packed_words).repeat_interleave(len(values) // len(packed_items), dim=0)
    return values.new_zeros(len(values), sizes[0] * sizes[1]).scatter_add_(1, place, values).view(-1, *sizes)
