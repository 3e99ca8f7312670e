"""``allsaid compare TABLE``: trains and evaluates what is missing, and sets our figures beside the paper's.

Every figure is read from an MLflow run of kind ``evaluate``. A model is found by the run that trained it (the same
configuration, seed and data set), an evaluation by the same model, search, data set and split: a second call trains
nothing and prints the same table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from allsaid import console
from allsaid.modeling import systems
from allsaid.modeling.data.dataset import DataSet
from allsaid.proof.figures import FIGURES
from evaluation.compare import page, table
from evaluation.compare.comparison import Comparison, Line, Run
from evaluation.compare.table import Entry, Table
from evaluation.measures import attention, meteor
from evaluation.rating import read as rate_read
from evaluation.tasks import evaluate, rows, system
from evaluation.tasks.system import Subject
from schemas.errors import UserError
from schemas.example import SPLITS
from training.baselines import BASELINES
from training.configs import load_config
from training.fitting.scores import PERPLEXITY
from training.runs import start
from training.tracking.registry import check_name
from training.tracking.results import Server

MINUTES = "training_minutes"
OF_MODELS = (PERPLEXITY, attention.FIGURE)  # begin the names of figures that only a model can have


@dataclass(frozen=True)
class Request:
    """What `allsaid compare` is asked for."""

    table: str  # the name of a shipped table, or a YAML file
    data: str  # a data set's folder
    output: str = ""  # for the pages and what is trained; "": compare-TABLE
    systems: str = ""  # only these of the table, parted by commas; "": all
    device: str = "cpu"


@dataclass(frozen=True)
class Work:
    """A comparison while it is made: what each of its systems is trained and scored with."""

    table: Table
    data: DataSet
    folder: Path  # for the pages and what is trained
    device: str
    server: Server


def run(request: Request) -> Comparison:
    """Train and evaluate what is missing, print the table and write OUTPUT/compare.md and compare.html.

    Raises :class:`UserError` where the data set is of another task, or the tracking server can't be reached.
    """
    data = DataSet(request.data)
    chosen = table.read(request.table, request.systems, lambda one: _held(one, data) == one.task)
    folder = Path(request.output or f"compare-{chosen.name}")
    _check(chosen, data)
    server = Server()
    work = Work(chosen, data, folder, request.device, server)
    lines = [Line(entry, _runs(entry, work)) for entry in chosen.systems]
    keys = {entry.key for entry in chosen.systems}
    ratings = rate_read.newest(server, data.manifest.fingerprint, chosen.split, keys)
    known = {MINUTES: FIGURES[MINUTES]}
    known |= {key: one for entry in chosen.systems for key, one in evaluate.called(_task(entry, data), data).items()}
    found = Comparison(chosen, [known[key] for key in chosen.figures], data, lines, server, ratings)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "compare.md").write_text(page.markdown(found), encoding="utf-8")
    (folder / "compare.html").write_text(page.html(found), encoding="utf-8")
    show(found)
    console.answer("compare", path=str(folder / "compare.html"))
    return found


def show(found: Comparison) -> None:
    figures = {
        line.entry.key: {
            figure: {"ours": line.values(figure), "paper": line.entry.paper.get(figure)}
            for figure in found.table.figures
        }
        for line in found.lines
    }
    ratings = {"ratings": found.ratings} if found.ratings else {}
    console.result("compare", {"systems": figures} | ratings, found.table.title, found.header(), found.cells())
    for study in found.ratings:
        console.show_table(rate_read.title(study), rate_read.header(study), rate_read.table(study))
    for note in found.notes():
        console.say(note)


def _check(chosen: Table, data: DataSet) -> None:
    tasks = list(dict.fromkeys(_task(entry, data) for entry in chosen.systems))
    for task in tasks:
        _check_figures(chosen, data, task)
    parts = [data.of_fold(fold) for fold in chosen.folds] or [data]
    empty = [split for split in SPLITS for task in tasks for part in parts if rows.is_empty(task, part, split)]
    if empty:
        raise UserError(f"The {empty[0]} part of {data.where} is empty; a comparison needs all three.")
    for entry in chosen.systems:
        if entry.config:  # a fault in the last of them should not be told after hours of training
            check_name(_model_name(chosen, entry))
            load_config(entry.config, entry.settings)


def _held(chosen: Table, data: DataSet) -> str:
    """What a data set holds for the systems of a table, as tables call it."""
    name, _ = evaluate.protocol_of(_task(chosen.systems[0], data), data)
    return name


def _check_figures(chosen: Table, data: DataSet, task: Any) -> None:
    """A system is scored as the others of its table, by figures that are measured so."""
    name, _ = evaluate.protocol_of(task, data)
    if name != chosen.task:
        raise UserError(f"Table '{chosen.name}' compares systems for {chosen.task}, but {data.where} holds {name}.")
    measured = (*evaluate.measured(task, data), MINUTES)
    named = [*chosen.figures, *chosen.truth, *(figure for entry in chosen.systems for figure in entry.paper)]
    if unknown := [figure for figure in named if figure not in measured]:
        raise UserError(
            f"Table '{chosen.name}' names the figures {', '.join(unknown)}; the valid ones are {', '.join(measured)}."
        )


def _task(entry: Entry, data: DataSet) -> Any:
    if not entry.config:
        return systems.find(entry.texts, f"System '{entry.key}'", BASELINES).TASK
    return systems.task_for(load_config(entry.config, entry.settings).model.kind, data)


def _runs(entry: Entry, work: Work) -> list[Run]:
    """The finished evaluations of a system, one for each seed and fold; what is not trained has one."""
    if not entry.config:
        return [_evaluated(entry, entry.texts, work)]
    return [_evaluated(entry, _trained(entry, settings, work), work) for settings in work.table.trainings]


def _model_name(chosen: Table, entry: Entry) -> str:
    return f"{chosen.name}-{entry.key}"


def _trained(entry: Entry, training: Sequence[str], work: Work) -> str:
    """``models:/NAME/VERSION`` of the system with this seed and fold, trained where MLflow has no such model yet."""
    settings = [*entry.settings, *training]
    which = ", ".join([entry.label, *training]).replace("=", " ")
    if entry.start:
        (first,) = (one for one in work.table.systems if one.key == entry.start)
        settings.append(f"start_from={_trained(first, training, work)}")
    learned = load_config(entry.config, settings).learned
    fingerprint = work.data.manifest.fingerprint
    for run in work.server.find({"kind": "train", "config_hash": learned, "dataset_fingerprint": fingerprint}):
        if model := work.server.version_of(run.info.run_id):
            console.say(f"{which}: trained before, {model}.")
            return model
    numbers = [setting.partition("=")[2] for setting in training]
    place = work.folder / "runs" / "-".join([entry.key, *numbers, learned[:8], fingerprint[:8]])
    console.say(f"{which}: training in {place}.")
    request = start.Request(
        entry.config,
        work.data.where,
        settings,
        run_dir=place,
        name=_model_name(work.table, entry),
        device=work.device,
        resume=(place / "config.yaml").exists(),  # begun by a call that was cut off
    )
    model = start.train(request).model_uri
    if not model.startswith("models:"):
        raise UserError(
            f"{which}, is trained but not registered, so it can't be compared. "
            f"Run `allsaid sync {place}`, then this command again."
        )
    return model


def _evaluated(entry: Entry, model: str, work: Work) -> Run:
    """The figures of a system, measured where MLflow has no such run yet; read from the run in any case."""
    # A model that was trained before is searched as its configuration says today.
    search = load_config(entry.config, entry.settings).search if entry.config else None
    scored = system.find(model, entry.search, work.device, entry.swap, search)
    subject = Subject(scored, scored.split(work.data), work.table.split)
    done = work.server.find({"kind": evaluate.KIND, "evaluation": subject.key})
    whole = [run for run in done if _is_whole(run, entry, work.table)]
    if whole:
        run_id = whole[0].info.run_id
    else:
        console.say(f"{entry.label}: writing and scoring texts of {scored.name}.")
        slow = any(figure.startswith(meteor.PREFIX) for figure in work.table.figures)
        found = evaluate.measure(subject, slow, timed=evaluate.PACE in work.table.figures)
        run_id = evaluate.log(work.server, subject, found, entry.key, work.table.task)
    train_id = scored.model.run_id if scored.model else ""
    figures = dict(work.server.run(run_id).data.metrics)
    if train_id and MINUTES in work.table.figures:
        figures[MINUTES] = work.server.training_minutes(train_id)
    return Run(run_id, train_id, model, figures)


def _is_whole(run: Any, entry: Entry, chosen: Table) -> bool:
    """Whether an evaluation has all figures of the table that can be had here; what is not trained guesses no words."""
    wanted = [figure for figure in chosen.figures if figure != MINUTES]
    if meteor.unavailable():
        wanted = [figure for figure in wanted if not figure.startswith(meteor.PREFIX)]
    if not entry.config:
        wanted = [figure for figure in wanted if not figure.startswith(OF_MODELS)]
    return all(figure in run.data.metrics for figure in wanted)
