"""Data sets as readers see them: immutable run folders, published by one small write.

``DIR/runs/<run>/`` is written once. ``DIR/manifest.json`` names the run that readers see; writing it is the
publication. No folder is ever renamed, since object stores can't. On a local disk ``DIR/current`` links to the
published run.

Only what carries the name that :func:`new_run` makes and the mark of :func:`begin` is ever removed, and only while it
holds nothing but files of Allsaid.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from allsaid.console import say
from allsaid.storage import files
from allsaid.storage.paths import check_folder
from schemas.errors import UserError
from schemas.runs.manifest import MANIFEST_NAME, MAPPING_NAME, Manifest

RUNS, LOCKS, CURRENT = "runs", "locks", "current"
STAGED = "staged"  # folder in a run of what readers don't see: what a later run can use again
BEGUN = f"{STAGED}/begun"  # the mark that Allsaid made a run's folder
CARD_NAME = "README.md"
HISTORY_NAME, DAMAGED_HISTORY, PICTURE_NAME = "history.parquet", "history-damaged.parquet", "history.png"
ASIDE_NAME = "kept-aside.txt"  # in a run that broke a gate: the reasons
RUN_NAME = r"\d{8}T\d{6}Z-[0-9a-f]{8}"
_RUN = rf"(?:run_date=\d{{4}}-\d\d-\d\d/)?{RUN_NAME}"
_IN_RUNS = re.compile(rf"({_RUN})/(.+)")
_BESIDE = (MANIFEST_NAME, MAPPING_NAME, CARD_NAME, ASIDE_NAME, "phrases.parquet", f"{CURRENT}.new")
# What may stand in an output folder; ".new" is what a small file is written as before it takes its place.
_KNOWN = re.compile(
    rf"(?:{MANIFEST_NAME}|{HISTORY_NAME}|{DAMAGED_HISTORY}|{PICTURE_NAME})(?:\.new)?|report\.html"
    rf"|validation/[^/]+\.html|{LOCKS}/{RUN_NAME}\.json(?:\.new)?|{RUNS}/{_RUN}/.+"
)


def new_run(run_date: str = "") -> str:
    """A run's name: UTC time to a part of a second in 65,536, and two random bytes; below its date where it has one.

    So two runs never meet, and names stand in the order in which runs began, those of one second, too.
    """
    now = datetime.now(UTC)
    name = f"{now:%Y%m%dT%H%M%SZ}-{now.microsecond * 0x10000 // 1_000_000:04x}{secrets.token_hex(2)}"
    return f"run_date={run_date}/{name}" if run_date else name


def run_folder(output: str, run: str) -> str:
    return files.join(output, RUNS, run)


def published(output: str) -> Manifest:
    """The manifest of the data set that readers see."""
    path = files.join(output, MANIFEST_NAME)
    try:
        text = files.read_text(path)
    except OSError as fault:
        raise UserError(f"{output} holds no data set ({path} can't be read). Run `allsaid ingest` first.") from fault
    except ValueError as fault:
        raise UserError(f"{path} is damaged ({fault}). Run `allsaid ingest` again.") from fault
    return Manifest.from_json(text, path)


def last(output: str) -> Manifest | None:
    """The manifest that readers see; None where nothing is published, or by a version with other manifests.

    Where it is missing or damaged, that of the newest complete run, which :func:`mend` gives back to readers.
    """
    try:
        return published(output)
    except UserError:
        found = [run for run, paths in _found(output).items() if MANIFEST_NAME in paths and ASIDE_NAME not in paths]
        manifest = next(filter(None, (_own(output, run) for run in reversed(found))), None)
        if manifest is not None:
            path = files.join(output, MANIFEST_NAME)
            say(f"{path} is missing or damaged; the newest complete run, {manifest.run}, takes its place.", "warning")
        return manifest


def aside(output: str) -> Manifest | None:
    """The manifest of the newest run that was kept aside; None where there is none."""
    found = [run for run, paths in _found(output).items() if {MANIFEST_NAME, ASIDE_NAME} <= set(paths)]
    return _own(output, found[-1]) if found else None


def _own(output: str, run: str) -> Manifest | None:
    """The manifest in a run's own folder; None where it is damaged, or of a version with other manifests."""
    path = files.join(run_folder(output, run), MANIFEST_NAME)
    try:
        return Manifest.from_json(files.read_text(path), path)
    except (UserError, OSError, ValueError):
        return None


def folder(output: str) -> str:
    """The folder of the data set that readers see; raises UserError where it is not there any more."""
    found = run_folder(output, published(output).run)
    if not files.exists(files.join(found, MANIFEST_NAME)):
        raise UserError(f"{output} names the run {found}, which is not there any more. Run `allsaid ingest` again.")
    return found


def runs(output: str) -> dict[str, bool]:
    """All runs by name, oldest first, with whether each is complete (has its manifest)."""
    return {run: MANIFEST_NAME in paths for run, paths in _found(output).items()}


def _found(output: str) -> dict[str, list[str]]:
    """All runs by name, oldest first, with the files in each one's folder."""
    found: dict[str, list[str]] = {}
    for path in files.below(files.join(output, RUNS)):
        if named := _IN_RUNS.fullmatch(path):
            found.setdefault(named[1], []).append(named[2])
    return dict(sorted(found.items(), key=lambda entry: entry[0].rpartition("/")[2]))


def begin(folder: str) -> None:
    """Mark a run's folder as ours before anything else is written there."""
    files.write_text(files.join(folder, BEGUN), "begun\n")


