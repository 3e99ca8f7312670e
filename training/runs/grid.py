"""Grids: ``--set learning_rate=0.1,0.2 --set seed=1,2,3`` trains every combination as a child of one run.

The grid's folder holds the spool of the grid's own run, and a folder for each child, named after its settings. When a
grid is started again, finished children are kept and others continue from their last checkpoint.
"""

from __future__ import annotations

import dataclasses
import itertools
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, stdev

from allsaid import console
from allsaid.modeling.config import Config, parse_config
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.precision import check_precision
from allsaid.modeling.saved.model_folder import find_device
from allsaid.modeling.tasks.choose import task_for
from allsaid.modeling.tasks.contract import Scores, Task
from allsaid.settings import key_and_value
from schemas.errors import UserError
from training.fitting import checkpoint
from training.runs import run_folder
from training.runs.run import Destination, Trained, run
from training.tracking import tracker as tracking
from training.tracking.promotion import decide
from training.tracking.spool import SPOOL_NAME, Event, first_event, load_cursors, read_events

CHILDREN = "children.json"
FINAL = "final_"  # prefix of a run's last scores on dev


@dataclass(frozen=True)
class Child:
    """A finished run of a grid."""

    name: str  # "learning_rate=0.1,seed=2"
    scores: dict[str, float]  # on dev
    steps: int
    model_uri: str  # models:/NAME/VERSION, or a folder if it isn't registered yet

    @property
    def setting(self) -> str:
        """The settings without the seed."""
        return ",".join(part for part in self.name.split(",") if not part.startswith("seed="))


def lists(settings: Iterable[str]) -> dict[str, list[str]]:
    """Return the settings with several values, given as ``key=value,value``."""
    pairs = map(key_and_value, settings)
    return {key: values.split(",") for key, values in pairs if "," in values}


def train(text: str, where: str, settings: Sequence[str], data: DataSet, destination: Destination) -> Trained:
    """Train every combination of the values in ``settings``; return the best child.

    ``text`` and ``where``: a configuration's YAML and its name. If a child fails, raises UserError after the others are
    trained.
    """
    configs, folder = _combinations(text, where, settings), destination.folder
    run_folder.make_folder(folder)
    if (folder / "config.yaml").exists():
        raise UserError(f"{folder} holds a single run. Name another folder with --run-dir.")
    for name, config in configs.items():
        find_device(config.fit.device)
        check_precision(config.fit.dtype, config.fit.device)
        run_folder.claim(config, data, folder / name, resume=True)
    tracker = tracking.open_tracker(folder, destination.mode, destination.experiment, folder.name)
    tracker.tags({"kind": "grid", "dataset_fingerprint": data.manifest.fingerprint, **destination.tags})
    tracker.params({key: ", ".join(values) for key, values in lists(settings).items()})
    tracker.dataset("examples", data.manifest.fingerprint, data.address)
    try:
        failed = _train_all(configs, data, destination, tracker)
    except BaseException as fault:
        tracker.finish("KILLED" if isinstance(fault, KeyboardInterrupt) else "FAILED")
        raise
    tracker.finish("FAILED" if failed else "FINISHED")
    children = finished(folder)
    task = task_for(next(iter(configs.values())).model.kind, data)
    _show(children, task)
    if failed:
        raise UserError(
            f"{len(failed)} of {len(configs)} children failed: {'; '.join(failed)}. The same command with --run-dir "
            f"{folder} trains them again and keeps the others."
        )
    winner = best(children, task)
    return Trained(winner.model_uri, f"the best of {len(children)}", winner.steps, winner.scores)


def _combinations(text: str, where: str, settings: Sequence[str]) -> dict[str, Config]:
    """Return the configuration of each child by its name; raise UserError for an invalid setting."""
    single, several = [setting for setting in settings if "," not in setting], lists(settings)
    configs = {}
    for values in itertools.product(*several.values()):
        chosen = [f"{key}={value}" for key, value in zip(several, values, strict=True)]
        config = parse_config(text, where, [*single, *chosen])
        # The seed is always in the name, so that more seeds can be added to a grid later.
        keys = [*(key for key in several if key != "seed"), "seed"]
        configs[",".join(f"{key}={config.flat()[key]}" for key in keys)] = config
    return configs


