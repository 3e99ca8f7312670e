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
from batch_infer.nights import folders, request
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
    content: str  # hash of the request when the run began, but for its model
    trains: str  # the name of the model that this run may train; ""

    def aside(self) -> Record | None:
        """Return the newest run that was kept aside."""
        return folders.aside(self.options.output)

    def registered(self) -> Registered:
        """Return what the registry has now; of an unchanged local one without loading MLflow."""
        asked = self.options.model
        if not asked.startswith("models:"):
            return Registered(asked, asked, None, "")
        state, last = versions.state(), self.last.registered if self.last else None
        if (
            last is not None
            and state
            and (last.asked, last.state, bool(last.known)) == (asked, state, bool(self.trains))
        ):
            return last
        known = versions.read(self.trains) if self.trains else None
        model = "" if known is not None and not known.champion else registry.pin(asked)
        return Registered(asked, model, known, state if state == versions.state() else "")

    def remember(self) -> None:
        """Let the published run's record have what the registry has now, so that the next run need not ask MLflow."""
        registered = self.registered()
        if self.last is not None and registered != self.last.registered:
            folders.note(self.options.output, replace(self.last, registered=registered))

    def is_published(self, model: str) -> bool:
        """Return whether the same request with this model made the published run, which is intact."""
        if self.last is None or self.damaged or not self.content:
            return False
        return self.last.request == _with_model(self.content, model)

    def request(self, model: str) -> str:
        """Return the hash of the request with the model of the texts; "" if a part has changed since the run began."""
        content = request.hash_of(self.options)
        return _with_model(content, model) if content and content == self.content else ""


@contextmanager
def begin(options: Options, trains: str) -> Iterator[Tonight]:
    """Lock the output folder while the block runs; ``trains`` is the name of the model that this run may train."""
    folders.store(options.output).check()
    run = new_run()
    with disk_faults(options.output), lock.held(options.output, run, options.wait) as hold:
        last, damaged = _checked(options.output, folders.published(options.output))
        yield Tonight(options, run, hold, last, damaged, request.hash_of(options), trains)


def look(options: Options, trains: str) -> Tonight:
    """Return what :func:`begin` finds, for a plan: nothing is locked, corrected or written."""
    folders.store(options.output).check()
    last, damaged = _checked(options.output, folders.seen(options.output))
    return Tonight(options, "", None, last, damaged, request.hash_of(options), trains)


def _with_model(content: str, model: str) -> str:
    return f"{content}-{request.model_of(model)}" if model else content


def _checked(output: str, last: Record | None) -> tuple[Record | None, list[str]]:
    """Return the published run, or None if it is unusable, and its damaged files."""
    damaged = folders.damaged(output, last) if last is not None else []
    if last is None or not damaged:
        return last, damaged
    folder = run_folder(output, last.run)
    say(f"Of the texts that readers see in {folder}, {', '.join(damaged[:3])} is missing or damaged.", "warning")
    return (None if {JOB, summary_file.NAME} & {*damaged} else last), damaged
