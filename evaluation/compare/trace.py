"""``allsaid trace FILE``: follow the chain from a Parquet file back to the dump files.

The footer of a file of texts names the model's training run, version and data set. The training run names the folder of
the data set, whose manifest names the dump files. A link that can't be found is reported, and the chain goes on.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath

import pyarrow as pa

from allsaid import console
from allsaid.console import counted
from allsaid.lineage import TAG
from allsaid.storage import files
from allsaid.storage.parquet import open_parquet
from batch_infer.proof.summary import JOB
from batch_infer.proof.summary import NAME as SUMMARY
from pipelines.datasets.snapshot import store
from pipelines.ingest import reuse
from schemas.checks.table import VERSION_KEY
from schemas.errors import UserError
from schemas.runs.manifest import MANIFEST_NAME, InputEntry, Manifest
from schemas.texts.generated import DATA_KEY, MODEL_KEY, RUN_KEY
from training.tracking.connection import for_reading
from training.tracking.results import Server

TEXTS = "generated/"  # prefix of the schema's name in the footer of a file of texts
LOST = "not found"
NO_MODEL = "/"  # name and version in the footer of a proof without a model


@dataclass(frozen=True)
class Link:
    """One step of the chain."""

    what: str  # "texts", "job", "model", "training run", "data set", "dump file"
    name: str  # LOST if it can't be found
    detail: str


def run(path: str) -> list[Link]:
    """Print and return the chain; raise UserError unless ``path`` is a Parquet file of Allsaid."""
    links = list(chain(path))
    rows = [(link.what, link.name, link.detail) for link in links]
    console.result("trace", {"links": [asdict(link) for link in links]}, path, ("link", "name", "detail"), rows)
    return links


def chain(path: str) -> Iterator[Link]:
    """Yield the links from a Parquet file to the dump files."""
    footer, rows = _footer(path)
    schema = footer[VERSION_KEY]
    if not schema.startswith(TEXTS):
        yield Link("file", path, f"{counted(rows, 'row')} of {schema}")
        yield from _own_data_set(path)
        return
    yield Link("texts", path, f"{counted(rows, 'row')} of {schema}")
    yield from _job(path)
    model, run_id = footer.get(MODEL_KEY, ""), footer.get(RUN_KEY, "")
    fingerprint = footer.get(DATA_KEY, "")
    if model == NO_MODEL:
        yield Link("model", "none", "the texts were proven by the mapping of the table")
        return
    yield Link("model", model or LOST, "name and version" if model else "the footer names none")
    link, where = _training_run(run_id)
    yield link
    yield from _learned_from(fingerprint, where)


def _footer(path: str) -> tuple[dict[bytes, str], int]:
    """Return the metadata of a Parquet file and its number of rows."""
    if not files.exists(path):
        raise UserError(f"There is no file {path}. Give a Parquet file of texts, or of a data set.")
    try:
        with files.open_read(path) as stream, open_parquet(stream) as parquet:
            metadata, rows = parquet.schema_arrow.metadata or {}, parquet.metadata.num_rows
    except (pa.ArrowInvalid, OSError) as fault:
        reason = str(fault).rstrip(".")
        raise UserError(f"{path} is not a Parquet file ({reason}). Give one of texts, or of a data set.") from fault
    if VERSION_KEY not in metadata:
        raise UserError(
            f"{path} was not written by Allsaid: its footer names no schema. Give a file of texts, or of a data set."
        )
    return {key: value.decode() for key, value in metadata.items() if key.startswith(b"allsaid.")}, rows


def _job(path: str) -> Iterator[Link]:
    """Yield the job and its input; the job's record is next to the folder of the texts."""
    where = files.join(_above(path, 2), JOB)
    if not files.exists(where):
        yield Link("job", LOST, f"{where} is missing: the file was moved out of the job's output.")
        return
    job = json.loads(files.read_text(where))
    split = f", split {job['split']}" if job.get("split") else ""
    if "submitted" in job:
        yield Link("job", where, "proof of texts by another author")
        yield Link("submitted texts", job["submitted"], f"fingerprint {job['submitted_fingerprint']}")
    else:
        yield Link("job", where, f"beam {job['width']}, at most {job['max_tokens']} tokens, device {job['device']}")
    summary = files.join(_above(path, 2), SUMMARY)
    if files.exists(summary) and (run := json.loads(files.read_text(summary)).get(TAG)):
        yield Link("OpenLineage run", run, "of the job")
    yield Link("input", job["input"], f"fingerprint {job['input_fingerprint']}{split}")


