"""Damaged and changed checkpoints are refused before the training goes on."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from recorded import Recorded
from recorded import train as run
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from small_config import CONFIG

from allsaid.modeling.data.dataset import DataSet
from schemas.errors import UserError
from training.fitting import checkpoint
from training.fitting import loop as fit
from training.runs import run_folder


@pytest.fixture(scope="module")
def halfway(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that ended after an epoch, as a kill would leave it."""
    run_dir = tmp_path_factory.mktemp("halfway")
    data = DataSet(str(folder))
    run_folder.claim(CONFIG, data, run_dir, resume=False)
    fit._Run(CONFIG, data, run_dir, Recorded(), fit.ALONE, run_dir / "ids")._epoch()  # type: ignore[arg-type]
    return run_dir


def rewrite(path: Path, change: Callable[[dict[str, Any], dict[str, Any]], None]) -> None:
    """Write a checkpoint again, tensors and facts changed, with the digest of these."""
    with safe_open(path, framework="pt") as file:
        facts = json.loads(file.metadata()["facts"])
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  it is no dictionary
    del facts["sha256"]
    change(tensors, facts)
    seal(path, tensors, facts)


def seal(path: Path, tensors: dict[str, Any], facts: dict[str, Any]) -> None:
    save_file(tensors, path, {"facts": json.dumps(facts | {"sha256": checkpoint._digest(tensors, facts)})})


def flip(path: Path, place: int) -> None:
    data = bytearray(path.read_bytes())
    data[place] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize(
    ("name", "damage", "sentence"),
    [
        ("checkpoint", lambda path: flip(path, -1), "was changed or damaged after it was written"),
        ("checkpoint", lambda path: path.write_bytes(path.read_bytes()[:-9]), "can't be read"),
        ("checkpoint", lambda path: path.write_bytes(b""), "can't be read"),
        ("checkpoint", lambda path: flip(path, 20), "checkpoint.safetensors "),
        ("best", lambda path: flip(path, -1), "was changed or damaged after it was written"),
        ("best", lambda path: path.unlink(), "can't be read"),
        ("best", lambda path: seal(path, {"x": torch.ones(3)}, {}), "doesn't fit this run: 'agenda_embedding'"),
    ],
)
def test_damaged_checkpoints_are_reported_before_training(
    halfway: Path, folder: Path, tmp_path: Path, name: str, damage: Callable[[Path], Any], sentence: str
) -> None:
    shutil.copytree(halfway, tmp_path, dirs_exist_ok=True)
    damage(tmp_path / f"{name}.safetensors")
    with pytest.raises(UserError) as fault:
        run(CONFIG, folder, tmp_path, resume=True)
    assert f"{tmp_path / name}.safetensors" in str(fault.value) and sentence in str(fault.value)
    assert str(fault.value).endswith("Start a new run without --resume, in another folder.")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda tensors, facts: tensors.pop("random.cpu"), "'random.cpu'"),
        (lambda tensors, facts: tensors.update({"random.cpu": torch.ones(3)}), "RNG state"),
        (lambda tensors, facts: tensors.pop(next(key for key in tensors if key.startswith("model."))), "Missing key"),
        (lambda tensors, facts: tensors.pop("optimiser.0.exp_avg"), "the optimiser's state 0"),
        (lambda tensors, facts: tensors.update({"optimiser.0.exp_avg": torch.ones(3)}), "another size"),
        (lambda tensors, facts: tensors.update({"optimiser.x.step": torch.ones(())}), "invalid literal"),
        (lambda tensors, facts: facts.clear(), "has no 'state'"),
        (lambda tensors, facts: facts["state"].update(epoch="one"), "'epoch' is no whole number"),
        (lambda tensors, facts: facts.update(learning_rate=None), "'learning_rate' is no number"),
    ],
)
def test_a_checkpoint_of_another_form_is_told(
    halfway: Path, folder: Path, tmp_path: Path, change: Callable[..., Any], sentence: str
) -> None:
    shutil.copytree(halfway, tmp_path, dirs_exist_ok=True)
    rewrite(tmp_path / "checkpoint.safetensors", change)
    with pytest.raises(UserError, match="doesn't fit this run: ") as fault:
        run(CONFIG, folder, tmp_path, resume=True)
    assert sentence in str(fault.value)


def test_a_changed_fact_of_a_checkpoint_is_found(halfway: Path, folder: Path, tmp_path: Path) -> None:
    shutil.copytree(halfway, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "checkpoint.safetensors"
    data = path.read_bytes()
    assert data.count(b"0.02") == 1
    path.write_bytes(data.replace(b"0.02", b"0.92"))
    with pytest.raises(UserError, match="was changed or damaged"):
        run(CONFIG, folder, tmp_path, resume=True)


def test_a_checkpoint_without_a_digest_is_refused(halfway: Path, folder: Path, tmp_path: Path) -> None:
    shutil.copytree(halfway, tmp_path, dirs_exist_ok=True)
    save_file(load_file(tmp_path / "best.safetensors"), tmp_path / "best.safetensors")
    with pytest.raises(UserError, match="was changed or damaged after it was written"):
        run(CONFIG, folder, tmp_path, resume=True)
