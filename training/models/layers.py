"""Parts of models whose gradients are written by hand, because autograd's are slow or large."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

# Elements of a block of logits: small enough for a core's cache, large enough for a GPU.
_BLOCK = {"cpu": 1 << 21, "cuda": 1 << 27}


def softmax_over(scores: Tensor, mask: Tensor) -> Tensor:
    """Softmax over the last axis where ``mask`` (which broadcasts) is true; 0 elsewhere."""
    return torch.softmax(scores.masked_fill(~mask, torch.finfo(scores.dtype).min), dim=-1) * mask


class GatedRecurrence(torch.autograd.Function):
    """The recurrence of Kiddon et al. 2016, section 4.5, over T steps.

    z, r, s, q = σ(x_zrsq + U_zrsq h), h̃ = tanh(x_h + r ∘ U_h h + s ∘ goal + q ∘ items), h ← (1 − z) h + z h̃.

    Only one product and pointwise work stand in the loop; backward's loop holds three operations, since what
    a step's gradient is multiplied with is known beforehand for all steps at once.
    """

    @staticmethod
    def forward(ctx: Any, x: Tensor, items: Tensor, goal: Tensor, u: Tensor, h: Tensor) -> Tensor:
        """Run T steps.

        x: (T, B, 5k) input parts of z, r, s, q, h̃; items: (T, B, k); goal: (B, k); u: (5k, k) U_z, U_r, U_s, U_q,
        U_h, whose type is the product's; h: (B, k) the state before the first step. Returns (T, B, k), float32 or as h.
        """
        steps, k = len(x), h.shape[1]
        states = h.new_empty(steps + 1, *h.shape)
        gates, from_h, news = h.new_empty(steps, len(h), 4 * k), torch.empty_like(states[1:]), torch.empty_like(items)
        states[0] = h
        u_t = u.t()
        for t in range(steps):
            product = (states[t].to(u.dtype) @ u_t).to(h.dtype)
            torch.sigmoid(x[t, :, : 4 * k] + product[:, : 4 * k], out=gates[t])
            z, r, s, q = gates[t].chunk(4, dim=1)
            from_h[t] = product[:, 4 * k :]
            new = torch.addcmul(x[t, :, 4 * k :], r, from_h[t]).addcmul_(s, goal).addcmul_(q, items[t])
            torch.tanh(new, out=news[t])
            torch.lerp(states[t], news[t], z, out=states[t + 1])
        ctx.save_for_backward(items, goal, u, states, gates, from_h, news)
        return states[1:]

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        (grad,) = grads
        items, goal, u, states, gates, from_h, news = ctx.saved_tensors
        z, r, s, q = gates.chunk(4, dim=2)
        new_scale = z * (1 - news * news)  # dL/dh -> dL/d(argument of tanh)
        scale = torch.stack(  # dL/dh -> dL/d(product of U and h), its five parts
            [
                (news - states[:-1]) * z * (1 - z),
                new_scale * from_h * r * (1 - r),
                new_scale * goal * s * (1 - s),
                new_scale * items * q * (1 - q),
                new_scale * r,
            ],
            dim=2,
        )
        keep = 1 - z
        d_h = torch.empty_like(grad)
        d_product = torch.empty_like(scale)
        carry = torch.zeros_like(grad[0])
        for t in range(len(grad) - 1, -1, -1):
            torch.add(grad[t], carry, out=d_h[t])
            torch.mul(d_h[t].unsqueeze(1), scale[t], out=d_product[t])
            carry = (d_product[t].flatten(1).to(u.dtype) @ u).to(grad.dtype).addcmul_(d_h[t], keep[t])
        d_new = d_h * new_scale
        d_product = d_product.flatten(2)
        d_u = d_product.flatten(0, 1).t().to(u.dtype) @ states[:-1].flatten(0, 1).to(u.dtype)
        k = goal.shape[1]
        d_x = torch.cat([d_product[:, :, : 4 * k], d_new], dim=2)
        return d_x, d_new * q, (d_new * s).sum(0), d_u, carry


class ProjectedNll(torch.autograd.Function):
    """−Σ log softmax(W o)[target] without ever holding the N × V logits: block by block, gradients included."""

    @staticmethod
    def forward(ctx: Any, outputs: Tensor, weight: Tensor, targets: Tensor) -> Tensor:
        """outputs: (N, k); weight: (V, k), whose type is the product's; targets: (N,). Returns the sum, a scalar."""
        wanted = any(ctx.needs_input_grad)
        d_outputs = torch.zeros_like(outputs) if wanted else None
        d_weight = torch.zeros(weight.shape, dtype=outputs.dtype, device=weight.device) if wanted else None
        total = outputs.new_zeros(())
        rows = max(1, _BLOCK[outputs.device.type] // len(weight))
        for start in range(0, len(outputs), rows):
            part = outputs[start : start + rows].to(weight.dtype)
            target = targets[start : start + rows].unsqueeze(1)
            logs = F.log_softmax(part @ weight.t(), dim=1, dtype=outputs.dtype)
            total -= logs.gather(1, target).sum()
            if d_outputs is not None and d_weight is not None:
                d_logits = logs.exp_().scatter_add_(1, target, torch.full_like(target, -1, dtype=logs.dtype))
                d_logits = d_logits.to(weight.dtype)
                d_outputs[start : start + rows] = d_logits @ weight
                d_weight += d_logits.t() @ part
        if wanted:
            ctx.save_for_backward(d_outputs, d_weight)
        return total

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        (grad,) = grads
        d_outputs, d_weight = ctx.saved_tensors
        return d_outputs * grad, d_weight * grad, None
