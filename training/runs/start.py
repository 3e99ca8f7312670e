"""A training from its beginning: the configuration is found and read, and one model or a grid of them is trained."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from allsaid.console import say
from allsaid.modeling import systems
from allsaid.modeling.config import Config, parse_config
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.precision import check_precision
from allsaid.modeling.saved.model_folder import find_device
from allsaid.stops import when_stopped
from schemas.errors import UserError
from training.configs import find_config
from training.fitting import loop
from training.fitting.team import Team, is_started, joined
from training.runs import grid, run_folder
from training.runs.run import Place, Trained, run, show
from training.tracking.delivery import check_experiment
from training.tracking.promotion import decide
from training.tracking.registry import check_name, config_of
from training.tracking.spool import SPOOL_NAME

TWO = ("assemble", "table")  # configurations for a table: the first is there in seconds


@dataclass(frozen=True)
class Request:
    """What `allsaid train` is asked for."""

    config: (
        str | None
    )  # a YAML file, or the name of a shipped one; None: that of ``like``, of a table the better of TWO
    data: str  # a data set's folder
    settings: Sequence[str] = ()  # key=value above the configuration's; with key=value,value,… they make a grid
    run_dir: Path | None = None  # where checkpoints, model and spool go; None: a new folder below training-runs/
    name: str = "recipes"  # to register the model under
    mode: str = "online"  # of tracking, or "offline"
    device: str = "cpu"  # another one overrules the configuration's
    resume: bool = False  # go on from the last checkpoint in ``run_dir``
    like: str | None = None  # the run in MLflow whose configuration is taken
    experiment: str = ""  # of the run in MLflow; "": called as the model
    phrasebook: str = ""  # a reviewed table of clauses, of which no struck one is used


def train(request: Request) -> Trained:
    """Train a model or a grid, record the run, register the model and decide whether it is champion.

    Of several processes that torchrun has started all but the first end here.
    """
    check_name(request.name)
    check_experiment(request.experiment)
    if request.config is None and request.like is None and not is_started() and DataSet(request.data).mapping():
        return _better_of_two(request)
    text, where, stem = _starting_point(request.config, request.like)
    settings = [*request.settings, *([f"device={request.device}"] if request.device != "cpu" else [])]
    run_dir = request.run_dir
    if request.resume and run_dir is None:
        raise UserError("--resume needs the folder of the run to go on with; name it with --run-dir.")
    if run_dir is not None and ":/" in str(run_dir):
        raise UserError(f"--run-dir {run_dir} is no local folder. Give one; the model goes to MLflow from there.")
    tags = {"like": request.like} if request.like else {}
    place = Place(run_dir or _new_folder(stem), request.name, request.experiment or request.name, request.mode, tags)
    place = replace(place, phrasebook=request.phrasebook)
    goes_on = f"What was trained up to the last checkpoint is in {place.folder}; `allsaid train` goes on from it with"
    if grid.lists(settings):
        if is_started():
            raise UserError("One process trains a grid. Start it without torchrun, or give each setting one value.")
        with when_stopped(f"{goes_on} --run-dir {place.folder}."):
            return grid.train(text, where, settings, DataSet(request.data), place)
    chosen = parse_config(text, where, settings)
    find_device(chosen.fit.device)
    check_precision(chosen.fit.dtype, chosen.fit.device)
    examples = DataSet(request.data)
    with joined(chosen.fit.device) as team:
        if not team.is_first:
            loop.follow(chosen, examples, place.folder, request.resume, team)
            raise SystemExit(0)
        return _lead(chosen, examples, place, request.resume, team, goes_on)


def _better_of_two(request: Request) -> Trained:
    """Train both configurations for a table of one's own, and take the one that is better on dev."""
    folder = request.run_dir or _new_folder("table")
    data, found = DataSet(request.data), {}
    for name in TWO:
        say(f"{name}: one of two configurations for a table.")
        resume = request.resume and (folder / name).exists()
        found[name] = train(replace(request, config=name, run_dir=folder / name, resume=resume))
    first, second = found.values()
    task = systems.task_for(TWO[0], data)
    decision = decide(second.scores, first.scores, task)
    better = TWO[1] if decision.promote else TWO[0]
    figures = "; ".join(f"{name}: {task.brief(trained.scores)}" for name, trained in found.items())
    say(f"On dev '{better}' is the better one ({figures}).")
    return found[better]


def _lead(chosen: Config, examples: DataSet, place: Place, resume: bool, team: Team, goes_on: str) -> Trained:
    run_folder.make_folder(place.folder)
    if (place.folder / SPOOL_NAME).exists() and not (place.folder / "config.yaml").exists():
        raise UserError(f"{place.folder} holds a grid. Name another folder with --run-dir.")
    run_folder.claim(chosen, examples, place.folder, resume)
    with when_stopped(f"{goes_on} --run-dir {place.folder} --resume."):
        result, trained = run(chosen, examples, place, resume, team)
    show(result)
    return trained


def _starting_point(config: str | None, like: str | None) -> tuple[str, str, str]:
    """A configuration's YAML, what it is called in errors, and the first part of a run folder's name."""
    if like is not None and config is not None:
        raise UserError(f"--like takes the configuration of run {like}; leave {config} out, or --like.")
    if like is not None:
        return config_of(like), f"The configuration of run {like}", f"like-{like[:8]}"
    if config is None:
        raise UserError(
            "Name a configuration, a YAML file or a shipped one, or the run to start from with --like. Only of a table "
            "of your own it may be left out."
        )
    return find_config(config), config, Path(config).stem


def _new_folder(config: str) -> Path:
    return next(folder for number in count(1) if not (folder := Path("training-runs") / f"{config}-{number}").exists())
