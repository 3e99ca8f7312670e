"""Grids: ``--set learning_rate=0.1,0.2 --set seed=1,2,3`` trains every combination below one run.

The grid's folder holds the spool of the grid's own run, and a folder for each child, named after what it was given.
Children that have finished are left alone when the grid is started again, others go on from their last checkpoint.
"""

from __future__ import annotations

import dataclasses
import itertools
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, stdev
from types import SimpleNamespace
from typing import Any

from allsaid import console
from allsaid.modeling import systems
from allsaid.modeling.config import Config, parse_config
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.precision import check_precision
from allsaid.modeling.saved.model_folder import find_device
from allsaid.settings import key_and_value
from schemas.errors import UserError
from training.fitting import checkpoint
from training.runs import run_folder
from training.runs.run import Place, Trained, run
from training.tracking import tracker as tracking
from training.tracking.promotion import decide
from training.tracking.spool import SPOOL_NAME, Event, first_event, load_cursors, read_events

CHILDREN = "children.json"
FINAL = "final_"  # before the names of a run's last scores on dev


@dataclass(frozen=True)
class Child:
    """A run of a grid that has finished."""

    name: str  # "learning_rate=0.1,seed=2"
    scores: dict[str, float]  # on dev
    steps: int
    model_uri: str  # models:/NAME/VERSION, or a folder where it isn't registered yet

    @property
    def setting(self) -> str:
        """What it was given but for the seed."""
        return ",".join(part for part in self.name.split(",") if not part.startswith("seed="))


def lists(settings: Iterable[str]) -> dict[str, list[str]]:
    """The settings that have several values, as ``key=value,value`` tells them."""
    pairs = map(key_and_value, settings)
    return {key: values.split(",") for key, values in pairs if "," in values}


def train(text: str, where: str, settings: Sequence[str], data: DataSet, place: Place) -> Trained:
    """Train every combination of the values in ``settings``; gives back the best child.

    ``text`` and ``where`` are a configuration's YAML and its name. Raises :class:`UserError` where a child failed,
    after the others were trained.
    """
    configs, folder = _combinations(text, where, settings), place.folder
    run_folder.make_folder(folder)
    if (folder / "config.yaml").exists():
        raise UserError(f"{folder} holds a single run. Name another folder with --run-dir.")
    for name, config in configs.items():
        find_device(config.fit.device)
        check_precision(config.fit.dtype, config.fit.device)
        run_folder.claim(config, data, folder / name, resume=True)
    tracker = tracking.open_tracker(folder, place.mode, place.experiment, folder.name)
    tracker.tags({"kind": "grid", "dataset_fingerprint": data.manifest.fingerprint, **place.tags})
    tracker.params({key: ", ".join(values) for key, values in lists(settings).items()})
    tracker.dataset("examples", data.manifest.fingerprint, data.address)
    try:
        failed = _train_all(configs, data, place, tracker)
    except BaseException as fault:
        tracker.finish("KILLED" if isinstance(fault, KeyboardInterrupt) else "FAILED")
        raise
    tracker.finish("FAILED" if failed else "FINISHED")
    children = finished(folder)
    task = systems.task_for(next(iter(configs.values())).model.kind, data)
    _show(children, task)
    if failed:
        raise UserError(
            f"{len(failed)} of {len(configs)} children failed: {'; '.join(failed)}. The same command with --run-dir "
            f"{folder} tries them again and leaves the others alone."
        )
    winner = best(children, task)
    return Trained(winner.model_uri, f"the best of {len(children)}", winner.steps, winner.scores)


def _combinations(text: str, where: str, settings: Sequence[str]) -> dict[str, Config]:
    """The configuration of each child, by its name; a faulty setting is told before anything is trained."""
    single, several = [one for one in settings if "," not in one], lists(settings)
    found = {}
    for values in itertools.product(*several.values()):
        given = [f"{key}={value}" for key, value in zip(several, values, strict=True)]
        config = parse_config(text, where, [*single, *given])
        # The seed always stands in the name, so that more seeds can be added to a grid later.
        keys = [*(key for key in several if key != "seed"), "seed"]
        found[",".join(f"{key}={config.flat()[key]}" for key in keys)] = config
    return found


def _train_all(configs: Mapping[str, Config], data: DataSet, place: Place, tracker: tracking.Tracker) -> list[str]:
    """Train the children one after the other; gives back the names of those that failed."""
    failed = []
    parent = first_event(place.folder)
    for number, (name, config) in enumerate(configs.items(), start=1):
        console.say(f"{number} of {len(configs)}: {name}")
        child = dataclasses.replace(place, folder=place.folder / name, parent=parent)
        try:
            _train_child(config, data, child)
        except UserError as fault:
            console.say(f"{name} failed. {fault}", "error")
            failed.append(name)
        else:
            _tell(tracker, place.folder, systems.task_for(config.model.kind, data))
    return failed


def _train_child(config: Config, data: DataSet, place: Place) -> None:
    if _child(place.folder) is None:
        run(config, data, place, resume=(place.folder / checkpoint.FILE).exists())
        return
    console.say(f"{place.folder.name} has finished before.")
    if place.mode == "online":
        try:
            tracking.sync(place.folder)
        except UserError as fault:
            console.say(str(fault))


