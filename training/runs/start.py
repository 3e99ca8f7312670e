"""The start of a training: read the configuration, then train one model or a grid."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from pathlib import Path

from allsaid import lineage
from allsaid.console import say
from allsaid.disk import disk_faults
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
from training.options import TrainOptions
from training.runs import grid, run_folder
from training.runs.run import Destination, Trained, run, show
from training.tracking.connection import tracking_uri
from training.tracking.delivery import check_experiment
from training.tracking.promotion import decide
from training.tracking.registry import check_name, config_of
from training.tracking.spool import SPOOL_NAME

CONFIGS = ("assemble", "table")  # configurations for a table; the first takes seconds


def train(options: TrainOptions) -> Trained:
    """Train a model or a grid, record the run, register the model and decide on its promotion.

    All processes that torchrun has started end here, except the first.
    """
    name = Path(options.data).resolve().name if options.name is None else options.name
    with lineage.recorded("train", name, reads=(options.data,)):
        return _train(options, name)


def _train(options: TrainOptions, name: str) -> Trained:
    check_name(name)
    check_experiment(options.experiment)
    if options.tracking == "online":
        tracking_uri(options.run_dir)  # refuses a folder that can't hold MLflow's database
    if options.config is None and options.like is None and not is_started() and DataSet(options.data).mapping():
        return _better_of_two(options)
    text, where, stem = _starting_point(options.config, options.like)
    settings = [*options.set, *([f"device={options.device}"] if options.device != "cpu" else [])]
    run_dir = options.run_dir
    if options.resume and run_dir is None:
        raise UserError("--resume needs the folder of the run to continue; name it with --run-dir.")
    if run_dir is not None and ":/" in str(run_dir):
        raise UserError(f"--run-dir {run_dir} is no local folder. Give one; the model goes to MLflow from there.")
    tags = {"like": options.like} if options.like else {}
    destination = Destination(run_dir or _new_folder(stem), name, options.experiment or name, options.tracking, tags)
    destination = replace(destination, phrasebook=options.phrasebook, keep_champion=options.keep_champion)
    remedy = f"The last checkpoint is in {destination.folder}; `allsaid train` continues from it with"
    if grid.lists(settings):
        if is_started():
            raise UserError("One process trains a grid. Start it without torchrun, or give each setting one value.")
        with (
            disk_faults(str(destination.folder), "--run-dir"),
            when_stopped(f"{remedy} --run-dir {destination.folder}."),
        ):
            return grid.train(text, where, settings, DataSet(options.data), destination)
    chosen = parse_config(text, where, settings)
    find_device(chosen.fit.device)
    check_precision(chosen.fit.dtype, chosen.fit.device)
    examples = DataSet(options.data)
    with joined(chosen.fit.device) as group:
        if not group.is_first:
            loop.follow(chosen, examples, destination.folder, options.resume, group)
            raise SystemExit(0)
        return _lead(chosen, examples, destination, options.resume, group, remedy)


def _better_of_two(options: TrainOptions) -> Trained:
    """Train both configurations for a user's table; return the one that is better on dev."""
    folder = options.run_dir or _new_folder("table")
    data, results = DataSet(options.data), {}
    for name in CONFIGS:
        say(f"{name}: one of two configurations for a table.")
        resume = options.resume and (folder / name).exists()
        results[name] = train(replace(options, config=name, run_dir=folder / name, resume=resume))
    first, second = results.values()
    task = task_for(CONFIGS[0], data)
    decision = decide(second.scores, first.scores, task)
    better = CONFIGS[1] if decision.promote else CONFIGS[0]
    figures = "; ".join(f"{name}: {task.brief(trained.scores)}" for name, trained in results.items())
    say(f"On dev {results[better].model_uri}, '{better}', is the better one ({figures}).")
    return results[better]


def _lead(
    chosen: Config, examples: DataSet, destination: Destination, resume: bool, group: ProcessGroup, remedy: str
) -> Trained:
    run_folder.make_folder(destination.folder)
    if (destination.folder / SPOOL_NAME).exists() and not (destination.folder / "config.yaml").exists():
        raise UserError(f"{destination.folder} holds a grid. Name another folder with --run-dir.")
    run_folder.claim(chosen, examples, destination.folder, resume)
    with (
        disk_faults(str(destination.folder), "--run-dir"),
        when_stopped(f"{remedy} --run-dir {destination.folder} --resume."),
    ):
        result, trained = run(chosen, examples, destination, resume, group)
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
