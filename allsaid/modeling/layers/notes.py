"""Attention to the places of a source, and writing notes into them (Benmalek et al. 2019, equations 1 to 6).

A memory holds the states h of S places. There are P memories, each for B · n / P hypotheses: one for each text or, if
hypotheses write to their own copies, one for each hypothesis. A memory also holds the products W h, the arguments of a
tanh. A write changes h to α u + (1 − α) h, so W h becomes α W u + (1 − α) W h, and no product over all places is
computed again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any  # Any: autograd's context, whose type declares no saved tensors

import torch
from torch import Tensor, nn
from torch.nn import functional as F


@dataclass(frozen=True)
class Memory:
    """States and keys of the places and, for a scratchpad, the input of its gates."""

    states: Tensor  # (P, S, k) h
    keys: Tensor  # (P, S, k) W2 h of equation 1
    gates: Tensor  # (P, S, k / 2) the first layer of f for h; S is 0 if nothing is written


COVERAGE = 10  # numbers of a place, the best of those that Tu et al. 2016 tried


class Coverage(nn.Module):
    """The attention to a place so far, as numbers that a GRU updates (Tu et al. 2016, section 3.1.2)."""

    def __init__(self, k: int) -> None:
        super().__init__()
        self.cell = nn.GRUCell(1 + 2 * k, COVERAGE)

    def forward(self, seen: Tensor, weights: Tensor, states: Tensor, s: Tensor) -> Tensor:
        """Return the coverage (B · n, S, 10) after a word, from that before, the attention, and both states.

        weights: (B · n, S); states: (B, S, k) of the places; s: (B · n, k).
        """
        states = states.repeat_interleave(len(s) // len(states), dim=0)
        read = torch.cat([weights.unsqueeze(2), states, s.unsqueeze(1).expand_as(states)], dim=2)
        updated: Tensor = self.cell(read.flatten(0, 1), seen.flatten(0, 1))
        return updated.view_as(seen)


class Attention(nn.Module):
    """Equations 1 to 3, or *general* scores (Luong et al. 2015, section 3.1).

    With ``covers`` numbers of each place, these are part of the scores: the sum of the attention so far (See et al.
    2017, equation 11), or its :class:`Coverage`.
    """

    def __init__(self, k: int, covers: int, general: bool) -> None:
        super().__init__()
        self.query = None if general else nn.Linear(k, k)
        self.key = nn.Linear(k, k, bias=False)
        self.score = None if general else nn.Parameter(torch.empty(k))
        self.cover = nn.Parameter(torch.empty(covers, k)) if covers else None

    def scores(self, memory: Memory, s: Tensor, seen: Tensor) -> Tensor:
        """Return v · tanh(W1 s + W2 h), or s · W2 h, for all places (B · n, S).

        s: (B · n, k); seen: (B · n, S, covers), whose product with a matrix is added to W2 h.
        """
        texts, places, k = memory.keys.shape
        if self.query is None:
            scores = torch.bmm(s.view(texts, -1, k), memory.keys.transpose(1, 2)).view(len(s), places)
            return scores if self.cover is None else scores + (seen @ (s @ self.cover.t()).unsqueeze(2)).squeeze(2)
        sums = self.query(s).view(texts, -1, 1, k) + memory.keys.unsqueeze(1)
        if self.cover is not None:
            sums = sums + (seen @ self.cover).view(texts, -1, places, k)
        return (sums.tanh_() @ self.score).view(len(s), places)


def read(memory: Memory, weights: Tensor) -> Tensor:
    """Return Σ α h (B · n, k) for weights (B · n, S); equation 3."""
    return torch.bmm(weights.view(len(memory.states), -1, weights.shape[1]), memory.states).flatten(0, 1)


class Notes(nn.Module):
    """Equations 4 to 6; g and f have one hidden layer each.

    That of g has k units of tanh. That of f has k / 2 rectified units for each place, since a tanh there would take
    longer than the rest of a write.
    """

    def __init__(self, k: int) -> None:
        super().__init__()
        self.gates = k // 2
        self.of_step = nn.Linear(2 * k, k + self.gates)  # the first layers of g and f
        self.of_place = nn.Linear(k, self.gates, bias=False)  # the first layer of f for the state of a place
        self.note, self.gate = nn.Linear(k, k), nn.Linear(self.gates, 1)  # the last layers

    def forward(self, memory: Memory, decoded: Tensor, key: Tensor) -> tuple[Memory, Tensor]:
        """Return the memory after a word, and the gates α' (B · n, S) of its write.

        decoded: (B · n, 2k) [s ; c]; key: (k, k) W2, of the keys.

        Each hypothesis has its own memory.
        """
        of_note, of_gate = self.of_step(decoded).split([len(key), self.gates], dim=1)
        u = self.note(of_note.tanh()).tanh()
        of_u = F.linear(u, torch.cat([key, self.of_place.weight])).split([len(key), self.gates], dim=1)
        share = self.gate((of_gate.unsqueeze(1) + memory.gates).relu_()).sigmoid()  # α' (B · n, S, 1)
        before = (memory.states, memory.keys, memory.gates)
        after = Memory(*(Write.apply(old, new, share) for old, new in zip(before, (u, *of_u), strict=True)))
        return after, share.squeeze(2)


class Write(torch.autograd.Function):
    """α u + (1 − α) h of all places, equation 4; by hand, since autograd's gradient of u is as large as that of h."""

    @staticmethod
    def forward(ctx: Any, h: Tensor, u: Tensor, share: Tensor) -> Tensor:
        """h: (P, S, k); u: (P, k); share: (P, S, 1)."""
        ctx.save_for_backward(h, u, share)
        return torch.lerp(h, u.unsqueeze(1), share)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, ...]:
        (grad,) = grads
        h, u, share = ctx.saved_tensors
        d_share = torch.bmm(grad, u.unsqueeze(2)) - (grad * h).sum(2, keepdim=True)
        return torch.addcmul(grad, grad, share, value=-1), torch.bmm(share.transpose(1, 2), grad).squeeze(1), d_share
