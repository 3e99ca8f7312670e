"""Data sets as readers see them: immutable run folders, published by one small write.

``DIR/runs/<run>/`` is written once. ``DIR/manifest.json`` names the run that readers see; writing it is the
publication. No folder is ever renamed, since object stores can't. On a local disk ``DIR/current`` links to the
published run.
"""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from pathlib import Path

from console import UserError
from pipelines import files
from schemas.manifest import MANIFEST_NAME, Manifest

RUNS = "runs"
CURRENT = "current"
KNOWN = (RUNS, MANIFEST_NAME, CURRENT, "validation", "report")  # what may stand in an output folder


def new_run() -> str:
    """A run's name: UTC time and four random bytes, so that two runs never meet."""
    return f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{secrets.token_hex(4)}"


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


def folder(output: str) -> str:
    """The folder of the data set that readers see."""
    return run_folder(output, published(output).run)


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


def publish(output: str, manifest: Manifest) -> None:
    """Make a finished run the one that readers see.

    The manifest is first kept with the run; on a local disk a complete copy then takes the old one's place in
    one step, on an object store it is one put.
    """
    text = manifest.to_json()
    kept = files.join(run_folder(output, manifest.run), MANIFEST_NAME)
    files.write_text(kept, text)
    if not files.is_local(output):
        files.write_text(files.join(output, MANIFEST_NAME), text)
        return
    _replace(Path(output), manifest.run, text)


def _replace(output: Path, run: str, text: str) -> None:
    waiting = output / RUNS / run / f"{MANIFEST_NAME}.new"
    waiting.write_text(text)
    waiting.replace(output / MANIFEST_NAME)
    link = output / RUNS / run / f"{CURRENT}.new"
    link.symlink_to(Path(RUNS) / run)
    link.replace(output / CURRENT)
