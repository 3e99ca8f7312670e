"""Data sets as readers see them: immutable run folders, published by one small write.

``DIR/runs/<run>/`` is written once. ``DIR/manifest.json`` names the run that readers see; writing it is the
publication. No folder is ever renamed, since object stores can't. On a local disk ``DIR/current`` links to the
published run.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from console import UserError
from pipelines import files
from pipelines.card import CARD_NAME, render
from schemas.manifest import MANIFEST_NAME, Manifest

RUNS = "runs"
CURRENT = "current"
HISTORY_NAME = "history.parquet"
ASIDE_NAME = "kept-aside.txt"  # in a run that broke a gate: the reasons
# What may stand in an output folder.
KNOWN = (RUNS, MANIFEST_NAME, CURRENT, "locks", HISTORY_NAME, "history.png", "validation", "report")


def new_run(run_date: str = "") -> str:
    """A run's name: UTC time and four random bytes, so that two runs never meet; below its date where it has one."""
    name = f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{secrets.token_hex(4)}"
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
    return Manifest.from_json(text, path)


def last(output: str) -> Manifest | None:
    """The manifest that readers see; None where nothing is published, or by a version with other manifests."""
    try:
        return published(output)
    except UserError:
        return None


def folder(output: str) -> str:
    """The folder of the data set that readers see."""
    return run_folder(output, published(output).run)


def runs(output: str) -> dict[str, bool]:
    """All runs by name, oldest first, with whether each is complete (has its manifest)."""
    found: dict[str, bool] = {}
    for path in files.below(files.join(output, RUNS)):
        dated = path.startswith("run_date=")
        run = "/".join(path.split("/")[: 1 + dated])
        found[run] = found.get(run, False) or path == f"{run}/{MANIFEST_NAME}"
    return dict(sorted(found.items(), key=lambda entry: entry[0].rpartition("/")[2]))


def sweep(output: str, keep: int | None) -> None:
    """Remove what runs left that died, and, with ``keep``, older complete runs.

    Kept are as many of those that were published, what readers see in any case, and the newest that was kept aside.
    Only for a run that holds the lock.
    """
    seen, found = last(output), runs(output)
    complete = [run for run, is_complete in found.items() if is_complete]
    if keep is not None:
        aside = [run for run in complete if files.exists(files.join(run_folder(output, run), ASIDE_NAME))]
        complete = [run for run in complete if run not in aside][-keep:] + aside[-1:]
    for run in found:
        if run not in complete and (seen is None or run != seen.run):
            files.remove(run_folder(output, run))
            _remove_empty_date(output, run)


def _remove_empty_date(output: str, run: str) -> None:
    date = run.rpartition("/")[0]
    if date and not files.below(run_folder(output, date)):
        files.remove(run_folder(output, date))


def check_output(output: str) -> None:
    """Refuse a folder that holds anything else than earlier runs and their by-products."""
    if files.is_local(output) and Path(output).exists() and not Path(output).is_dir():
        raise UserError(f"--output {output} is a file. Give a folder.")
    strangers = {name.split("/")[0] for name in files.below(output)}
    strangers = {name for name in strangers if not name.startswith(KNOWN)}
    if strangers:
        raise UserError(
            f"--output {output} holds {', '.join(sorted(strangers)[:3])}, which is no earlier run of Allsaid. "
            "Give a new folder, or one that only `allsaid ingest` has written to."
        )


def set_aside(output: str, manifest: Manifest, faults: Sequence[str]) -> None:
    """Complete a run without showing it to readers; its folder says why."""
    files.write_text(files.join(run_folder(output, manifest.run), ASIDE_NAME), "\n".join(faults) + "\n")
    _complete(output, manifest)


def _complete(output: str, manifest: Manifest) -> None:
    """Give a run its card and its manifest."""
    files.write_text(files.join(run_folder(output, manifest.run), CARD_NAME), render(manifest))
    files.write_text(files.join(run_folder(output, manifest.run), MANIFEST_NAME), manifest.to_json())


def publish(output: str, manifest: Manifest) -> None:
    """Make a finished run the one that readers see.

    The manifest is first kept with the run; a copy then takes the place of the one that readers see.
    """
    _complete(output, manifest)
    files.replace(files.join(output, MANIFEST_NAME), manifest.to_json().encode())
    if files.is_local(output):
        link = Path(output) / RUNS / manifest.run / f"{CURRENT}.new"
        link.symlink_to(Path(RUNS) / manifest.run)
        link.replace(Path(output) / CURRENT)
