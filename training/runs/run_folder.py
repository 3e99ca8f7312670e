"""Make the folder of a training run, or check that it belongs to the run to resume."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from allsaid.modeling.config import Config, parse_config
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.tasks.choose import task_for
from allsaid.modeling.tasks.contract import check_serves
from schemas.errors import UserError


def make_folder(run_dir: Path) -> None:
    """Make the folder of a run or a grid; raise UserError if it can't be made or written to."""
    try:
        run_dir.mkdir(parents=True, exist_ok=True)
        if not os.access(run_dir, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as fault:
        raise UserError(
            f"--run-dir {run_dir} can't be the folder of a run ({fault.strerror}). Name a folder that you may write to."
        ) from fault


def claim(config: Config, data: DataSet, run_dir: Path, resume: bool) -> None:
    """Begin a run folder, or check that the one to resume has the same settings and data.

    Raises UserError if the data doesn't fit the model's task, or if the folder holds another run, or any run without
    ``resume``.
    """
    check_serves(data, task_for(config.model.kind, data), config.model.kind)
    make_folder(run_dir)
    config_path, source = run_dir / "config.yaml", run_dir / "data.txt"
    if not config_path.exists():
        _check_empty(run_dir)
        config_path.write_text(config.to_yaml(), encoding="utf-8")
        source.write_text(data.manifest.fingerprint + "\n", encoding="utf-8")
    elif not resume:
        raise UserError(
            f"{run_dir} holds a run already. Continue it with --resume, or name another folder with --run-dir."
        )
    elif not source.exists():
        raise UserError(f"{run_dir} is not the folder of a run: it has no {source.name}. Name another with --run-dir.")
    settings = parse_config(config_path.read_text(encoding="utf-8"), str(config_path)).flat()
    changed = [key for key, value in config.flat().items() if settings[key] != value]
    if changed:
        raise UserError(
            f"The run in {run_dir} was started with other settings: {', '.join(changed)}. Give the same ones."
        )
    if source.read_text(encoding="utf-8").strip() != data.manifest.fingerprint:
        raise UserError(f"The run in {run_dir} was started on other data than {data.where} holds now. Start a new run.")


def _check_empty(run_dir: Path) -> None:
    """Raise UserError if the folder holds files."""
    foreign = sorted(path.name for path in run_dir.iterdir() if not path.name.startswith("."))
    if foreign:
        raise UserError(
            f"--run-dir {run_dir} holds {', '.join(foreign[:3])}, but no run. Name a new folder, or an empty one."
        )
