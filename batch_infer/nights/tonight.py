"""A nightly run in progress: its lock, the published run, and whether there is anything to do.

Nothing here loads PyTorch or Beam, so that a run with nothing to do ends soon.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from allsaid.console import say
from allsaid.disk import disk_faults
from allsaid.storage import lock
from allsaid.storage.run_store import new_run, run_folder
from batch_infer.nights import folders, run_hash
from batch_infer.nights.folders import Record, Registered
from batch_infer.options.generate import GenerateOptions
from batch_infer.options.prove import ProveOptions
from batch_infer.proof import summary as summary_file
from batch_infer.proof.summary import JOB
from training.tracking import registry, versions

Options = GenerateOptions | ProveOptions


@dataclass(frozen=True)
class Tonight:
    """A nightly run that has locked its output folder, or the plan of one."""

    options: Options  # their output is the folder of all nightly runs
    run: str  # the run's name, unless an earlier run is resumed
    hold: lock.Lock | None  # None: of a plan
    last: Record | None  # the published run
    damaged: list[str]  # files of the published run
    hash_at_start: str  # hash of the request without its model, when the run began; "" if it can't be found so fast
    trains: str  # the name of the model that this run may train; ""

    def aside(self) -> Record | None:
        """Return the newest run that was kept aside."""
        return folders.aside(self.options.output)

    def registered(self) -> Registered:
        """Return the current state of the model registry; MLflow is not loaded for a local registry without changes."""
        uri = self.options.model
        if not uri.startswith("models:"):
            return Registered(uri, uri, None, "")
        state, last = versions.state(), self.last.registered if self.last else None
        if last is not None and state and (last.asked, last.state, bool(last.known)) == (uri, state, bool(self.trains)):
            return last
        known = versions.read(self.trains) if self.trains else None
        model = "" if known is not None and not known.champion else registry.pin(uri)
        return Registered(uri, model, known, state if state == versions.state() else "")

    def remember(self) -> None:
        """Save the registry's current state in the published run's record, so that the next run need not ask MLflow."""
        registered = self.registered()
        if self.last is not None and registered != self.last.registered:
            folders.note(self.options.output, replace(self.last, registered=registered))

    def is_published(self, model: str) -> bool:
        """Return whether the published run is intact and comes from the same request with this model."""
        if self.last is None or self.damaged or not self.hash_at_start:
            return False
        return self.last.request == _with_model(self.hash_at_start, model)

    def request(self, model: str) -> str:
        """Return the hash of the request with the model of the texts; "" if a part has changed since the run began."""
        hash_now = run_hash.hash_of(self.options)
        return _with_model(hash_now, model) if hash_now and hash_now == self.hash_at_start else ""


@contextmanager
def begin(options: Options, trains: str) -> Iterator[Tonight]:
    """Lock the output folder while the block runs; ``trains`` is the name of the model that this run may train."""
    folders.store(options.output).check()
    run = new_run()
    with disk_faults(options.output), lock.held(options.output, run, options.wait) as hold:
        last, damaged = _checked(options.output, folders.repair_published(options.output))
        yield Tonight(options, run, hold, last, damaged, run_hash.hash_of(options), trains)


def look(options: Options, trains: str) -> Tonight:
    """Return what :func:`begin` finds, for a plan: nothing is locked, corrected or written."""
    folders.store(options.output).check()
    last, damaged = _checked(options.output, folders.find_published(options.output))
    return Tonight(options, "", None, last, damaged, run_hash.hash_of(options), trains)


def _with_model(request_hash: str, model: str) -> str:
    return f"{request_hash}-{run_hash.model_of(model)}" if model else request_hash


def _checked(output: str, last: Record | None) -> tuple[Record | None, list[str]]:
    """Return the published run, or None if it is unusable, and its damaged files."""
    damaged = folders.damaged(output, last) if last is not None else []
    if last is None or not damaged:
        return last, damaged
    folder = run_folder(output, last.run)
    say(f"Of the texts that readers see in {folder}, {', '.join(damaged[:3])} is missing or damaged.", "warning")
    return (None if {JOB, summary_file.NAME} & {*damaged} else last), damaged
