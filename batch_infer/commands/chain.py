"""The chain of a nightly run: ingest, validate, train, write or prove texts, gates, report.

What loads PyTorch or Beam is imported only when there is something to do.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from allsaid.console import counted, say
from allsaid.storage.paths import expand
from allsaid.storage.run_store import run_folder
from batch_infer.commands import validate
from batch_infer.job.gates import measure
from batch_infer.nights import tonight as nights
from batch_infer.nights import training as trainings
from batch_infer.nights.folders import Record
from batch_infer.nights.tonight import Tonight
from batch_infer.nights.training import FAILED, WAITING, Training
from batch_infer.options.drift import DriftGates
from batch_infer.options.nightly import NightlyGenerateOptions, NightlyProveOptions, NightlyTrainOptions
from batch_infer.proof import summary as summary_file
from batch_infer.proof.summary import Summary
from pipelines.ingest import request as ingest_request
from pipelines.ingest import run as ingest_job
from pipelines.ingest.run import KEPT_ASIDE, NOTHING_TO_DO, PUBLISHED
from schemas.errors import UserError
from training.tracking import registry
from training.tracking.versions import Versions

if TYPE_CHECKING:
    from batch_infer.nights.night import Opened, Texts


@dataclass(frozen=True)
class Request:
    """The content of CONFIG."""

    texts: NightlyGenerateOptions | NightlyProveOptions
    ingest: ingest_request.Request | None  # None if CONFIG has no section `ingest`
    drift: DriftGates
    train: NightlyTrainOptions | None  # None if CONFIG has no section `train`


@dataclass(frozen=True)
class Outcome:
    """The results of a nightly run."""

    status: str  # one of the statuses of an ingest
    data: ingest_job.Outcome | None
    record: Record | None = None  # of the texts; None if the data set has broken a gate
    summary: Summary | None = None
    folder: str = ""  # of the texts
    training: Training | None = None


def run(request: Request) -> Outcome:
    """Run the steps; a data set or texts that break a gate are not published, and the later steps are skipped."""
    with nights.begin(request.texts, request.train.name if request.train else "") as tonight:
        registered = tonight.registered()
        model, known = registered.model, registered.known
        is_missing = known is not None and not known.champion  # the training makes it
        is_same = not is_missing and tonight.is_published(model)
        opened = None if is_missing or is_same else _open(request, tonight, model)
        data_set = ingest_job.ingest(request.ingest) if request.ingest else None
        if data_set is not None and data_set.faults:
            return Outcome(data_set.status, data_set)
        training = _train(request, tonight, known, data_set, opened)
        if is_missing and request.train is not None and known is not None:
            trainings.check_champion(request.train.name, known, training)
        data_run = data_set.manifest.run if data_set else ""
        is_same = is_same and tonight.last is not None and tonight.last.data_run == data_run
        if is_same and not _is_waiting(training):
            return _nothing(tonight, data_set, training)
        opened = opened or _open(request, tonight, registry.pin(request.texts.model) if is_missing else model)
        return _write(request, tonight, opened, data_set, training)


def _open(request: Request, tonight: Tonight, model: str) -> Opened:
    from batch_infer.nights import night

    return night.open_run(tonight, model, request.drift)


def _is_waiting(training: Training | None) -> bool:
    return training is not None and training.result == WAITING


def _train(
    request: Request,
    tonight: Tonight,
    known: Versions | None,
    data_set: ingest_job.Outcome | None,
    opened: Opened | None,
) -> Training | None:
    """Train if a rule requires it; return the training, else a version that waits for this run, if there is one."""
    if request.train is None or known is None or data_set is None:
        return None
    changes = opened.drift if opened else []
    reason = trainings.due(request.train, known, data_set.manifest.kept, changes, tonight.last, tonight.aside())
    if not reason:
        return trainings.waiting(known)
    _check(request.train.data)
    _check_input(request.texts.input, opened)
    return trainings.train(request.train, reason)


def _check_input(path: str, opened: Opened | None) -> None:
    """Raise UserError for a fault of the texts' input, which a training would only delay."""
    from batch_infer.nights import night
    from batch_infer.rows import sources

    if opened is not None:
        night.prepare(opened)
    elif not sources.is_data_set(path):
        expand([path])


def _write(
    request: Request,
    tonight: Tonight,
    opened: Opened,
    data_set: ingest_job.Outcome | None,
    training: Training | None,
) -> Outcome:
    """Generate or prove the texts, also with a challenger if there is one; publish the texts of the better model."""
    from batch_infer.nights import night
    from batch_infer.report import report

    ready, data_run = night.prepare(opened), data_set.manifest.run if data_set else ""
    is_done = night.is_done(opened, tonight, ready, data_run)
    if is_done and not _is_waiting(training):
        return _nothing(tonight, data_set, training)
    if request.ingest:
        _check(request.ingest.output)
    texts = night.published(tonight) if is_done else night.write(opened, ready)
    if training is not None and _is_waiting(training) and request.train is not None:
        training, winner = _challenge(opened, texts, training, request.train.name)
        if winner is not None:
            opened, texts = winner
        elif is_done:
            night.sweep(tonight, request.texts.keep_snapshots)
            return _nothing(tonight, data_set, training)
    if training is not None:
        texts = night.note(texts, training.sentences())
    _check(texts.folder)
    report.write(texts.folder)
    retrain = training.retrain if training else None
    record = night.end(tonight, opened, texts, data_run, retrain, request.texts.keep_snapshots)
    status = KEPT_ASIDE if record.faults else PUBLISHED
    return Outcome(status, data_set, record, texts.summary, texts.folder, training)


def _challenge(
    opened: Opened, champion: Texts, training: Training, name: str
) -> tuple[Training, tuple[Opened, Texts] | None]:
    """Write a challenger's texts for the same rows, and promote it if they are no worse than the champion's.

    Returns its run with its texts if it is promoted. A failure leaves it waiting for the next nightly run.
    """
    from batch_infer.nights import night

    try:
        challenger = night.open_challenger(opened, f"models:/{name}/{training.version}", champion.folder)
        texts = night.write(challenger, night.prepare(challenger))
        decision = trainings.compare(texts.summary, champion.summary)
        training = trainings.settle(training, name, decision)
    except Exception as fault:  # whatever it is, the champion's texts can be published
        say(f"Version {training.version} of '{name}' could not be compared with the champion. {fault}", "warning")
        return replace(training, result=FAILED, sentence=f"It could not be compared with the champion. {fault}"), None
    return training, (challenger, texts) if decision.promote else None


def _nothing(tonight: Tonight, data_set: ingest_job.Outcome | None, training: Training | None) -> Outcome:
    """Report that the published texts come from the same input, model, settings and code.

    The gates may have become stricter since then. If the published run breaks them, this is reported, too.
    """
    assert tonight.last is not None
    folder = run_folder(tonight.options.output, tonight.last.run)
    say(f"Nothing to do: {folder} was made from the same table, model, settings and code.")
    tonight.remember()
    summary = summary_file.read(folder)
    faults = tonight.options.gate.broken(measure(summary, None))
    return Outcome(NOTHING_TO_DO, data_set, replace(tonight.last, faults=faults), summary, folder, training)


def _check(folder: str) -> None:
    """Raise UserError if a data set or texts break a rule."""
    broken = [outcome for outcome in validate.outcomes_of(folder) if not outcome.passed]
    if broken:
        raise UserError(
            f"{folder} breaks {counted(len(broken), 'rule')}, first of all that {broken[0].rule} "
            f"({broken[0].border}). See {folder}/validation/. No new texts were published."
        )