def _train_all(
    configs: Mapping[str, Config], data: DataSet, destination: Destination, tracker: tracking.Tracker
) -> list[str]:
    """Train the children one after the other; return the names of those that failed."""
    failed = []
    parent = first_event(destination.folder)
    for number, (name, config) in enumerate(configs.items(), start=1):
        console.say(f"{number} of {len(configs)}: {name}")
        child = dataclasses.replace(destination, folder=destination.folder / name, parent=parent)
        try:
            _train_child(config, data, child)
        except UserError as fault:
            console.say(f"{name} failed. {fault}", "error")
            failed.append(name)
        else:
            _record(tracker, destination.folder, task_for(config.model.kind, data))
    return failed


def _train_child(config: Config, data: DataSet, destination: Destination) -> None:
    if _child(destination.folder) is None:
        run(config, data, destination, resume=(destination.folder / checkpoint.FILE).exists())
        return
    console.say(f"{destination.folder.name} is finished already.")
    if destination.mode == "online":
        try:
            tracking.sync(destination.folder)
        except UserError as fault:
            console.say(str(fault))


def _record(tracker: tracking.Tracker, folder: Path, task: Task) -> None:
    """Record the progress of the grid in its run: the best child so far, means and deviations.

    The step is the number of finished children.
    """
    children = finished(folder)
    winner = best(children, task)
    figures = {FINAL + key: value for key, value in winner.scores.items()}
    for setting, group in _groups(children):
        marks = [f"/{setting.replace('=', ' ').replace(',', ' ')}"] if setting else []
        for mark in [*marks, *([""] if setting == winner.setting else [])]:
            for key in task.deciding:
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
    """Return the finished children of a grid, also of earlier starts with other lists."""
    paths = sorted(path.parent for path in folder.glob(f"*/{SPOOL_NAME}"))
    return [child for path in paths if (child := _child(path)) is not None]


def _child(folder: Path) -> Child | None:
    """Read a child from its spool; None if it is not finished."""
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


def best(children: Sequence[Child], task: Task) -> Child:
    """Return the child that would be champion if they were promoted in this order.

    If the task's first figure is equal and no other is worse than its rule allows, the last figure decides.
    """
    winner = children[0]
    for child in children[1:]:
        ours, theirs = child.scores, winner.scores
        if decide(ours, theirs, task).promote or _wins_tie(ours, theirs, task):
            winner = child
    return winner


def _wins_tie(ours: Scores, theirs: Scores, task: Task) -> bool:
    first, last = task.deciding[0], task.deciding[-1]
    is_equal = ours[first] == theirs[first] and all(fits for fits, _ in task.checks(ours, theirs)[1:])
    difference = ours[last] - theirs[last]
    return bool(is_equal and (difference < 0 if task.figures[last].better == "down" else difference > 0))


def _groups(children: Sequence[Child]) -> Iterator[tuple[str, list[Child]]]:
    """Yield groups of children that differ only in their seed."""
    for setting in dict.fromkeys(child.setting for child in children):
        yield setting, [child for child in children if child.setting == setting]


def _spread(children: Sequence[Child], key: str) -> tuple[float, float | None]:
    """Return the mean and sample deviation of a figure; None for the deviation of one child."""
    values = [child.scores[key] for child in children]
    return fmean(values), stdev(values) if len(values) > 1 else None


def _show(children: Sequence[Child], task: Task) -> None:
    if not children:
        return
    winner = best(children, task)
    figures = [task.figures[key] for key in task.deciding]
    rows: list[tuple[str, ...]] = []
    for setting, group in _groups(children):
        for child in group:
            cells = [figure.show(child.scores[figure.key]) for figure in figures]
            rows.append((child.name + (" (best)" if child is winner else ""), *cells, child.model_uri))
        if len(group) > 1:
            spreads = [(figure.show, *_spread(group, figure.key)) for figure in figures]
            cells = [f"{show(mean)} ± {show(deviation)}" for show, mean, deviation in spreads]
            rows.append((f"{setting or 'all'}: mean ± deviation over {len(group)} seeds", *cells, ""))
    results = {"best": winner.name, "children": {child.name: dataclasses.asdict(child) for child in children}}
    header = ("child", *(figure.name for figure in figures), "model")
    console.result("train", results, console.counted(round(winner.scores["texts"]), "dev text"), header, rows)
    tie = f"; if {figures[0].name} is equal, the better {figures[-1].name} decides" if len(figures) > 1 else ""
    console.say(f"The best child is {winner.name}, by the rule of promotion on dev{tie}.")
