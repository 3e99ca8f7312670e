"""``allsaid compare TABLE``: train and evaluate missing systems, and show our figures next to the paper's.

Every figure is read from an MLflow run of kind ``evaluate``. A model is found by its training run (same configuration,
seed and data set); an evaluation by its model, search, data set and split. So a second call trains nothing and prints
the same table.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from allsaid import console
from allsaid.modeling import systems
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.tasks.choose import task_for
from allsaid.modeling.tasks.contract import Task
from allsaid.proof.figures import FIGURES
from evaluation.compare import page, table
from evaluation.compare.comparison import Comparison, Line, Run
from evaluation.compare.table import Entry, Table
from evaluation.measures import attention, meteor
from evaluation.options import CompareOptions
from evaluation.rating import read as rate_read
from evaluation.tasks import evaluate, rows, system
from evaluation.tasks.system import Subject
from schemas.errors import UserError
from schemas.example import SPLITS
from training.baselines import BASELINES, Baseline
from training.configs import load_config
from training.fitting.scores import PERPLEXITY
from training.options import TrainOptions
from training.runs import start
from training.tracking.registry import check_name
from training.tracking.results import Server

MINUTES = "training_minutes"
OF_MODELS = (PERPLEXITY, attention.FIGURE)  # prefixes of figures that baselines lack


@dataclass(frozen=True)
class Setting:
    """The parameters that all systems of a comparison share."""

    table: Table
    data: DataSet
    folder: Path  # for the pages and the training runs
    device: str
    server: Server


def run(options: CompareOptions) -> Comparison:
    """Train and evaluate missing systems, print the table, and write OUTPUT/compare.md and compare.html.

    Raises UserError if the data set is of another task, or the tracking server can't be reached.
    """
    data = DataSet(options.data)

    def fits(candidate: Table) -> bool:
        task = _task(candidate.systems[0], data)
        return evaluate.protocol_of(task, data)[0] == candidate.task

    chosen = table.read(options.table, options.systems, fits)
    folder = Path(options.output or f"compare-{chosen.name}")
    _check(chosen, data)
    server = Server()
    setting = Setting(chosen, data, folder, options.device, server)
    lines = [Line(entry, _runs(entry, setting)) for entry in chosen.systems]
    keys = {entry.key for entry in chosen.systems}
    ratings = rate_read.newest(server, data.manifest.fingerprint, chosen.split, keys)
    known = {MINUTES: FIGURES[MINUTES]}
    for entry in chosen.systems:
        known |= evaluate.figures_of(_task(entry, data), data)
    comparison = Comparison(chosen, [known[key] for key in chosen.figures], data, lines, server, ratings)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "compare.md").write_text(page.markdown(comparison), encoding="utf-8")
    (folder / "compare.html").write_text(page.html(comparison), encoding="utf-8")
    show(comparison)
    console.answer("compare", path=str(folder / "compare.html"))
    return comparison


def show(comparison: Comparison) -> None:
    """Print a comparison: its table, the ratings by people, and its notes."""
    figures = {
        line.entry.key: {
            figure: {"ours": line.values(figure), "paper": line.entry.paper.get(figure)}
            for figure in comparison.table.figures
        }
        for line in comparison.lines
    }
    result = {"systems": figures} | ({"ratings": comparison.ratings} if comparison.ratings else {})
    console.result("compare", result, comparison.table.title, comparison.header(), comparison.cells())
    for study in comparison.ratings:
        console.show_table(rate_read.title(study), rate_read.header(study), rate_read.table(study))
    for note in comparison.notes():
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
        if entry.config:  # report an error now, not after hours of training
            check_name(_model_name(chosen, entry))
            load_config(entry.config, entry.settings)


def _check_figures(chosen: Table, data: DataSet, task: Task) -> None:
    """Raise UserError unless the task has the table's protocol, and the protocol has the table's figures."""
    name, _ = evaluate.protocol_of(task, data)
    if name != chosen.task:
        raise UserError(
            f"Table '{chosen.name}' compares systems for {chosen.task}, but {data.where} holds {name}. "
            f"Write `task: {name}`, with figures of that task, or give another data set."
        )
    measured = (*evaluate.measured(task, data), MINUTES)
    asked_for = [*chosen.figures, *chosen.truth, *(figure for entry in chosen.systems for figure in entry.paper)]
    if unknown := [figure for figure in asked_for if figure not in measured]:
        raise UserError(
            f"Table '{chosen.name}' names the figures {', '.join(unknown)}; the valid ones are {', '.join(measured)}."
        )


def _task(entry: Entry, data: DataSet) -> Task:
    if not entry.config:
        baseline: Baseline = systems.find(entry.texts, f"System '{entry.key}'", BASELINES)
        return baseline.TASK
    return task_for(load_config(entry.config, entry.settings).model.kind, data)


def _runs(entry: Entry, setting: Setting) -> list[Run]:
    """Return a system's evaluations: one for each seed and fold, or a single one if it needs no training."""
    if not entry.config:
        return [_evaluated(entry, entry.texts, setting)]
    return [_evaluated(entry, _trained(entry, training, setting), setting) for training in setting.table.trainings]


