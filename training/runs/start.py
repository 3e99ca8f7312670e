"""The start of a training: read the configuration, then train one model or a grid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from allsaid.console import say
from allsaid.modeling.config import Config, parse_config
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.precision import check_precision
from allsaid.modeling.saved.model_folder import find_device
from allsaid.modeling.tasks.choose import task_for
from allsaid.stops import when_stopped
from schemas.errors import UserError
from training.configs import find_config
from training.fitting import loop
from training.fitting.process_group import ProcessGroup, is_started, joined
from training.runs import grid, run_folder
from training.runs.run import Destination, Trained, run, show
from training.tracking.delivery import check_experiment
from training.tracking.promotion import decide
from training.tracking.registry import check_name, config_of
from training.tracking.spool import SPOOL_NAME

TWO = ("assemble", "table")  # configurations for a table; the first takes seconds


@dataclass(frozen=True)
class Request:
    """The request of `allsaid train`."""

    config: str | None  # a YAML file or the name of a shipped one; None: that of ``like``, or for a table TWO
    data: str  # a data set's folder
    settings: Sequence[str] = ()  # key=value, overriding the configuration; key=value,value,… makes a grid
    run_dir: Path | None = None  # folder of checkpoints, model and spool; None: a new one below training-runs/
    name: str = "recipes"  # of the registered model
    mode: str = "online"  # of tracking, or "offline"
    device: str = "cpu"  # another device overrides the configuration's
    resume: bool = False  # from the last checkpoint in ``run_dir``
    like: str | None = None  # the run in MLflow whose configuration is used
    experiment: str = ""  # of the run in MLflow; "": the model's name
    phrasebook: str = ""  # a reviewed table of clauses; struck ones are not used


def train(request: Request) -> Trained:
    """Train a model or a grid, record the run, register the model and decide on its promotion.

    All processes that torchrun has started end here, except the first.
    """
    check_name(request.name)
    check_experiment(request.experiment)
    if request.config is None and request.like is None and not is_started() and DataSet(request.data).mapping():
        return _better_of_two(request)
    text, where, stem = _starting_point(request.config, request.like)
    settings = [*request.settings, *([f"device={request.device}"] if request.device != "cpu" else [])]
    run_dir = request.run_dir
    if request.resume and run_dir is None:
        raise UserError("--resume needs the folder of the run to continue; name it with --run-dir.")
    if run_dir is not None and ":/" in str(run_dir):
        raise UserError(f"--run-dir {run_dir} is no local folder. Give one; the model goes to MLflow from there.")
    tags = {"like": request.like} if request.like else {}
    place = Destination(
        run_dir or _new_folder(stem), request.name, request.experiment or request.name, request.mode, tags
    )
    place = replace(place, phrasebook=request.phrasebook)
    remedy = f"The last checkpoint is in {place.folder}; `allsaid train` continues from it with"
    if grid.lists(settings):
        if is_started():
            raise UserError("One process trains a grid. Start it without torchrun, or give each setting one value.")
        with when_stopped(f"{remedy} --run-dir {place.folder}."):
            return grid.train(text, where, settings, DataSet(request.data), place)
    chosen = parse_config(text, where, settings)
    find_device(chosen.fit.device)
    check_precision(chosen.fit.dtype, chosen.fit.device)
    examples = DataSet(request.data)
    with joined(chosen.fit.device) as group:
        if not group.is_first:
            loop.follow(chosen, examples, place.folder, request.resume, group)
            raise SystemExit(0)
        return _lead(chosen, examples, place, request.resume, group, remedy)


def _better_of_two(request: Request) -> Trained:
    """Train both configurations for a user's table; return the one that is better on dev."""
    folder = request.run_dir or _new_folder("table")
    data, results = DataSet(request.data), {}
    for name in TWO:
        say(f"{name}: one of two configurations for a table.")
        resume = request.resume and (folder / name).exists()
        results[name] = train(replace(request, config=name, run_dir=folder / name, resume=resume))
    first, second = results.values()
    task = task_for(TWO[0], data)
    decision = decide(second.scores, first.scores, task)
    better = TWO[1] if decision.promote else TWO[0]
    figures = "; ".join(f"{name}: {task.brief(trained.scores)}" for name, trained in results.items())
    say(f"On dev '{better}' is the better one ({figures}).")
    return results[better]


def _lead(
    chosen: Config, examples: DataSet, place: Destination, resume: bool, group: ProcessGroup, remedy: str
) -> Trained:
    run_folder.make_folder(place.folder)
    if (place.folder / SPOOL_NAME).exists() and not (place.folder / "config.yaml").exists():
        raise UserError(f"{place.folder} holds a grid. Name another folder with --run-dir.")
    run_folder.claim(chosen, examples, place.folder, resume)
    with when_stopped(f"{remedy} --run-dir {place.folder} --resume."):
        result, trained = run(chosen, examples, place, resume, group)
    show(result)
    return trained


def _starting_point(config: str | None, like: str | None) -> tuple[str, str, str]:
    """Return a configuration's YAML, its name for errors, and the first part of a run folder's name."""
    if like is not None and config is not None:
        raise UserError(f"--like uses the configuration of run {like}. Leave out {config} or --like.")
    if like is not None:
        return config_of(like), f"The configuration of run {like}", f"like-{like[:8]}"
    if config is None:
        raise UserError(
            "Name a configuration (a YAML file or a shipped one), or a run with --like. It may be left out only for a "
            "table of your own."
        )
    return find_config(config), config, Path(config).stem


def _new_folder(config: str) -> Path:
    return next(folder for number in count(1) if not (folder := Path("training-runs") / f"{config}-{number}").exists())
