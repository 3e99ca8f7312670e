"""A training from its beginning: the configuration is found and read, and one model or a grid of them is trained."""

from __future__ import annotations

from itertools import count
from pathlib import Path

from allsaid.console import UserError
from allsaid.stops import when_stopped
from training.config import find_config, parse_config
from training.models.model_folder import find_device
from training.runs import grid, run_folder
from training.runs.run import Place, Trained, run, show
from training.tasks.dataset import DataSet
from training.tracking.registry import check_name, config_of
from training.tracking.spool import SPOOL_NAME


def train(
    config: str | None,
    data: str,
    settings: list[str],
    run_dir: Path | None = None,
    name: str = "recipes",
    mode: str = "online",
    device: str = "cpu",
    resume: bool = False,
    like: str | None = None,
) -> Trained:
    """Train a model, record the run, register the model under ``name`` and decide whether it is champion.

    ``settings`` are key=value; with key=value,value,… every combination is trained, as a grid. ``like`` is the run in
    MLflow whose configuration is used where ``config`` is None. ``device`` other than the default overrules the
    configuration's. Without ``run_dir`` the run gets a new folder below training-runs/.
    """
    check_name(name)
    text, where, stem = _starting_point(config, like)
    settings = [*settings, *([f"device={device}"] if device != "cpu" else [])]
    if resume and run_dir is None:
        raise UserError("--resume needs the folder of the run to go on with; name it with --run-dir.")
    if run_dir is not None and ":/" in str(run_dir):
        raise UserError(f"--run-dir {run_dir} is no local folder. Give one; the model goes to MLflow from there.")
    place = Place(run_dir or _new_folder(stem), name, mode, {"like": like} if like else {})
    goes_on = f"What was trained up to the last checkpoint is in {place.folder}; `allsaid train` goes on from it with"
    if grid.lists(settings):
        with when_stopped(f"{goes_on} --run-dir {place.folder}."):
            return grid.train(text, where, settings, DataSet(data), place)
    chosen = parse_config(text, where, settings)
    find_device(chosen.fit.device)
    examples = DataSet(data)
    run_folder.make_folder(place.folder)
    if (place.folder / SPOOL_NAME).exists() and not (place.folder / "config.yaml").exists():
        raise UserError(f"{place.folder} holds a grid. Name another folder with --run-dir.")
    run_folder.claim(chosen, examples, place.folder, resume)
    with when_stopped(f"{goes_on} --run-dir {place.folder} --resume."):
        result, trained = run(chosen, examples, place, resume)
    show(result)
    return trained


def _starting_point(config: str | None, like: str | None) -> tuple[str, str, str]:
    """A configuration's YAML, what it is called in errors, and the first part of a run folder's name."""
    if like is not None and config is not None:
        raise UserError(f"--like takes the configuration of run {like}; leave {config} out, or --like.")
    if like is not None:
        return config_of(like), f"The configuration of run {like}", f"like-{like[:8]}"
    if config is None:
        raise UserError("Name a configuration, a YAML file or a shipped one, or the run to start from with --like.")
    return find_config(config), config, Path(config).stem


def _new_folder(config: str) -> Path:
    return next(folder for number in count(1) if not (folder := Path("training-runs") / f"{config}-{number}").exists())