def _model_name(chosen: Table, entry: Entry) -> str:
    return f"{chosen.name}-{entry.key}"


def _trained(entry: Entry, training: Sequence[str], setting: Setting) -> str:
    """Return ``models:/NAME/VERSION`` of the system; train it if MLflow has no such model.

    ``training`` holds the settings of the seed and the fold.
    """
    settings = [*entry.settings, *training]
    title = ", ".join([entry.label, *(one.replace("=", " ") for one in training)])
    if entry.start:
        (first,) = (other for other in setting.table.systems if other.key == entry.start)
        settings.append(f"start_from={_trained(first, training, setting)}")
    learned = load_config(entry.config, settings).learned
    fingerprint = setting.data.manifest.fingerprint
    for run in setting.server.find({"kind": "train", "config_hash": learned, "dataset_fingerprint": fingerprint}):
        if model := setting.server.version_of(run.info.run_id):
            console.say(f"{title}: trained before, {model}.")
            return model
    numbers = [option.partition("=")[2] for option in training]
    folder = setting.folder / "runs" / "-".join([entry.key, *numbers, learned[:8], fingerprint[:8]])
    console.say(f"{title}: training in {folder}.")
    options = TrainOptions(
        config=entry.config,
        data=setting.data.where,
        set=tuple(settings),
        run_dir=folder,
        name=_model_name(setting.table, entry),
        device=setting.device,
        resume=(folder / "config.yaml").exists(),
    )
    model = start.train(options).model_uri
    if not model.startswith("models:"):
        raise UserError(
            f"{title}, is trained but not registered, so it can't be compared. "
            f"Run `allsaid sync {folder}`, then this command again."
        )
    return model


def _evaluated(entry: Entry, model: str, setting: Setting) -> Run:
    """Return the figures of a system, read from its MLflow run; evaluate it if there is no such run."""
    # A model that was trained earlier is searched with today's configuration.
    search = load_config(entry.config, entry.settings).search if entry.config else None
    scored = system.find(model, entry.search, setting.device, entry.swap, search)
    subject = Subject(scored, scored.split(setting.data), setting.table.split)
    earlier = setting.server.find({"kind": evaluate.KIND, "evaluation": subject.key})
    run_id = next((run.info.run_id for run in earlier if _is_complete(run.data.metrics, entry, setting.table)), None)
    if run_id is None:
        console.say(f"{entry.label}: generating and scoring texts of {scored.name}.")
        slow = any(figure.startswith(meteor.PREFIX) for figure in setting.table.figures)
        measured = evaluate.measure(subject, slow, timed=evaluate.PACE in setting.table.figures)
        run_id = evaluate.log(setting.server, subject, measured, entry.key, setting.table.task)
    train_id = scored.model.run_id if scored.model else ""
    figures = dict(setting.server.run(run_id).data.metrics)
    if train_id and MINUTES in setting.table.figures:
        figures[MINUTES] = setting.server.training_minutes(train_id)
    return Run(run_id, train_id, model, figures)


def _is_complete(figures: Collection[str], entry: Entry, chosen: Table) -> bool:
    """Return whether these are all figures of the table that a system can have on this machine."""
    expected = [figure for figure in chosen.figures if figure != MINUTES]
    if meteor.unavailable():
        expected = [figure for figure in expected if not figure.startswith(meteor.PREFIX)]
    if not entry.config:
        expected = [figure for figure in expected if not figure.startswith(OF_MODELS)]
    return all(figure in figures for figure in expected)
