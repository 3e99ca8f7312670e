"""Functions with gradients written by hand, where those of autograd would be slow or large."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any  # Any: autograd's context, whose type declares no saved tensors

import torch
from torch import Tensor

from allsaid.modeling.layers.recorded import Recorded

# Elements of a block of logits: a larger one reads the weights less often, a smaller one fits the cache; measured.
BLOCK = {"cpu": 1 << 23, "cuda": 1 << 27}
STRETCH = {"cpu": 0, "cuda": 32}  # steps of a recurrence that are recorded together; 0: none


def softmax_over(scores: Tensor, mask: Tensor) -> Tensor:
    """Return the softmax over the last axis where ``mask`` (which broadcasts) is true; 0 elsewhere."""
    scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    if torch.is_grad_enabled():
        return torch.softmax(scores, dim=-1) * mask
    # On a CPU `torch.softmax` takes three times as long for the few items of a text.
    found = scores.sub_(scores.amax(-1, keepdim=True)).exp_()
    return found.div_(found.sum(-1, keepdim=True)).mul_(mask)


def log_mass(mass: Tensor) -> Tensor:
    """Return the logarithm of parts of a probability; 0 counts as 1e-37, since log 0 takes a CPU five times as long."""
    return mass.clamp(min=1e-37).log()


class GatedRecurrence(torch.autograd.Function):
    """The recurrence of Kiddon et al. 2016, section 4.5, over T steps.

    z, r, s, q = σ(x_zrsq + U_zrsq h), h̃ = tanh(x_h + r ∘ U_h h + s ∘ goal + q ∘ items), h ← (1 − z) h + z h̃.

    Each step is one product and pointwise operations. A step of backward is one product and four operations, since
    factors of the gradients are computed for all steps at once, before the loop.
    """

    @staticmethod
    def forward(ctx: Any, x: Tensor, items: Tensor, goal: Tensor, u: Tensor, h: Tensor) -> Tensor:
        """Run T steps.

        x: (T, B, 5k) input parts of z, r, s, q, h̃; items: (T, B, k); goal: (B, k); u: (5k, k) U_z, U_r, U_s, U_q,
        U_h, in the type of the product; h: (B, k) the state before the first step. Returns (T, B, k), in the type of h.
        """
        steps, k = len(x), h.shape[1]
        states = h.new_empty(steps + 1, *h.shape)
        gates, from_h, news = h.new_empty(steps, len(h), 4 * k), torch.empty_like(states[1:]), torch.empty_like(items)
        states[0] = h
        stretches, recorded = _stretches(x)
        for part in stretches:
            results = _FORWARD(x[part], items[part], goal, u, states[part.start])
            for buffer, values in zip((states[1:], gates, from_h, news), results, strict=True):
                buffer[part] = values
        unrecorded = (tensor[recorded:] for tensor in (x, items, states, gates, from_h, news))
        _run_forward(goal, u, *unrecorded)
        ctx.save_for_backward(items, goal, u, states, gates, from_h, news)
        return states[1:]

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        (grad,) = grads
        items, goal, u, states, gates, from_h, news = ctx.saved_tensors
        z, r, s, q = gates.chunk(4, dim=2)
        new_scale = torch.ops.aten.tanh_backward(z, news)  # dL/dh -> dL/d(argument of tanh)
        # dL/dh -> dL/d(product of U and h), in five parts; the loop multiplies those of each step by dL/dh, in place
        d_product = news.new_empty(*news.shape[:2], 5, news.shape[2])
        parts = (news - states[:-1], new_scale * from_h, new_scale * goal, new_scale * items)
        for number, (part, gate) in enumerate(zip(parts, (z, r, s, q), strict=True)):
            torch.ops.aten.sigmoid_backward.grad_input(part, gate, grad_input=d_product[:, :, number])
        torch.mul(new_scale, r, out=d_product[:, :, 4])
        d_h = torch.empty_like(news)
        carry = torch.zeros_like(grad[0])
        stretches, recorded = _stretches(grad)
        carry = _run_backward(u, carry, *(tensor[recorded:] for tensor in (grad, z, d_product, d_h)))
        for part in reversed(stretches):
            d_product[part], d_h[part], before = _BACKWARD(grad[part], z[part], d_product[part], u, carry)
            carry = before.clone()  # the next call of this shape overwrites the result
        d_product = d_product.flatten(2)
        d_u = d_product.flatten(0, 1).t().to(u.dtype) @ states[:-1].flatten(0, 1).to(u.dtype)
        d_new = d_h * new_scale
        d_product[:, :, 4 * goal.shape[1] :] = d_new  # now it is dL/dx
        return d_product, d_new * q, (d_new * s).sum(0), d_u, carry


def _stretches(x: Tensor) -> tuple[list[slice], int]:
    """Return the stretches of T steps that are recorded together, from the first, and the number of these steps."""
    size = STRETCH[x.device.type]
    stretches = [slice(end - size, end) for end in range(size, len(x) + 1, size)] if size else []
    return stretches, len(stretches) * size


def _run_forward(
    goal: Tensor, u: Tensor, x: Tensor, items: Tensor, states: Tensor, gates: Tensor, from_h: Tensor, news: Tensor
) -> None:
    """Run T steps from ``states[0]``; write to the last four: (T + 1, B, k), (T, B, 4k), (T, B, k) twice."""
    k, u_t = states.shape[2], u.t()
    for t in range(len(x)):
        product = (states[t].to(u.dtype) @ u_t).to(states.dtype)
        torch.add(x[t, :, : 4 * k], product[:, : 4 * k], out=gates[t]).sigmoid_()
        z, r, s, q = gates[t].chunk(4, dim=1)
        from_h[t] = product[:, 4 * k :]
        new = torch.addcmul(x[t, :, 4 * k :], r, from_h[t], out=news[t])
        new.addcmul_(s, goal).addcmul_(q, items[t]).tanh_()
        torch.lerp(states[t], new, z, out=states[t + 1])


def _run_backward(u: Tensor, carry: Tensor, grad: Tensor, z: Tensor, d_product: Tensor, d_h: Tensor) -> Tensor:
    """Run T steps backwards: multiply ``d_product`` (T, B, 5, k), write ``d_h``; return dL/dh before the first step."""
    for t in range(len(grad) - 1, -1, -1):
        torch.add(grad[t], carry, out=d_h[t])
        from_product = d_product[t].mul_(d_h[t].unsqueeze(1)).flatten(1).to(u.dtype) @ u
        carry = torch.addcmul(d_h[t], d_h[t], z[t], value=-1).add_(from_product)
    return carry


def _record_forward(x: Tensor, items: Tensor, goal: Tensor, u: Tensor, h: Tensor) -> tuple[Tensor, ...]:
    states = h.new_empty(len(x) + 1, *h.shape)
    states[0] = h
    gates, from_h, news = (
        h.new_empty(*items.shape[:2], 4 * h.shape[1]),
        torch.empty_like(items),
        torch.empty_like(items),
    )
    _run_forward(goal, u, x, items, states, gates, from_h, news)
    return states[1:], gates, from_h, news


def _record_backward(grad: Tensor, z: Tensor, d_product: Tensor, u: Tensor, carry: Tensor) -> tuple[Tensor, ...]:
    d_h = torch.empty_like(grad)
    carry = _run_backward(u, carry, grad, z, d_product, d_h)
    return d_product, d_h, carry


_FORWARD, _BACKWARD = Recorded(_record_forward), Recorded(_record_backward)


class TargetLogProbs(torch.autograd.Function):
    """log softmax(W o)[target] of each row, computed by blocks of rows.

    If there is more than one block, the N × V logits are not kept: backward computes them again.
    """

    @staticmethod
    def forward(ctx: Any, outputs: Tensor, weight: Tensor, targets: Tensor) -> Tensor:
        """outputs: (N, k); weight: (V, k), in the type of the product; targets: (N,). Returns (N,)."""
        ctx.exps = None
        tops, normalisers, target_logits = outputs.new_empty(3, len(outputs))
        for rows, logits in _blocks(outputs, weight):
            target_logits[rows] = logits.gather(1, targets[rows].unsqueeze(1)).squeeze(1)
            torch.amax(logits, 1, out=tops[rows])
            logits.sub_(tops[rows].unsqueeze(1)).exp_()
            torch.add(tops[rows], logits.sum(1).log_(), out=normalisers[rows])
            if len(logits) == len(outputs):
                ctx.exps = logits
        ctx.save_for_backward(outputs, weight, targets, tops, normalisers)
        return target_logits - normalisers

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        (grad,) = grads
        outputs, weight, targets, tops, normalisers = ctx.saved_tensors
        exps, ctx.exps = ctx.exps, None  # they are overwritten; a second call computes them again
        d_outputs = torch.empty_like(outputs)
        d_weight = torch.zeros(weight.shape, dtype=outputs.dtype, device=weight.device)
        for rows, logits in _blocks(outputs, weight) if exps is None else [(slice(None), exps)]:
            if exps is None:
                logits.sub_(tops[rows].unsqueeze(1)).exp_()
            scale = grad[rows].unsqueeze(1)
            d_logits = logits.mul_(-scale * (tops[rows] - normalisers[rows]).exp_().unsqueeze(1))
            d_logits = d_logits.scatter_add_(1, targets[rows].unsqueeze(1), scale).to(weight.dtype)
            d_outputs[rows] = d_logits @ weight
            add_product(d_weight, d_logits.t(), outputs[rows].to(weight.dtype))
        return d_outputs, d_weight, None


def _blocks(outputs: Tensor, weight: Tensor) -> Iterator[tuple[slice, Tensor]]:
    """Yield some rows at a time and their logits, in the outputs' type; all share one buffer."""
    size = max(1, min(len(outputs), BLOCK[outputs.device.type] // len(weight)))
    buffer = outputs.new_empty(size, len(weight))
    for start in range(0, len(outputs), size):
        rows = slice(start, start + size)
        part = outputs[rows].to(weight.dtype)
        logits = buffer[: len(part)]
        if weight.dtype == outputs.dtype:
            torch.mm(part, weight.t(), out=logits)
        else:
            logits[:] = part @ weight.t()
        yield rows, logits


class ProjectedNll(torch.autograd.Function):
    """−Σ log softmax(W o)[target], block by block with its gradients, without ever holding the N × V logits."""

    @staticmethod
    def forward(ctx: Any, outputs: Tensor, weight: Tensor, targets: Tensor) -> Tensor:
        """outputs: (N, k); weight: (V, k), in the type of the product; targets: (N,). Returns the sum, a scalar."""
        needs_gradients = any(ctx.needs_input_grad)
        d_outputs = torch.empty_like(outputs) if needs_gradients else None
        d_weight = torch.zeros(weight.shape, dtype=outputs.dtype, device=weight.device) if needs_gradients else None
        total = outputs.new_zeros(())
        rows = max(1, min(len(outputs), BLOCK[outputs.device.type] // len(weight)))
        # All blocks share memory, since allocating it costs more than a pass over it.
        logits = weight.new_empty(rows, len(weight))
        probs = logits if weight.dtype == outputs.dtype else outputs.new_empty(logits.shape)
        for start in range(0, len(outputs), rows):
            part, target = outputs[start : start + rows].to(weight.dtype), targets[start : start + rows].unsqueeze(1)
            torch.mm(part, weight.t(), out=logits[: len(part)])
            d_logits = probs[: len(part)]
            total += softmax_nll(logits[: len(part)], target, d_logits).sum()
            if d_outputs is not None and d_weight is not None:
                d_logits.scatter_add_(1, target, torch.full_like(target, -1, dtype=d_logits.dtype))
                d_outputs[start : start + rows] = d_logits.to(weight.dtype) @ weight
                add_product(d_weight, d_logits.to(weight.dtype).t(), part)
        if needs_gradients:
            ctx.save_for_backward(d_outputs, d_weight)
        return total

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        (grad,) = grads
        d_outputs, d_weight = ctx.saved_tensors
        return d_outputs * grad, d_weight * grad, None


def softmax_nll(logits: Tensor, target: Tensor, probs: Tensor) -> Tensor:
    """Write softmax(logits) to ``probs``, which may be ``logits`` itself; return −log p (N,) of the targets (N, 1)."""
    top, true = logits.amax(1), logits.gather(1, target).squeeze(1)
    torch.softmax(logits, 1, dtype=probs.dtype, out=probs)
    # The probability of the likeliest word is never too small for a logarithm, but the target's may be.
    return top - probs.amax(1).log() - true


def add_product(total: Tensor, left: Tensor, right: Tensor) -> None:
    """Compute total += left @ right, in one operation if all three have the same type."""
    if left.dtype == total.dtype:
        total.addmm_(left, right)
    else:
        total += left @ right
