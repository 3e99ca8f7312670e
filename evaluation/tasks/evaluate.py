"""``allsaid evaluate``: score a system's texts for one split of a data set by the protocol of its task.

The figures become an MLflow run of kind ``evaluate`` on the system's logged model. Its input is the data set. Its table
of texts is for the same dev examples in every run.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace

from allsaid import console, lineage
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.tasks.contract import Task, WritesTexts, check_serves
from allsaid.proof.figures import Figure
from evaluation.measures import bootstrap, meteor
from evaluation.options import EvaluateOptions
from evaluation.tasks import rows
from evaluation.tasks import system as systems
from evaluation.tasks.rows import TRUE, Evaluation
from evaluation.tasks.scorers import Scorer, scorer_of
from evaluation.tasks.system import Subject
from schemas.errors import UserError
from schemas.example import SPLITS
from training.baselines import swap
from training.tracking.delivery import check_experiment
from training.tracking.results import InputData, Results, Server

KIND = "evaluate"
PACE = "texts_per_second"


def run(options: EvaluateOptions) -> dict[str, float]:
    """Return the figures of a system by name and protocol, after printing and logging them.

    Raises UserError; if the tracking server can't be reached, before any text is generated. If it fails later, the
    figures are printed but not logged.
    """
    with lineage.recorded(KIND, options.system, reads=(options.data,)):
        return _run(options)


def _run(options: EvaluateOptions) -> dict[str, float]:
    data = DataSet(options.data)
    lineage.reads(data.lineage_input)
    if options.split not in SPLITS:
        raise UserError(f"--split {options.split}: a data set has the splits {', '.join(SPLITS)}.")
    check_experiment(options.experiment)
    # Before the first use of the server, which makes its database.
    system = systems.find(options.system, options.set, options.device, options.swap)
    if system.model is not None:
        lineage.reads(lineage.data(options.system, system.model.version))
    subject = Subject(system, system.split(data), options.split, options.limit)
    check(subject)
    server = Server()
    evaluation = measure(subject)
    show(subject, evaluation.figures)
    try:
        run_id = log(server, subject, evaluation, experiment=options.experiment)
        texts = console.counted(len(evaluation.rows), "dev text")
        console.say(f"MLflow has these figures and {texts} as run {run_id}.")
    except UserError as fault:
        console.say(f"The figures above are not logged. {fault}")
    return evaluation.figures


def check(subject: Subject) -> None:
    """Raise UserError if the subject can't be scored, before any long work."""
    system, data, split = subject.system, subject.data, subject.split
    check_serves(data, system.task, system.kind)
    if rows.is_empty(system.task, data, split):
        raise UserError(f"The {split} part of {data.where} is empty. Choose another with --split.")
    scorer = protocol_of(system.task, data)[1]
    if hasattr(scorer, "check"):
        scorer.check(subject)
    if system.swap:
        swap.check(data)
    if system.baseline is not None:
        system.baseline.check(data, split)


def protocol_of(task: Task, data: DataSet) -> tuple[str, Scorer]:
    """Return the name of the protocol of a task's texts, as in runs and tables, and the module that scores by it."""
    name = task.protocol(data)
    return name, scorer_of(name)


def measured(task: Task, data: DataSet) -> tuple[str, ...]:
    """Return the keys of the figures that a run may have, in the order of its table."""
    figures = protocol_of(task, data)[1].measured(task)
    return (*figures, PACE) if isinstance(task, WritesTexts) else figures


def figures_of(task: Task, data: DataSet) -> Mapping[str, Figure]:
    """Return the task's figures; the protocol's module may rename some (``FIGURES``)."""
    renamed: Mapping[str, Figure] = getattr(protocol_of(task, data)[1], "FIGURES", {})
    return {**task.figures, **renamed}


def measure(subject: Subject, slow: bool = True, timed: bool = False) -> Evaluation:
    """Generate a system's texts for a split and for the dev examples that every run shows, and score them.

    slow: also measure METEOR, which takes Java half a minute to start; timed: also measure texts per second.
    """
    evaluation = protocol_of(subject.system.task, subject.data)[1].measure(subject, slow)
    return replace(evaluation, figures=evaluation.figures | {PACE: pace(subject)}) if timed else evaluation


def pace(subject: Subject) -> float:
    """Return the texts per second of wall-clock time, measured on the dev examples that every run shows."""
    examples = rows.sample(subject.system.task, subject.data, subject.limit)
    begin = time.perf_counter()
    systems.write(subject.system, subject.data, examples)
    return len(examples) / (time.perf_counter() - begin)


def show(subject: Subject, figures: dict[str, float]) -> None:
    """Print the figures of a system's texts next to those of the reference texts."""
    known = figures_of(subject.system.task, subject.data)
    listed = measured(subject.system.task, subject.data)
    truth = any(key.startswith(TRUE) for key in figures)
    header = ["figure", "texts", "95% interval", *(["reference texts"] if truth else [])]
    lines = [
        [figure.name, figure.show(figures[key]), interval(figures, figure), figure.show(figures.get(TRUE + key))]
        for key, figure in ((key, known[key]) for key in listed if key in figures)
    ]
    title = f"{subject.system.name} on {subject.split}"
    console.result(KIND, figures, title, header, [line[: len(header)] for line in lines])
    if any(key.startswith(meteor.PREFIX) for key in listed) and (why := meteor.unavailable()):
        console.say(why)


def interval(figures: Mapping[str, float], figure: Figure) -> str:
    """Return the bootstrap interval of a figure as text; "" if there is none."""
    ends = [figure.show(figures.get(end + figure.key)) for end in (bootstrap.LOW, bootstrap.HIGH)]
    return f"[{', '.join(ends)}]" if all(ends) else ""


def log(server: Server, subject: Subject, evaluation: Evaluation, label: str = "", experiment: str = "") -> str:
    """Log a run of kind ``evaluate`` and return its id; label: the system's name in a comparison."""
    system, data, split, limit = subject.system, subject.data, subject.split, subject.limit
    (task, module), label = protocol_of(system.task, data), label or system.name
    tags = {"task": task, "system": label, "protocol": module.PROTOCOL, "split": split}
    used = InputData(data.manifest.source, data.manifest.fingerprint, data.address, split)
    results = Results(
        kind=KIND,
        experiment=experiment,
        name=f"{label} on {split}",
        tags=tags | {"evaluation": subject.key} | lineage.tags(),
        params=system.params | {"split": split, "limit": limit or ""},
        metrics=evaluation.figures,
        used=used,
        model=system.model,
        table=rows.to_columns(evaluation.rows),
        documents=evaluation.documents,
    )
    return server.log(results)
