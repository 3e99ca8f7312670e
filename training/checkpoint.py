"""All that a training run needs to go on: one safetensors file, replaced in one move.

Tensors are the model's, the optimiser's and the random generators'; plain facts (epoch, step, …) are JSON in its
header.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor, nn

from console import UserError

FILE = "checkpoint.safetensors"


def write(
    path: Path, model: nn.Module, average: nn.Module, optimiser: torch.optim.Optimizer, facts: dict[str, Any]
) -> None:
    """Write a checkpoint; a process killed at any moment leaves the old or the new one.

    ``average`` is the model of averaged weights, or the model itself.
    """
    tensors = {f"model.{name}": value for name, value in model.state_dict().items()}
    if average is not model:
        tensors |= {f"average.{name}": value for name, value in average.state_dict().items()}
    for number, state in optimiser.state_dict()["state"].items():
        tensors |= {f"optimiser.{number}.{name}": value for name, value in state.items() if value is not None}
    tensors["random.cpu"] = torch.get_rng_state()
    if torch.cuda.is_available():
        tensors["random.cuda"] = torch.cuda.get_rng_state()
    write_tensors(path, tensors, {"facts": json.dumps(facts)})


def write_tensors(path: Path, tensors: dict[str, Tensor], metadata: dict[str, str]) -> None:
    """Write a safetensors file beside ``path``, force it to the disk and move it there."""
    beside = path.with_suffix(".part")
    save_file({name: value.detach().cpu().contiguous() for name, value in tensors.items()}, beside, metadata)
    beside.chmod(0o644)  # the library makes it for its owner alone, but a model's folder is read by other hosts
    with beside.open("rb") as file:
        os.fsync(file.fileno())
    beside.replace(path)


def read(path: Path, model: nn.Module, average: nn.Module, optimiser: torch.optim.Optimizer) -> dict[str, Any]:
    """Set models, optimiser and random generators to the checkpoint's; returns its facts."""
    try:
        with safe_open(path, framework="pt") as file:
            facts = json.loads(file.metadata()["facts"])
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  it is no dictionary
    except (SafetensorError, OSError, KeyError, TypeError) as fault:
        raise UserError(f"The checkpoint {path} can't be read ({fault}). Start a new run without --resume.") from fault
    model.load_state_dict(dict(_below(tensors, "model.")))
    if average is not model:
        average.load_state_dict(dict(_below(tensors, "average.")))
    optimiser.load_state_dict(optimiser.state_dict() | {"state": _optimiser_state(tensors)})
    torch.set_rng_state(tensors["random.cpu"])
    if torch.cuda.is_available() and "random.cuda" in tensors:
        torch.cuda.set_rng_state(tensors["random.cuda"])
    return facts


def _optimiser_state(tensors: dict[str, Tensor]) -> dict[int, dict[str, Tensor]]:
    state: dict[int, dict[str, Tensor]] = {}
    for key, value in _below(tensors, "optimiser."):
        number, name = key.split(".", 1)
        state.setdefault(int(number), {})[name] = value
    return state


def _below(tensors: dict[str, Tensor], prefix: str) -> list[tuple[str, Tensor]]:
    return [(name.removeprefix(prefix), value) for name, value in tensors.items() if name.startswith(prefix)]