def _training_run(run_id: str) -> tuple[Link, str]:
    """Return the link of a training run, and the folder of its data set ("" if it can't be found)."""
    if not run_id:
        return Link("training run", LOST, "the footer names none: the model was not delivered to MLflow."), ""
    try:
        run = Server(for_reading()).run(run_id)
    except UserError as fault:
        return Link("training run", run_id, f"{LOST}: {fault}"), ""
    tags = run.data.tags
    commit = tags.get("mlflow.source.git.commit", "")
    details = [run.info.run_name, run.info.status.lower(), f"code {commit[:12]}" if commit else ""]
    details += [f"OpenLineage run {tags[TAG]}" if TAG in tags else ""]
    sources = [json.loads(entry.dataset.source)["uri"] for entry in (run.inputs.dataset_inputs if run.inputs else ())]
    return Link("training run", run_id, ", ".join(filter(None, details))), sources[0] if sources else ""


def _learned_from(fingerprint: str, where: str) -> Iterator[Link]:
    if not fingerprint:
        yield Link("data set", LOST, "the footer names no data set.")
    elif not where:
        yield Link("data set", LOST, f"fingerprint {fingerprint}; without the training run its folder is not known.")
    elif (manifest := _run_of(where, fingerprint)) is None:
        yield Link("data set", where, f"{LOST}: no run has the fingerprint {fingerprint}; it was moved or deleted.")
    else:
        yield from _data_set(where, manifest)


def _own_data_set(path: str) -> Iterator[Link]:
    """Yield the data set that contains a file: a folder above the file holds the manifest of its run."""
    for height in range(1, 5):
        folder = _above(path, height)
        manifest = _manifest(files.join(folder, MANIFEST_NAME))
        names = manifest and [entry["path"] for entries in manifest.files.values() for entry in entries]
        if manifest and names and any(path.endswith(name) for name in names):
            yield from _data_set(folder, manifest)
            return
    yield Link("data set", LOST, f"no folder above {path} holds the {MANIFEST_NAME} of its run: the file was moved.")


def _run_of(where: str, fingerprint: str) -> Manifest | None:
    """Return the manifest of the run with this fingerprint: the published run or an earlier one."""
    runs = store(where)
    candidates = [runs.pointer, *map(runs.record, runs.runs())]
    for path in candidates:
        manifest = _manifest(path)
        if manifest is not None and manifest.fingerprint == fingerprint:
            return manifest
    return None


def _manifest(path: str) -> Manifest | None:
    try:
        return Manifest.from_json(files.read_text(path), path) if files.exists(path) else None
    except UserError:
        return None


def _data_set(where: str, manifest: Manifest) -> Iterator[Link]:
    counts = f"read {manifest.read:,}, kept {manifest.kept:,}"
    run = f"run {manifest.run} of {manifest.created}, {manifest.source}"
    yield Link("data set", where, f"fingerprint {manifest.fingerprint}, {run}, {counts}")
    for entry in manifest.inputs:
        yield from _dump_files(entry)


def _dump_files(entry: InputEntry) -> Iterator[Link]:
    """Yield each dump file with the hash that it had when it was read, and whether it has changed."""
    for path, known in entry["sha256"].items():
        detail = f"{counted(entry['read'], 'record')}, " if path == entry["file"] else ""
        detail += f"sha256 {known}"
        if not files.exists(path):
            detail += f"; {LOST}"
        elif reuse.content_hashes([path])[path] != known:
            detail += "; its content has changed"
        yield Link("dump file", path, detail)


def _above(path: str, height: int) -> str:
    """Return the folder ``height`` levels above a file."""
    if files.is_local(path):
        path = str(Path(path).absolute())
    scheme, separator, location = path.rpartition("://")
    parents = list(PurePosixPath(location).parents)
    return scheme + separator + str(parents[min(height, len(parents)) - 1])
