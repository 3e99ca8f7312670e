"""One training run from settings to a registered model, recorded as it goes."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from allsaid import console
from training.config import Config
from training.fitting import loop as fit
from training.tasks.dataset import DataSet
from training.tracking import tracker as tracking
from training.tracking.registry import deciding
from training.tracking.spool import Event


@dataclass(frozen=True)
class Trained:
    model_uri: str  # models:/NAME/VERSION, or the model's folder where it isn't registered yet
    decision: str  # on promotion, a sentence
    steps: int
    scores: Any  # on dev


@dataclass(frozen=True)
class Place:
    """Where a run is kept and told."""

    folder: Path
    name: str  # to register the model under; also the experiment
    mode: str  # of tracking, "online" or "offline"
    tags: dict[str, Any]
    parent: Event | None = None  # the start of the grid's own run


def run(config: Config, data: DataSet, place: Place, resume: bool) -> tuple[fit.Result, Trained]:
    """Train in a folder that `run_folder.claim` gave, record the run, register the model and decide on promotion."""
    folder, name = place.folder, place.name
    tracker = tracking.open_tracker(folder, place.mode, name, folder.name, place.parent)
    tracker.artifact(folder / "config.yaml")
    if place.tags:
        tracker.tags(place.tags)
    try:
        result = fit.train(config, data, folder, tracker, resume)
    except BaseException as fault:
        tracker.finish("KILLED" if isinstance(fault, KeyboardInterrupt) else "FAILED")
        raise
    scores = deciding(result.scores, result.task)
    tracker.model(result.model_folder, name, scores, result.dev_fingerprint, asdict(config.search))
    synced = tracker.finish("FINISHED", result.rescore)
    if synced is None or not synced.model_version:
        return result, Trained(str(result.model_folder), "not registered yet", result.steps, result.scores)
    decision = synced.decision.reason if synced.decision else ""
    console.say(f"Registered as {name} version {synced.model_version}. {decision}")
    return result, Trained(f"models:/{name}/{synced.model_version}", decision, result.steps, result.scores)


def show(result: fit.Result) -> None:
    """Print the dev scores beside the true texts' own, and what preparing and restoring costs."""
    known = result.task.FIGURES
    figures = {"steps": result.steps, "dev": asdict(result.scores), "dev_true": asdict(result.true_scores)}
    console.result(
        "train",
        figures | {"model": str(result.model_folder)},
        f"{result.scores.texts} dev texts",
        ("figure", "model", "true texts"),
        [
            (known[key].name, *(known[key].show(getattr(one, key)) for one in (result.scores, result.true_scores)))
            for key in asdict(result.scores)
            if key != "texts"
        ],
    )
    if result.sentences:
        console.say(
            f"Of the {result.sentences} sentences of the true dev texts {result.survived / result.sentences:.1%} are "
            "the same again after they were cut into tokens and written out (letter case apart)."
        )
