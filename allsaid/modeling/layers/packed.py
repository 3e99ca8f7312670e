"""The source of a model that reads all items as one text: their words after one another, without padding between."""

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

    source: Tensor  # (B, S) ids, padded with PAD
    items: Tensor  # (B, S) the item of each word, 0 for padding
    words: Tensor  # (B, S) the word's place in its item, 0 for padding


def pack(prompts: Prompts) -> Packed:
    """Return the words of all items, in their order."""
    length = prompts.items.shape[2]
    flat = prompts.items.flatten(1)
    # The words before the padding, both in their order.
    order = (flat == PAD).to(torch.uint8).sort(dim=1, stable=True).indices
    order = order[:, : max(1, int((flat != PAD).sum(1).max()))]
    source = flat.gather(1, order)
    order = order.masked_fill(source == PAD, 0)
    return Packed(source, order // length, order % length)


def by_place(packed_items: Tensor, packed_words: Tensor, values: Tensor) -> Tensor:
    """Return values (B · n, S) of packed words by item and word (B · n, L, W); those of padding are 0."""
    sizes = int(packed_items.max()) + 1, int(packed_words.max()) + 1
    place = (packed_items * sizes[1] + packed_words).repeat_interleave(len(values) // len(packed_items), dim=0)
    return values.new_zeros(len(values), sizes[0] * sizes[1]).scatter_add_(1, place, values).view(-1, *sizes)
