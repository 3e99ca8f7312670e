"""Immutable run folders below one output folder; one small write publishes one of them.

``DIR/runs/<run>/`` is written once; a record, its last file, completes it. ``DIR/<pointer>`` names the run that readers
see; writing it is the publication. No folder is ever renamed, since object stores can't do that. On a local disk
``DIR/current`` links to the published run. Writers hold the lock of the output folder (`allsaid.storage.lock`).

A folder below ``runs/`` is removed only if it has the name of a run, begins with the mark of its layout and holds
nothing but files of Allsaid.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from allsaid.console import say
from allsaid.storage import files
from allsaid.storage.paths import check_folder
from schemas.errors import UserError

RUNS, LOCKS, CURRENT, VALIDATION = "runs", "locks", "current", "validation"
RUN_NAME = r"\d{8}T\d{6}Z-[0-9a-f]{8}"
LOCK_FILES = rf"{LOCKS}/{RUN_NAME}\.json(?:\.new)?"
_DATED_NAME = re.compile(rf"(?:run_date=\d{{4}}-\d\d-\d\d/)?{RUN_NAME}")


def new_run(run_date: str = "") -> str:
    """Return a new run's name: UTC time to 1/65,536 second and two random bytes, below its date if it has one.

    No two runs get the same name, and names sort in the order in which runs began.
    """
    now = datetime.now(UTC)
    name = f"{now:%Y%m%dT%H%M%SZ}-{now.microsecond * 0x10000 // 1_000_000:04x}{secrets.token_hex(2)}"
    return f"run_date={run_date}/{name}" if run_date else name


def run_folder(output: str, run: str) -> str:
    return files.join(output, RUNS, run)


def output_of(folder: str) -> tuple[str, str]:
    """Split a run's folder into the output folder and the run's name; any other folder has the name ""."""
    match = re.fullmatch(rf"(.+)/{RUNS}/({_DATED_NAME.pattern})/?", folder)
    return (match[1], match[2]) if match else (folder, "")


def check_files(output: str, command: str, known: re.Pattern[str], shared: Sequence[str]) -> None:
    """Raise UserError if a path can't be an output folder, or holds files that are not ``known``.

    In the ``shared`` folders, which Allsaid makes too, the error names a foreign file and not the folder.
    """
    check_folder(output)
    unknown = [
        path.split("/") for path in files.below(output) if not known.fullmatch(path) and not _is_link(output, path)
    ]
    foreign = sorted({"/".join(steps[: 2 if steps[0] in shared else 1]) for steps in unknown})
    if foreign:
        raise UserError(
            f"--output {output} holds {', '.join(foreign[:3])}, which `allsaid {command}` did not write. "
            "Give a new folder."
        )


def _is_link(output: str, path: str) -> bool:
    """Return whether a path is the link to the published run, which may lead nowhere."""
    return path == CURRENT and files.is_local(output) and (Path(output) / path).is_symlink()


@dataclass(frozen=True)
class Layout:
    """The file names of one kind of run store."""

    command: str  # the only command that writes to the output folder
    pointer: str  # the file that names the published run
    record: str  # the end of the path of the file that completes a run: "/manifest.json" is in the run's folder
    mark: str  # the first file of a run's folder
    own: Callable[[], re.Pattern[str]]  # returns the pattern of all files that Allsaid writes into a run's folder
    others: str = ""  # pattern of further files in the output folder


@dataclass(frozen=True)
class RunStore:
    """The runs of one output folder."""

    output: str
    layout: Layout

    @property
    def pointer(self) -> str:
        """The path of the file that names the published run."""
        return files.join(self.output, self.layout.pointer)

    def folder(self, run: str) -> str:
        return run_folder(self.output, run)

    def record(self, run: str) -> str:
        """Return the path of the file that completes a run."""
        return self.folder(run) + self.layout.record

    def check(self) -> None:
        """Raise UserError if the output can't be a folder, or holds files of other programs."""
        layout = self.layout
        known = re.compile(
            rf"{layout.pointer}(?:\.new)?|{LOCK_FILES}|{layout.others}"
            rf"|{RUNS}/{_DATED_NAME.pattern}(?:/.+|{re.escape(layout.record)}(?:\.new)?)"
        )
        check_files(self.output, layout.command, known, (RUNS, LOCKS, VALIDATION))

    def runs(self) -> dict[str, list[str]]:
        """Return all runs by name, oldest first, with their files' paths after that: "/examples/part-00000.parquet"."""
        ends: dict[str, list[str]] = {}
        for path in files.below(files.join(self.output, RUNS)):
            if (name := _DATED_NAME.match(path)) and path[name.end() :].startswith(("/", self.layout.record)):
                ends.setdefault(name[0], []).append(path[name.end() :])
        return dict(sorted(ends.items(), key=lambda entry: entry[0].rpartition("/")[2]))

    def complete(self) -> dict[str, list[str]]:
        """Return the runs (:meth:`runs`) that have a record."""
        return {run: ends for run, ends in self.runs().items() if self.layout.record in ends}

    def finish(self, run: str, record: str) -> None:
        """Complete a run with its record."""
        files.replace(self.record(run), record.encode())

    def publish(self, run: str, pointer: str) -> None:
        """Show a complete run to readers; ``pointer`` is the new text of the file that names it."""
        files.replace(self.pointer, pointer.encode())
        self._link(run)

    def _link(self, run: str) -> None:
        """Make ``current`` a link to a run, in one step; only on a local disk."""
        if files.is_local(self.output):
            new = Path(self.folder(run)) / f"{CURRENT}.new"
            new.unlink(missing_ok=True)
            new.symlink_to(Path(RUNS) / run)
            new.replace(Path(self.output) / CURRENT)

    def restore(self, run: str, texts: Mapping[str, str]) -> None:
        """Rewrite the link to the published run, and some files, if they are missing or damaged.

        texts: the paths of these files -> their content.
        """
        for path, text in texts.items():
            try:
                is_intact = files.read_text(path) == text
            except (OSError, ValueError):
                is_intact = False
            if not is_intact:
                files.replace(path, text.encode())
                say(f"{path} was missing or damaged; it is written again.", "warning")
        current = Path(self.output) / CURRENT
        if files.is_local(self.output) and not (current.is_symlink() and current.readlink() == Path(RUNS) / run):
            self._link(run)
            say(f"{current} did not link to the published run; it is corrected.", "warning")

    def sweep(self, published: str, passed: Sequence[str], refused: Sequence[str], keep: int | None) -> None:
        """Remove interrupted runs and, with ``keep``, older complete ones. Only for a run that holds the lock.

        The newest ``keep`` runs that ``passed`` their gates are kept, the newest ``refused`` one, and the ``published``
        one.
        """
        kept = {*passed, *refused} if keep is None else {*passed[-keep:], *refused[-1:]}
        for run, ends in self.runs().items():
            if run not in kept and run != published:
                self._discard(run, ends)

    def _discard(self, run: str, ends: Iterable[str]) -> None:
        """Remove a run that has its mark and holds nothing but files of Allsaid."""
        folder, record, mark = self.folder(run), self.layout.record, self.layout.mark
        inside = [end[1:] for end in ends if end.startswith("/")]
        ours = (record[1:], f"{record[1:]}.new", f"{CURRENT}.new")
        foreign = [name for name in inside if name not in ours and not self.layout.own().fullmatch(name)]
        if foreign:
            say(f"{folder} holds {foreign[0]}, which Allsaid did not write, so it is kept.", "warning")
        elif inside and mark not in inside:
            say(f"{folder} has no {mark}, the mark of a run of Allsaid, so it is kept. Remove it by hand.", "warning")
        else:
            self.remove(run)

    def remove(self, run: str) -> None:
        """Delete a run: first its record, last its mark, so that an interrupted removal can be completed later."""
        files.delete([self.record(run), f"{self.record(run)}.new"])
        files.remove(self.folder(run), self.layout.mark)
        date = run.rpartition("/")[0]
        if date and not files.below(self.folder(date)):
            files.remove(self.folder(date))