def _tell(tracker: tracking.Tracker, folder: Path, task: Any) -> None:
    """Record in the grid's run how far it is: the best child so far, means and deviations.

    The number of children that have finished stands for the step.
    """
    children = finished(folder)
    winner = best(children, task)
    figures = {FINAL + key: value for key, value in winner.scores.items()}
    for setting, group in _groups(children):
        marks = [f"/{setting.replace('=', ' ').replace(',', ' ')}"] if setting else []
        for mark in [*marks, *([""] if setting == winner.setting else [])]:
            for key in task.DECIDING:
                mean, deviation = _spread(group, key)
                figures[f"mean_{key}{mark}"] = mean
                if deviation is not None:
                    figures[f"deviation_{key}{mark}"] = deviation
    tracker.metrics(figures, len(children))
    tracker.tags({"best_child": winner.name})
    tracker.link("best_run_id", folder / winner.name)
    rows = {child.name: dataclasses.asdict(child) for child in children}
    (folder / CHILDREN).write_text(json.dumps({"best": winner.name, "children": rows}, indent=2) + "\n")
    tracker.artifact(folder / CHILDREN)
    tracker.artifact(folder / winner.name / "config.yaml")


def finished(folder: Path) -> list[Child]:
    """The children of a grid that have finished, of earlier starts with other lists, too."""
    paths = sorted(path.parent for path in folder.glob(f"*/{SPOOL_NAME}"))
    return [child for path in paths if (child := _child(path)) is not None]


def _child(folder: Path) -> Child | None:
    """What a child's spool says of it; None where it has not finished."""
    if not (folder / SPOOL_NAME).is_file():
        return None
    last: Event = {}
    figures: dict[str, float] = {}
    steps = 0
    for event, _ in read_events(folder / SPOOL_NAME, 0):
        if event["event"] == "metrics" and any(key.startswith(FINAL) for key in event["values"]):
            figures, steps = event["values"], event["step"]
        last = event
    if last.get("status") != "FINISHED":
        return None
    scores = {key.removeprefix(FINAL): value for key, value in figures.items() if key.startswith(FINAL)}
    cursors = load_cursors(folder)
    version = cursors[-1].model_version if cursors else ""
    uri = f"models:/{cursors[-1].model_name}/{version}" if version else str(folder / "model")
    return Child(folder.name, scores, steps, uri)


def best(children: Sequence[Child], task: Any) -> Child:
    """The child that would be champion if they were promoted in this order.

    Where the task's first figure is equal and no other is worse than its rule allows, the last one decides.
    """
    winner = children[0]
    for child in children[1:]:
        one, other = SimpleNamespace(**child.scores), SimpleNamespace(**winner.scores)
        if decide(one, other, task).promote or _wins_among_equals(one, other, task):
            winner = child
    return winner


def _wins_among_equals(one: Any, other: Any, task: Any) -> bool:
    first, last = task.DECIDING[0], task.DECIDING[-1]
    is_equal = getattr(one, first) == getattr(other, first) and all(fits for fits, _ in task.checks(one, other)[1:])
    more = getattr(one, last) - getattr(other, last)
    return bool(is_equal and (more < 0 if task.FIGURES[last].better == "down" else more > 0))


def _groups(children: Sequence[Child]) -> Iterator[tuple[str, list[Child]]]:
    """Children that differ in their seed only."""
    for setting in dict.fromkeys(child.setting for child in children):
        yield setting, [child for child in children if child.setting == setting]


def _spread(children: Sequence[Child], key: str) -> tuple[float, float | None]:
    """Mean and sample deviation of a figure; no deviation of one child."""
    values = [child.scores[key] for child in children]
    return fmean(values), stdev(values) if len(values) > 1 else None


def _show(children: Sequence[Child], task: Any) -> None:
    if not children:
        return
    winner = best(children, task)
    figures = [task.FIGURES[key] for key in task.DECIDING]
    rows: list[tuple[str, ...]] = []
    for setting, group in _groups(children):
        for child in group:
            cells = [one.show(child.scores[one.key]) for one in figures]
            rows.append((child.name + (" (best)" if child is winner else ""), *cells, child.model_uri))
        if len(group) > 1:
            spreads = [(one.show, *_spread(group, one.key)) for one in figures]
            cells = [f"{show(mean)} ± {show(deviation)}" for show, mean, deviation in spreads]
            rows.append((f"{setting or 'all'}: mean ± deviation over {len(group)} seeds", *cells, ""))
    found = {"best": winner.name, "children": {child.name: dataclasses.asdict(child) for child in children}}
    header = ("child", *(one.name for one in figures), "model")
    console.result("train", found, f"{winner.scores['texts']:.0f} dev texts", header, rows)
    tie = f"; where {figures[0].name} is equal, the better {figures[-1].name} decides" if len(figures) > 1 else ""
    console.say(f"The best child is {winner.name}, by the rule of promotion on dev{tie}.")