def sweep(output: str, seen: Manifest | None, keep: int | None) -> None:
    """Remove what runs left that died, and, with ``keep``, older complete runs.

    Kept are as many of those that were published, what readers see (``seen``) in any case, and the newest that was kept
    aside. Only for a run that holds the lock.
    """
    found = _found(output)
    complete = [run for run, paths in found.items() if MANIFEST_NAME in paths]
    if keep is not None:
        refused = [run for run in complete if ASIDE_NAME in found[run]]
        complete = [run for run in complete if run not in refused][-keep:] + refused[-1:]
    for run, paths in found.items():
        if run not in complete and (seen is None or run != seen.run):
            _discard(output, run, paths)


@cache
def _ours() -> re.Pattern[str]:
    """What a run writes into its folder."""
    from schemas.borders import BORDERS  # which load Arrow: whoever asks only where a data set is need not wait for it

    return re.compile(
        rf"(?:{'|'.join(border.name for border in BORDERS)})(?:/split=\w+)?/(?:read-|corpus-)?part-\d+\.parquet"
        rf"|{STAGED}/(?:begun|summary\.json|part-\d+\.\w+(?:\.[0-9a-f]{{8}}\.new)?)|{'|'.join(map(re.escape, _BESIDE))}"
    )


def _discard(output: str, run: str, paths: Sequence[str]) -> None:
    """Remove a run that carries our mark and holds nothing else."""
    folder = run_folder(output, run)
    strangers = [path for path in paths if not _ours().fullmatch(path)]
    if strangers:
        say(f"{folder} holds {strangers[0]}, which Allsaid did not write, so it is left there.", "warning")
    elif BEGUN in paths or ((own := _own(output, run)) is not None and own.run == run):
        remove(folder)
        date = run.rpartition("/")[0]
        if date and not files.below(run_folder(output, date)):
            files.remove(run_folder(output, date))
    else:
        say(f"{folder} has no mark of a run of Allsaid, so it is left there. Remove it by hand.", "warning")


def remove(folder: str) -> None:
    """Delete a run's folder: first what makes it complete, and its mark at last, so that what is left is still ours."""
    complete = files.join(folder, MANIFEST_NAME)
    if files.exists(complete):
        begin(folder)  # runs of old have no mark but their manifest
        files.delete([complete])
    files.remove(folder, BEGUN)


def check_output(output: str, known: re.Pattern[str] = _KNOWN, command: str = "ingest") -> None:
    """Refuse a folder that holds anything else than earlier runs of a command and their by-products, ``known``."""
    check_folder(output)
    strangers = sorted({_where(path) for path in files.below(output) if not _is_known(output, path, known)})
    if strangers:
        raise UserError(
            f"--output {output} holds {', '.join(strangers[:3])}, which is no earlier run of Allsaid. "
            f"Give a new folder, or one that only `allsaid {command}` has written to."
        )


def _is_known(output: str, path: str, known: re.Pattern[str]) -> bool:
    """Whether a file may stand in an output folder; ``current`` only as a link, which may lead nowhere."""
    is_link = path == CURRENT and files.is_local(output) and (Path(output) / path).is_symlink()
    return is_link or known.fullmatch(path) is not None


def _where(path: str) -> str:
    """What a stranger's file is called: its first folder, or the next one in a folder that we made as well."""
    steps = path.split("/")
    return "/".join(steps[: 2 if steps[0] in (RUNS, LOCKS, "validation") else 1])


def set_aside(output: str, manifest: Manifest, faults: Sequence[str]) -> None:
    """Complete a run without showing it to readers; its folder says why."""
    files.write_text(files.join(run_folder(output, manifest.run), ASIDE_NAME), "\n".join(faults) + "\n")
    _complete(output, manifest)


def _complete(output: str, manifest: Manifest) -> None:
    """Give a run its manifest."""
    files.write_text(files.join(run_folder(output, manifest.run), MANIFEST_NAME), manifest.to_json())


def publish(output: str, manifest: Manifest) -> None:
    """Make a finished run the one that readers see.

    The manifest is first kept with the run; a copy then takes the place of the one that readers see.
    """
    _complete(output, manifest)
    files.delete([files.join(run_folder(output, manifest.run), ASIDE_NAME)])
    files.replace(files.join(output, MANIFEST_NAME), manifest.to_json().encode())
    link(output, manifest.run)


def link(output: str, run: str) -> None:
    """On a local disk let ``current`` lead to a run, in one step."""
    if files.is_local(output):
        new = Path(output) / RUNS / run / f"{CURRENT}.new"
        new.unlink(missing_ok=True)
        new.symlink_to(Path(RUNS) / run)
        new.replace(Path(output) / CURRENT)


def mend(output: str, manifest: Manifest) -> None:
    """Write again what leads readers to the published run, where it is missing or damaged."""
    for path in (files.join(run_folder(output, manifest.run), MANIFEST_NAME), files.join(output, MANIFEST_NAME)):
        try:
            is_sound = files.read_text(path) == manifest.to_json()
        except (OSError, ValueError):
            is_sound = False
        if not is_sound:
            files.replace(path, manifest.to_json().encode())
            say(f"{path} was missing or damaged; it is written again.", "warning")
    current = Path(output) / CURRENT
    if files.is_local(output) and not (current.is_symlink() and current.readlink() == Path(RUNS) / manifest.run):
        link(output, manifest.run)
        say(f"{current} did not lead to the published run; it is set right.", "warning")
