"""Checkpoints, from which a training run resumes: one safetensors file that is replaced atomically.

It holds the tensors of the model, the optimiser and the random generators. Its header has the run's progress (epoch,
step, …) as JSON, with the SHA-256 of progress and tensors. The best epoch's weights are in a file of the same form.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any  # Any: JSON

import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor, nn

from allsaid.modeling.models.base.contract import SizedByTexts
from allsaid.modeling.tensors import write_tensors
from schemas.errors import UserError

FILE = "checkpoint.safetensors"
BEST = "best.safetensors"
DIGEST = "sha256"  # among the facts
Facts = dict[str, Any]  # JSON values by name
ADAM_STATE = {"step", "exp_avg", "exp_avg_sq"}
REMEDY = "Start a new run without --resume, in another folder."


def write(path: Path, model: nn.Module, average: nn.Module, optimiser: torch.optim.Optimizer, facts: Facts) -> None:
    """Write a checkpoint; a process killed at any moment leaves the old or the new one.

    ``average``: the model of averaged weights, or the model itself.
    """
    tensors = {f"model.{name}": value for name, value in model.state_dict().items()}
    if average is not model:
        tensors |= {f"average.{name}": value for name, value in average.state_dict().items()}
    for number, state in optimiser.state_dict()["state"].items():
        tensors |= {f"optimiser.{number}.{name}": value for name, value in state.items() if value is not None}
    tensors["random.cpu"] = torch.get_rng_state()
    if torch.cuda.is_available():
        tensors["random.cuda"] = torch.cuda.get_rng_state()
    _write_sealed(path, tensors, facts)


def write_best(path: Path, weights: Mapping[str, Tensor]) -> None:
    """Write the weights of the best epoch so far."""
    _write_sealed(path, weights, {})


def _write_sealed(path: Path, tensors: Mapping[str, Tensor], facts: Facts) -> None:
    # One key in the header, since safetensors writes keys in a random order.
    on_cpu = {name: value.detach().cpu().contiguous() for name, value in tensors.items()}
    write_tensors(path, on_cpu, {"facts": json.dumps(facts | {DIGEST: _digest(on_cpu, facts)})})


def _digest(tensors: Mapping[str, Tensor], facts: Facts) -> str:
    digest = hashlib.sha256(json.dumps(facts, sort_keys=True).encode())
    for name, value in sorted(tensors.items()):
        digest.update(f"{name} {value.dtype} {list(value.shape)}".encode())
        digest.update(value.reshape(-1).view(torch.uint8).numpy().data)
    return digest.hexdigest()


def read(path: Path, model: nn.Module, average: nn.Module, optimiser: torch.optim.Optimizer) -> Facts:
    """Set models, optimiser and random generators to the checkpoint's; return its facts.

    Raises UserError if the file is damaged, or of another model or optimiser.
    """
    tensors, facts = _read_sealed(path)
    try:
        _set_weights(model, dict(_below(tensors, "model.")))
        if average is not model:
            _set_weights(average, dict(_below(tensors, "average.")))
        state = _optimiser_state(tensors)
        _check_optimiser(state, optimiser)
        optimiser.load_state_dict(optimiser.state_dict() | {"state": state})
        torch.set_rng_state(tensors["random.cpu"])
        if torch.cuda.is_available() and "random.cuda" in tensors:
            torch.cuda.set_rng_state(tensors["random.cuda"])
    except (RuntimeError, KeyError, ValueError, TypeError) as fault:
        raise UserError(f"The checkpoint {path} doesn't fit this run: {fault}. {REMEDY}") from fault
    return facts


def _set_weights(model: nn.Module, weights: Mapping[str, Tensor]) -> None:
    if isinstance(model, SizedByTexts):
        model.resize({name: value.shape for name, value in weights.items()})
    model.load_state_dict(weights)


def read_best(path: Path, model: nn.Module) -> dict[str, Tensor]:
    """Return the weights of the best epoch; raise UserError if the file is damaged, or of another model."""
    tensors, _ = _read_sealed(path)
    expected = model.state_dict()
    misfits = [
        name
        for name in sorted(expected.keys() | tensors.keys())
        if name not in expected or name not in tensors or expected[name].shape != tensors[name].shape
    ]
    if misfits:
        raise UserError(
            f"{path} doesn't fit this run: '{misfits[0]}' is missing, or of another size or model. {REMEDY}"
        )
    return tensors


def _read_sealed(path: Path) -> tuple[dict[str, Tensor], Facts]:
    """Return the tensors and facts; raise UserError if they were changed after they were written."""
    try:
        with safe_open(path, framework="pt") as file:
            facts = json.loads((file.metadata() or {}).get("facts", "{}"))
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  it is not a dictionary
        promised = facts.pop(DIGEST, None)
    except (SafetensorError, OSError, ValueError, AttributeError, TypeError, RecursionError) as fault:
        raise UserError(f"The checkpoint {path} can't be read ({fault}). {REMEDY}") from fault
    if promised != _digest(tensors, facts):
        raise UserError(f"The checkpoint {path} was changed or damaged after it was written. {REMEDY}")
    return tensors, facts


def _check_optimiser(state: dict[int, dict[str, Tensor]], optimiser: torch.optim.Optimizer) -> None:
    """Raise ValueError for a state that doesn't fit; PyTorch accepts any, and fails or learns wrongly later."""
    parameters = [parameter for group in optimiser.param_groups for parameter in group["params"]]
    expected = ADAM_STATE if isinstance(optimiser, torch.optim.Adam) else set()
    for number, parts in state.items():
        if number >= len(parameters) or parts.keys() != expected:
            raise ValueError(f"the optimiser's state {number} is not one of its own")
        for name, value in parts.items():
            if value.shape != (() if name == "step" else parameters[number].shape):
                raise ValueError(f"the optimiser's '{name}' of state {number} has another size")
    if expected and parameters and not state:
        raise ValueError("the optimiser's state is missing")


def _optimiser_state(tensors: dict[str, Tensor]) -> dict[int, dict[str, Tensor]]:
    state: dict[int, dict[str, Tensor]] = {}
    for key, value in _below(tensors, "optimiser."):
        number, name = key.split(".", 1)
        state.setdefault(int(number), {})[name] = value
    return state


def _below(tensors: dict[str, Tensor], prefix: str) -> list[tuple[str, Tensor]]:
    return [(name.removeprefix(prefix), value) for name, value in tensors.items() if name.startswith(prefix)]
