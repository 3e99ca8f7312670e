"""Tokens per second of the checklist model's batched loss against its step by step version, in one run.

Both compute the same four losses and their gradients on the same made-up batches; the script checks that they agree.

    python benchmarks/train_step.py [--device cuda] [--output benchmarks/results/train_step.json]
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import torch
from result_file import write
from torch import Tensor
from torch.nn import functional as F

from schemas.example import NEW, NO_ITEM, NONE, USED
from training.models.checklist import Checklist, Settings, true_checklists, true_types
from training.tasks.agenda import Batch, Prompts
from training.tasks.vocabulary import END, PAD, START

SIZES = (13_000, 4_300, 5_000)  # words of the text, title and agenda vocabularies of the whole library, about
TEXTS, LENGTH, ITEMS = 30, 125, 10  # the paper's batch, the library's mean length and agenda


def made_up_batch(seed: int, device: str) -> Batch:
    """A batch of the library's usual sizes: one word in sixteen is a first mention, one in thirty a later one."""
    chance = torch.Generator().manual_seed(seed)

    def draw(high: int, *shape: int) -> Tensor:
        return torch.randint(4, high, shape, generator=chance)

    targets = torch.cat([draw(SIZES[0], TEXTS, LENGTH - 1), torch.full((TEXTS, 1), END)], dim=1)
    refs = torch.full_like(targets, NO_ITEM)
    types = torch.full_like(targets, NONE)
    for item in range(ITEMS - 2):
        for place, kind in ((5 + 12 * item, NEW), (70 + 4 * item, USED)):
            refs[:, place], types[:, place] = item, kind
    prompts = Prompts(
        goal=draw(SIZES[1], TEXTS, 4),
        items=draw(SIZES[2], TEXTS, ITEMS, 2),
        names=draw(SIZES[0], TEXTS, ITEMS, 2),
        item_mask=torch.ones(TEXTS, ITEMS, dtype=torch.bool),
        weights=torch.ones(TEXTS, ITEMS),
    )
    inputs = torch.cat([torch.full((TEXTS, 1), START), targets[:, :-1]], dim=1)
    return Batch(prompts, inputs, targets, types, refs).to(device)


def stepwise_loss(model: Checklist, batch: Batch) -> Tensor:
    """``model.loss(batch).total`` by ``start`` and ``step``, one word after the other."""
    state = model.start(batch.prompts)
    checklists, references = true_checklists(batch.refs, batch.prompts.item_mask.shape[1], torch.float32)
    types = true_types(batch.types, checklists, references)
    total = torch.zeros((), device=batch.inputs.device)
    for t in range(batch.inputs.shape[1]):
        log_probs, state = model.step(replace(state, checklist=checklists[:, t]), batch.inputs[:, t])
        total = total + F.nll_loss(log_probs, batch.targets[:, t], ignore_index=PAD, reduction="sum")
        scaled = model.config.type_scale * (F.one_hot(types[:, t], 3) - state.ref_types)
        total = total + scaled.square().mean(1).sum()
        for kind, found in ((NEW, state.new_items), (USED, state.used_items)):
            total = total + (references[:, t] * (types[:, t] == kind).unsqueeze(1) - found).square().sum()
    return total / len(batch.inputs)


def measure(model: Checklist, loss: Callable[[Batch], Tensor], batches: list[Batch]) -> float:
    """Median tokens per second over the batches, gradients and the step of SGD included."""
    optimiser = torch.optim.SGD(model.parameters(), lr=0.1)
    rates = []
    for number, batch in enumerate(batches):
        _wait(batch)
        start = time.perf_counter()
        optimiser.zero_grad(set_to_none=True)
        loss(batch).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimiser.step()
        _wait(batch)
        if number:  # the first one warms up
            rates.append(batch.targets.numel() / (time.perf_counter() - start))
    return statistics.median(rates)


def _wait(batch: Batch) -> None:
    if batch.inputs.is_cuda:
        torch.cuda.synchronize()


def run(device: str, repeats: int, hidden: int) -> dict[str, object]:
    torch.manual_seed(1)
    batches = [made_up_batch(seed, device) for seed in range(repeats + 1)]
    model = Checklist(Settings(hidden=hidden, init=0.1), SIZES).to(device)
    with torch.no_grad():
        apart = abs(model.loss(batches[0]).total - stepwise_loss(model, batches[0])).item()
    figures: dict[str, object] = {
        "batched": measure(model, lambda batch: model.loss(batch).total, batches),
        "step_by_step": measure(model, lambda batch: stepwise_loss(model, batch), batches),
    }
    if device == "cuda":
        rough = Checklist(model.config, SIZES, torch.bfloat16).to(device)
        figures["batched_bfloat16"] = measure(rough, lambda batch: rough.loss(batch).total, batches)
    return {
        "unit": "tokens/s, loss and gradients and one step of SGD, median of the repeats",
        "figures": {name: round(float(value)) for name, value in figures.items()},  # type: ignore[arg-type]
        "loss_difference": apart,
        "sizes": {"texts": TEXTS, "length": LENGTH, "items": ITEMS, "hidden": hidden, "words": SIZES[0]},
        "repeats": repeats,
        "device": torch.cuda.get_device_name() if device == "cuda" else platform.processor() or platform.machine(),
        "threads": torch.get_num_threads(),
        "torch": torch.__version__,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", default="cpu", choices=["cpu", "cuda"])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--hidden", type=int, default=256)
    parser.add_argument("--output", type=Path, default=Path(__file__).parent / "results" / "train_step.json")
    options = parser.parse_args()
    result = run(options.device, options.repeats, options.hidden)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    write(options.output, result)
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
