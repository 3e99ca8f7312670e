"""An LSTM that reads from a memory at each step and feeds the result into its next input, with its gradients.

Autograd would add a gradient of the size of the whole memory at every step. Here the loop only computes what depends on
the step before. Each gradient of the memory is one product after the loop.
"""

from __future__ import annotations

from typing import Any  # Any: autograd's context, whose type declares no saved tensors

import torch
from torch import Tensor, nn
from torch.nn import functional as F


def run(
    lstm: nn.LSTM, x: Tensor, memory: Tensor, keys: Tensor, is_place: Tensor, h: Tensor, c: Tensor
) -> tuple[Tensor, Tensor]:
    """Run a layer whose input is a word and what was read at the step before, over T words.

    x: (B, T, k) embedded words; the others as in `AttentiveLstm`. Returns [s, d] (B, T, 2k) and e (B, T, S).
    """
    of_input, of_state, bias, other_bias = lstm.all_weights[0]
    of_word, of_read = of_input.chunk(2, dim=1)
    gates = F.linear(x.transpose(0, 1), of_word, bias + other_bias).contiguous()
    u = torch.cat([of_state, of_read], dim=1)
    s, d, scores = AttentiveLstm.apply(gates, memory, keys, is_place, u, h, c)
    return torch.cat([s, d], dim=2).transpose(0, 1), scores.transpose(0, 1)


class AttentiveLstm(torch.autograd.Function):
    """s_t, c_t = LSTM(s_(t-1), [y_t, d_(t-1)]), e_t = keys · s_t, d_t = Σ softmax(e_t) memory, over T steps.

    Yang et al. 2016, section 2.2, with the bilinear attention of Luong et al. 2015 instead of Bahdanau's network,
    which computes a tanh for each place and unit at every step. Gates are in the order of `torch.nn.LSTM`: i, f, g, o.
    """

    @staticmethod
    def forward(
        ctx: Any, x: Tensor, memory: Tensor, keys: Tensor, is_place: Tensor, u: Tensor, h: Tensor, c: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Run T steps, with d = 0 before the first one.

        x: (T, B, 4k) the part of words and biases in the gates; memory, keys: (B, S, k); is_place: (B, S) bool; u:
        (4k, 2k) the weights of s and d; h, c: (B, k) the state before the first step. Returns s (T, B, k), d (T, B, k)
        and e (T, B, S), the lowest number where there is no place.
        """
        steps, k = len(x), h.shape[1]
        both = h.new_zeros(steps + 1, len(h), 2 * k)  # s and d
        cells, gates = h.new_empty(steps + 1, *h.shape), torch.empty_like(x)
        scores, weights = h.new_empty(2, steps, *is_place.shape)
        both[0, :, :k], cells[0] = h, c
        u_t = u.t()
        closed = torch.zeros_like(weights[0]).masked_fill_(~is_place, torch.finfo(h.dtype).min).unsqueeze(2)
        for t in range(steps):
            torch.addmm(x[t], both[t], u_t, out=gates[t])
            gates[t, :, : 2 * k].sigmoid_()
            gates[t, :, 2 * k : 3 * k].tanh_()
            gates[t, :, 3 * k :].sigmoid_()
            i, f, g, o = gates[t].chunk(4, dim=1)
            torch.mul(f, cells[t], out=cells[t + 1]).addcmul_(i, g)
            both[t + 1, :, :k] = o * cells[t + 1].tanh()
            scores[t] = torch.baddbmm(closed, keys, both[t + 1, :, :k].unsqueeze(2)).squeeze(2)
            torch.softmax(scores[t], 1, out=weights[t])
            both[t + 1, :, k:] = torch.bmm(weights[t].unsqueeze(1), memory).squeeze(1)
        ctx.save_for_backward(memory, keys, u, both, cells, gates, weights)
        return both[1:, :, :k].clone(), both[1:, :, k:].clone(), scores

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        d_states, d_reads, d_scores = grads
        memory, keys, u, both, cells, gates, weights = ctx.saved_tensors
        k = cells.shape[2]
        i, f, g, o = gates.chunk(4, dim=2)
        tanh = cells[1:].tanh()
        # Factors from dL/dc (for o from dL/ds) to dL/d(argument of the gate), for all steps; multiplied in the loop.
        parts = (g * i * (1 - i), cells[:-1] * f * (1 - f), i * (1 - g * g), tanh * o * (1 - o))
        d_gates = torch.stack(parts, dim=2)
        d_cell = o * (1 - tanh * tanh)  # dL/ds -> dL/dc
        d_reads, d_scores = d_reads.clone(), d_scores.clone()
        d_both, carry = torch.zeros_like(both[0]), torch.zeros_like(cells[0])
        for t in range(len(gates) - 1, -1, -1):
            d_reads[t] += d_both[:, k:]
            d_weights = torch.bmm(memory, d_reads[t].unsqueeze(2)).squeeze(2)
            d_scores[t] += torch.ops.aten._softmax_backward_data(d_weights, weights[t], 1, weights.dtype)
            d_state = d_states[t] + d_both[:, :k] + torch.bmm(d_scores[t].unsqueeze(1), keys).squeeze(1)
            carry.addcmul_(d_state, d_cell[t])
            d_gates[t, :, :3] *= carry.unsqueeze(1)
            d_gates[t, :, 3] *= d_state
            d_both = d_gates[t].flatten(1) @ u
            carry *= f[t]
        d_x = d_gates.flatten(2)
        d_u = d_x.flatten(0, 1).t() @ both[:-1].flatten(0, 1)
        d_memory = torch.bmm(weights.permute(1, 2, 0), d_reads.transpose(0, 1))
        d_keys = torch.bmm(d_scores.permute(1, 2, 0), both[1:, :, :k].transpose(0, 1))
        return d_x, d_memory, d_keys, None, d_u, d_both[:, :k], carry
