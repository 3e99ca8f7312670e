"""One training run, from settings to a registered model."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

from allsaid import console, lineage
from allsaid.modeling.config import Config
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.tasks.contract import Scores
from training.fitting import checkpoint
from training.fitting import loop as fit
from training.fitting.finish import Result
from training.fitting.process_group import ALONE, ProcessGroup
from training.tracking import tracker as tracking
from training.tracking.promotion import deciding_scores
from training.tracking.registry import resolve
from training.tracking.spool import Event


@dataclass(frozen=True)
class Trained:
    model_uri: str  # models:/NAME/VERSION, or the model's folder if it isn't registered yet
    decision: str  # a sentence on its promotion
    steps: int
    scores: Scores  # on dev


@dataclass(frozen=True)
class Destination:
    """The folder of a run, and its place in MLflow."""

    folder: Path
    name: str  # of the registered model
    experiment: str  # of the run in MLflow
    mode: str  # of tracking, "online" or "offline"
    tags: dict[str, str]
    parent: Event | None = None  # the first event of the grid's own run
    phrasebook: str = ""  # a reviewed table of clauses; "": none
    keep_champion: bool = False  # a version better than the champion waits for the comparison by a nightly run


def run(
    config: Config, data: DataSet, destination: Destination, resume: bool, group: ProcessGroup = ALONE
) -> tuple[Result, Trained]:
    """Train in a folder prepared by `run_folder.claim`, record the run, register the model, decide on promotion."""
    folder, name = destination.folder, destination.name
    start = _start(config, folder)
    lineage.reads(data.lineage_input)
    tracker = tracking.open_tracker(folder, destination.mode, destination.experiment, folder.name, destination.parent)
    tracker.artifact(folder / "config.yaml")
    if tags := destination.tags | lineage.tags():
        tracker.tags(tags)
    try:
        result = fit.train(config, data, folder, tracker, resume, start, group, destination.phrasebook)
    except BaseException as fault:
        tracker.finish("KILLED" if isinstance(fault, KeyboardInterrupt) else "FAILED")
        raise
    measured = result.measured
    scores = deciding_scores(measured.scores, result.task)
    search = asdict(config.search)
    tracker.model(result.model_folder, name, scores, measured.dev_fingerprint, search, destination.keep_champion)
    synced = tracker.finish("FINISHED", result.rescore)
    if synced is None or not synced.model_version:
        lineage.writes(lineage.data(str(result.model_folder)))
        return result, Trained(str(result.model_folder), "not registered yet", result.steps, measured.scores)
    decision = synced.decision.reason if synced.decision else ""
    console.say(f"Registered as {name} version {synced.model_version}, from run {synced.run_id}. {decision}")
    uri = f"models:/{name}/{synced.model_version}"
    lineage.writes(lineage.data(uri))
    return result, Trained(uri, decision, result.steps, measured.scores)


def _start(config: Config, folder: Path) -> Path | None:
    """Return the folder of the model to start from; None for random weights or those of a checkpoint."""
    if not config.fit.start_from or (folder / checkpoint.FILE).exists():
        return None
    model = resolve(config.fit.start_from)
    lineage.reads(lineage.data(config.fit.start_from, model.version))
    return model.folder


def show(result: Result) -> None:
    """Print the dev scores next to those of the reference texts, and how many sentences survive tokenizing."""
    known, measured = result.task.figures, result.measured
    columns = {"model": measured.scores}
    if measured.true_scores:
        columns["reference texts"] = measured.true_scores
    figures = {"steps": result.steps, **dict(zip(("dev", "dev_true"), columns.values(), strict=False))}
    console.result(
        "train",
        figures | {"model": str(result.model_folder)},
        console.counted(round(measured.scores["texts"]), "dev text"),
        ("figure", *columns),
        [
            (figure.name, *(figure.show(scores.get(key)) for scores in columns.values()))
            for key, figure in known.items()
            if key != "texts" and key in measured.scores
        ],
    )
    if measured.sentences:
        console.say(
            f"{measured.survived:,} of {console.counted(measured.sentences, 'sentence')} of the reference texts "
            f"({measured.survived / measured.sentences:.1%}) stay the same after tokenizing and restoring, apart from "
            "letter case."
        )
