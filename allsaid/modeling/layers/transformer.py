"""Layers of a Transformer (Vaswani et al. 2017, section 3), with normalisation before each part, as is usual today.

Letters: `P` texts or hypotheses, `Q` queries, `S` keys, `k` hidden size, `a` the heads' total width.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import cast

import torch
from torch import Tensor, nn

from allsaid.modeling.layers.gradients import softmax_over

INNER = 4  # units of a feed-forward layer, in multiples of k


class Attention(nn.Module):
    """Multi-head attention. Keys and values are computed separately, so that they can be kept."""

    def __init__(self, k: int, heads: int) -> None:
        super().__init__()
        self.heads, width = heads, heads * max(1, k // heads)
        self.query = nn.Linear(k, width, bias=False)
        self.held = nn.Linear(k, 2 * width, bias=False)  # to keys and values; the name is a key of saved models
        self.out = nn.Linear(width, k)

    def forward(self, x: Tensor, kv: Tensor, is_open: Tensor) -> Tensor:
        """Attend; x: (P, Q, k); kv: (P, S, 2a) keys and values; is_open: the mask, which broadcasts to (P, Q, S)."""
        query, key, value = (self._by_head(part) for part in (self.query(x), *kv.chunk(2, dim=2)))
        scores = query @ key.transpose(2, 3) / math.sqrt(query.shape[3])
        return self.out((softmax_over(scores, is_open.unsqueeze(1)) @ value).transpose(1, 2).flatten(2))

    def _by_head(self, x: Tensor) -> Tensor:
        return x.unflatten(2, (self.heads, -1)).transpose(1, 2)


class Layer(nn.Module):
    """Attention to a text's tokens, in a decoder also to the source, and a feed-forward part."""

    def __init__(self, k: int, heads: int, dropout: float, is_decoder: bool) -> None:
        super().__init__()
        self.drop = nn.Dropout(dropout)
        self.own, self.own_norm = Attention(k, heads), nn.LayerNorm(k)
        self.source = Attention(k, heads) if is_decoder else None
        self.source_norm = nn.LayerNorm(k) if is_decoder else None
        self.inner = nn.Sequential(nn.LayerNorm(k), nn.Linear(k, INNER * k), nn.ReLU(), nn.Linear(INNER * k, k))

    def keys_values(self, x: Tensor) -> Tensor:
        """Return keys and values (P, Q, 2a) of a text's tokens (P, Q, k)."""
        return self.own.held(self.own_norm(x))

    def source_keys_values(self, memory: Tensor) -> Tensor:
        """Return keys and values (B, S, 2a) of an encoded source (B, S, k), for a decoder's layer."""
        assert self.source is not None
        return self.source.held(memory)

    def forward(
        self, x: Tensor, kv: Tensor, is_open: Tensor, source: Tensor | None = None, is_word: Tensor | None = None
    ) -> Tensor:
        """Return the layer's output (P, Q, k).

        x: (P, Q, k); kv: (P, S, 2a) of the text's tokens; is_open: as in `Attention`. In a decoder, source: (B, S, 2a)
        and is_word: (B, 1, S), of B texts with P / B hypotheses each.
        """
        x = x + self.drop(self.own(self.own_norm(x), kv, is_open))
        if self.source is not None and self.source_norm is not None and source is not None and is_word is not None:
            by_text = self.source_norm(x).view(len(source), -1, x.shape[2])
            x = x + self.drop(self.source(by_text, source, is_word)).view(x.shape)
        return x + self.drop(self.inner(x))


def stack(k: int, heads: int, dropout: float, is_decoder: bool, count: int) -> Sequence[Layer]:
    """Return ``count`` layers as one module."""
    return cast("Sequence[Layer]", nn.ModuleList(Layer(k, heads, dropout, is_decoder) for _ in range(count)))


def at_places(places: Tensor, k: int) -> Tensor:
    """Return the positional encoding (…, k) of places (…,), of sines and cosines (section 3.5)."""
    rates = torch.exp(torch.arange(0, k, 2, device=places.device) * (-math.log(10_000) / k))
    turns = places.unsqueeze(-1) * rates
    return torch.stack([turns.sin(), turns.cos()], dim=-1).flatten(-2)[..., :k]
