"""Layers of a Transformer (Vaswani et al. 2017, section 3), normalised before each part, as later ones are.

Letters: P texts or hypotheses, Q words that look, S that are looked at, k hidden size, a the heads' width together.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from allsaid.modeling.layers.gradients import softmax_over

INNER = 4  # units of a feed-forward layer, over k


class Attention(nn.Module):
    """Several heads. Keys and values are made apart, so that they may be kept."""

    def __init__(self, k: int, heads: int) -> None:
        super().__init__()
        self.heads, width = heads, heads * max(1, k // heads)
        self.query, self.held = nn.Linear(k, width, bias=False), nn.Linear(k, 2 * width, bias=False)
        self.out = nn.Linear(width, k)

    def forward(self, x: Tensor, held: Tensor, is_open: Tensor) -> Tensor:
        """x: (P, Q, k); held: (P, S, 2a) keys and values; is_open: what may be looked at, broadcasts to (P, Q, S)."""
        query, key, value = (self._by_head(part) for part in (self.query(x), *held.chunk(2, dim=2)))
        scores = query @ key.transpose(2, 3) / math.sqrt(query.shape[3])
        return self.out((softmax_over(scores, is_open.unsqueeze(1)) @ value).transpose(1, 2).flatten(2))

    def _by_head(self, x: Tensor) -> Tensor:
        return x.unflatten(2, (self.heads, -1)).transpose(1, 2)


class Layer(nn.Module):
    """Attention to a text's own words, of a writing one to the source's too, and a feed-forward part."""

    def __init__(self, k: int, heads: int, dropout: float, writes: bool) -> None:
        super().__init__()
        self.dropout = dropout
        self.own, self.own_norm = Attention(k, heads), nn.LayerNorm(k)
        self.source = Attention(k, heads) if writes else None
        self.source_norm = nn.LayerNorm(k) if writes else None
        self.inner = nn.Sequential(nn.LayerNorm(k), nn.Linear(k, INNER * k), nn.ReLU(), nn.Linear(INNER * k, k))

    def hold(self, x: Tensor) -> Tensor:
        """Keys and values (P, Q, 2a) of a text's own words (P, Q, k)."""
        return self.own.held(self.own_norm(x))

    def hold_source(self, memory: Tensor) -> Tensor:
        """Of a layer that writes keys and values (B, S, 2a) of what the reading ones make of a source (B, S, k)."""
        assert self.source is not None
        return self.source.held(memory)

    def forward(
        self, x: Tensor, held: Tensor, is_open: Tensor, source: Tensor | None = None, is_word: Tensor | None = None
    ) -> Tensor:
        """x: (P, Q, k); held: (P, S, 2a) of its own words and is_open as in `Attention`; of a writing one source:
        (B, S, 2a) and is_word: (B, 1, S) of B texts, each with P / B hypotheses.
        """
        x = x + self._drop(self.own(self.own_norm(x), held, is_open))
        if self.source is not None and self.source_norm is not None and source is not None and is_word is not None:
            by_text = self.source_norm(x).view(len(source), -1, x.shape[2])
            x = x + self._drop(self.source(by_text, source, is_word)).view(x.shape)
        return x + self._drop(self.inner(x))

    def _drop(self, x: Tensor) -> Tensor:
        return F.dropout(x, self.dropout, self.training)


def stack(k: int, heads: int, dropout: float, writes: bool, count: int) -> Sequence[Layer]:
    """So many layers, as one module."""
    return cast("Sequence[Layer]", nn.ModuleList(Layer(k, heads, dropout, writes) for _ in range(count)))


def at_places(places: Tensor, k: int) -> Tensor:
    """Sines and cosines (…, k) that tell places (…,) apart (section 3.5)."""
    rates = torch.exp(torch.arange(0, k, 2, device=places.device) * (-math.log(10_000) / k))
    turns = places.unsqueeze(-1) * rates
    return torch.stack([turns.sin(), turns.cos()], dim=-1).flatten(-2)[..., :k]
