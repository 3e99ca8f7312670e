"""The training of a nightly run: when it is due, its process, and the comparison of challenger and champion.

A training runs in a process of its own, so that nothing that happens there ends the nightly run.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Collection
from dataclasses import dataclass

from allsaid import lineage, scratch
from allsaid.console import say
from batch_infer.nights.folders import Record, Retrain
from batch_infer.options.nightly import NightlyTrainOptions
from batch_infer.proof.summary import Summary
from pipelines.sources.records.findings.drift import Drift
from schemas.errors import UserError
from training.tracking import registry, versions
from training.tracking.promotion import Decision, compare_rows
from training.tracking.versions import Versions

# Results: a version waits for its comparison with the champion on the rows of the nightly run.
FAILED, WAITING, PROMOTED, KEPT = "failed", "waiting", "promoted", "stays challenger"


@dataclass(frozen=True)
class Training:
    """The training of a nightly run, and what became of its model."""

    reason: str  # why it was due; "" for a version that waited already
    result: str  # FAILED, WAITING, PROMOTED or KEPT
    version: str  # "" if it failed
    sentence: str  # why it failed, or why it was promoted or not
    retrain: Retrain | None = None  # for the next nightly run

    def sentences(self) -> list[str]:
        """Return the training in sentences."""
        due = [f"A training was due: {self.reason}"] if self.reason else []
        what = f"Version {self.version}: " if self.version else "The training failed, so the champion stays: "
        return [*due, f"{what}{self.sentence}"]


def due(
    options: NightlyTrainOptions,
    known: Versions,
    rows: int | None,
    changes: Collection[Drift],
    last: Record | None,
    aside: Record | None = None,
) -> str:
    """Return why a training is due, in a sentence; "" if it isn't.

    rows: of the data set; None: not known. changes: of the table's columns since the published run, ``last``.
    aside: the newest run that was kept aside; a change for which it trained is no reason again.
    """
    name = options.name
    if not known.newest:
        return f"'{name}' has no champion yet."
    if last is not None and last.retrain is not None and last.retrain.newest == known.newest:
        return last.retrain.reason
    interval, share = options.interval, options.share
    if interval is not None and time.time() - known.trained >= interval.total_seconds():
        return f"The newest version of '{name}' was trained at least {options.every} ago."
    if options.drift and changes and not _has_trained(aside, changes, known):
        return f"The table changed. {next(iter(changes)).sentence}"
    if share is not None and known.rows and rows is not None and abs(rows - known.rows) >= share * known.rows:
        return f"The data set has {rows:,} examples, and the newest version of '{name}' was trained on {known.rows:,}."
    return ""


def _has_trained(aside: Record | None, changes: Collection[Drift], known: Versions) -> bool:
    """Return whether a run that was kept aside met the same changes and ended with the newest version there is."""
    if aside is None or aside.retrain is not None or aside.registered.known is None:
        return False
    return aside.drift == [*changes] and aside.registered.known.newest == known.newest


def train(options: NightlyTrainOptions, reason: str) -> Training:
    """Train in another process and return its new version; a failure is reported and not raised."""
    say(f"A training is due: {reason}")
    before = versions.read(options.name)
    folder = scratch.folder("training")
    run = folder / "run"
    failure = _run(_command(options, str(run)))
    found = versions.read(options.name)
    if not failure and found.newest == before.newest:
        failure = "It registered no version; MLflow may have been unreachable."
    if failure:
        sentence = failure
        if run.exists():
            sentence += f" Its folder is {run}."
            scratch.keep(folder)
        say(f"The training failed, so the champion stays. {sentence}", "warning")
        return Training(reason, FAILED, "", sentence, Retrain(reason, before.newest))
    scratch.remove(folder)
    if found.champion == found.newest:
        return Training(reason, PROMOTED, found.newest, "It is the first champion.")
    if found.waiting == found.newest:
        return Training(reason, WAITING, found.newest, "It is better on dev.")
    return Training(reason, KEPT, found.newest, found.reason)


def check_champion(name: str, known: Versions, training: Training | None) -> None:
    """Raise UserError if the newest version of a model without a champion was not promoted either."""
    version, reason = (training.version, training.sentence) if training else (known.newest, known.reason)
    if not known.champion and version and (training is None or training.result == KEPT):
        remedy = f"allsaid promote {name} {version}"
        by_hand = "" if remedy in reason else f" If it is good enough, make it the champion once: `{remedy}`."
        raise UserError(f"'{name}' has no champion: version {version} was not promoted. {reason}{by_hand}")


def _command(options: NightlyTrainOptions, folder: str) -> list[str]:
    named = {"data": options.data, "name": options.name, "run-dir": folder, "device": options.device}
    named |= {"phrasebook": options.phrasebook, "experiment": options.experiment}
    words = [word for name, value in named.items() if value for word in (f"--{name}", value)]
    settings = [word for setting in options.set for word in ("--set", setting)]
    return [sys.executable, "-P", "-m", "training", str(options.config), "--keep-champion", *words, *settings]


def _run(command: list[str]) -> str:
    """Run a training and pass on its messages; return why it failed, "" if it didn't."""
    error = ""
    tied = ["setpriv", "--pdeathsig", "TERM"]  # Linux: a training does not outlive this process, even if that is killed
    if shutil.which(tied[0]) and not subprocess.run([*tied, "true"], capture_output=True).returncode:  # not BusyBox's
        command = [*tied, *command]
    with subprocess.Popen(
        command, env=os.environ | lineage.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as child:
        assert child.stderr is not None
        try:
            for line in child.stderr:
                say(line.rstrip())
                error = line.removeprefix("Error: ").strip() if line.startswith("Error: ") else error
        except BaseException:  # of a signal to this process
            child.terminate()
            raise
    return (error or f"It ended with exit code {child.returncode}.") if child.returncode else ""


def compare(challenger: Summary, champion: Summary) -> Decision:
    """Compare the texts of two models for the same rows; the challenger's must break no gate either."""
    if challenger.gates:
        return Decision(False, f"It stays challenger: {' '.join(challenger.gates)}")
    return compare_rows(_scores(challenger), _scores(champion))


def _scores(summary: Summary) -> dict[str, float]:
    figures = {key: summary.mean(key) for key in summary.measured}
    figures |= {"texts": summary.texts, "errors": summary.errors, "certified_percent": summary.percent_certified}
    return {key: value for key, value in figures.items() if value is not None}


def settle(training: Training, name: str, decision: Decision) -> Training:
    """Promote the version that waited, or leave it challenger."""
    if not decision.promote:
        reason = f"{decision.reason} `allsaid promote {name} {training.version}` makes it champion by hand."
        versions.refuse(name, training.version, reason)
        return Training(training.reason, KEPT, training.version, reason)
    registry.promote(name, training.version, f"Promoted by a nightly run. {decision.reason.rstrip('.')}")
    return Training(training.reason, PROMOTED, training.version, decision.reason)


def waiting(known: Versions) -> Training | None:
    """Return the version that an interrupted nightly run, or a training by hand, left waiting."""
    return Training("", WAITING, known.waiting, "It is better on dev.") if known.waiting else None


def name_of(model: str) -> str:
    """Return NAME of ``models:/NAME@champion``; raise UserError for another model, which no training could replace."""
    prefix, _, alias = model.removeprefix("models:/").partition("@")
    if not model.startswith("models:/") or alias != registry.CHAMPION:
        raise UserError(f"'train' needs models:/NAME@champion as the model of 'generate', not '{model}'.")
    return prefix
