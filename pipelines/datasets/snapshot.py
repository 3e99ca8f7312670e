"""Data sets as readers see them: runs of `allsaid ingest` in a run store, each completed by its manifest.

``DIR/manifest.json`` is a copy of the manifest of the published run.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from allsaid.console import say
from allsaid.storage import files
from allsaid.storage.run_store import VALIDATION, Layout, RunStore
from schemas.errors import UserError
from schemas.runs.manifest import MANIFEST_NAME, MAPPING_NAME, Manifest

STAGED = "staged"  # folder in a run with files that only later runs use
BEGUN = f"{STAGED}/begun"
CARD_NAME = "README.md"
HISTORY_NAME, DAMAGED_HISTORY, PICTURE_NAME = "history.parquet", "history-damaged.parquet", "history.png"
ASIDE_NAME = "kept-aside.txt"  # in a run that broke a gate: the reasons
_SINGLE = (MAPPING_NAME, CARD_NAME, ASIDE_NAME, "phrases.parquet")


@cache
def _known_files() -> re.Pattern[str]:
    from schemas.borders import BORDERS  # loads Arrow, which `allsaid path` does without

    staged = r"(?:begun|summary\.json|(?:part-\d+|phrases)\.\w+)(?:\.[0-9a-f]{8}\.new)?"  # .new: while it is written
    return re.compile(
        rf"(?:{'|'.join(border.name for border in BORDERS)})(?:/split=\w+)?/(?:read-|corpus-)?part-\d+\.parquet"
        rf"|{STAGED}/{staged}|{'|'.join(map(re.escape, _SINGLE))}"
    )


LAYOUT = Layout(
    command="ingest",
    pointer=MANIFEST_NAME,
    record=f"/{MANIFEST_NAME}",
    mark=BEGUN,
    others=rf"(?:{HISTORY_NAME}|{DAMAGED_HISTORY}|{PICTURE_NAME})(?:\.new)?|report\.html|{VALIDATION}/[^/]+\.html",
    own=_known_files,
)


def store(output: str) -> RunStore:
    return RunStore(output, LAYOUT)


def published(output: str) -> Manifest:
    """Return the manifest of the data set that readers see; raise UserError if there is none."""
    path = store(output).pointer
    try:
        text = files.read_text(path)
    except OSError as fault:
        raise UserError(f"{output} holds no data set ({path} can't be read). Run `allsaid ingest` first.") from fault
    except ValueError as fault:
        raise UserError(f"{path} is damaged ({fault}). Run `allsaid ingest` again.") from fault
    return Manifest.from_json(text, path)


def folder(output: str) -> str:
    """Return the folder of the data set that readers see; raise UserError if it is missing."""
    runs = store(output)
    run = published(output).run
    if not files.exists(runs.record(run)):
        raise UserError(f"{output} names the run {runs.folder(run)}, which is missing. Run `allsaid ingest` again.")
    return runs.folder(run)


def last(output: str) -> Manifest | None:
    """Return the manifest that readers see; None if nothing is published, or only by an incompatible version.

    If the manifest is missing or damaged, that of the newest complete run takes its place (:func:`restore`).
    """
    try:
        return published(output)
    except UserError:
        runs = store(output)
        passed, _ = _complete(runs)
        manifest = next(filter(None, (_manifest(runs, run) for run in reversed(passed))), None)
        if manifest is not None:
            say(
                f"{runs.pointer} is missing or damaged; the newest complete run, {manifest.run}, takes its place.",
                "warning",
            )
        return manifest


def aside(output: str) -> Manifest | None:
    """Return the manifest of the newest run that was kept aside; None if there is none."""
    runs = store(output)
    _, refused = _complete(runs)
    return _manifest(runs, refused[-1]) if refused else None


def _complete(runs: RunStore) -> tuple[list[str], list[str]]:
    """Return the complete runs that passed their gates, and those that were kept aside, oldest first."""
    complete = runs.complete()
    refused = [run for run, ends in complete.items() if f"/{ASIDE_NAME}" in ends]
    return [run for run in complete if run not in refused], refused


def _manifest(runs: RunStore, run: str) -> Manifest | None:
    """Return the manifest in a run's own folder; None if it is damaged, or of an incompatible version."""
    path = runs.record(run)
    try:
        return Manifest.from_json(files.read_text(path), path)
    except (UserError, OSError, ValueError):
        return None


def keep_aside(output: str, manifest: Manifest, faults: Sequence[str]) -> None:
    """Complete a run without publishing it; a file in its folder holds the reasons."""
    runs = store(output)
    files.write_text(files.join(runs.folder(manifest.run), ASIDE_NAME), "\n".join(faults) + "\n")
    runs.finish(manifest.run, manifest.to_json())


def publish(output: str, manifest: Manifest) -> None:
    """Complete a run and publish it."""
    runs = store(output)
    runs.finish(manifest.run, manifest.to_json())
    files.delete([files.join(runs.folder(manifest.run), ASIDE_NAME)])
    runs.publish(manifest.run, manifest.to_json())


def restore(output: str, manifest: Manifest) -> None:
    """Write the published run's manifests and link again where they are missing or damaged."""
    runs = store(output)
    runs.restore(manifest.run, dict.fromkeys((runs.record(manifest.run), runs.pointer), manifest.to_json()))


def sweep(output: str, visible: Manifest | None, keep: int | None) -> None:
    """Remove interrupted runs and, with ``keep``, older complete ones (:meth:`RunStore.sweep`)."""
    runs = store(output)
    passed, refused = _complete(runs)
    runs.sweep(visible.run if visible else "", passed, refused, keep)
