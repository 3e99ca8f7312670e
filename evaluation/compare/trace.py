"""``allsaid trace FILE``: from a Parquet file back to the dump files, link by link.

Texts name their model's training run, version and data set in their footer; the training run names the folder of the
data set; its manifest names the dump files. A link that can't be found is told, and the chain goes on without it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from allsaid import console
from allsaid.console import counted
from allsaid.storage import files
from batch_infer.job.folder import JOB
from pipelines.datasets import snapshot
from pipelines.ingest import reuse
from schemas.checks.table import VERSION_KEY
from schemas.errors import UserError
from schemas.runs.manifest import MANIFEST_NAME, Manifest
from schemas.texts.generated import DATA_KEY, MODEL_KEY, RUN_KEY
from training.tracking.connection import for_reading
from training.tracking.results import Server

TEXTS = "generated/"  # the schema's name, as files of texts carry it
LOST = "not found"


@dataclass(frozen=True)
class Link:
    what: str  # "texts", "job", "model", "training run", "data set", "dump file"
    name: str  # or LOST
    detail: str


def run(path: str) -> list[Link]:
    """Print and give back the chain; raises :class:`UserError` where ``path`` is no Parquet file of Allsaid."""
    links = list(chain(path))
    rows = [(link.what, link.name, link.detail) for link in links]
    console.result("trace", {"links": [asdict(link) for link in links]}, path, ("link", "name", "what it says"), rows)
    return links


def chain(path: str) -> Iterator[Link]:
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
    yield Link("model", model or LOST, "name and version" if model else "the footer names none")
    found, where = _training_run(run_id)
    yield found
    yield from _learned_from(fingerprint, where)


def _footer(path: str) -> tuple[dict[bytes, str], int]:
    """What the file says of itself, and its rows."""
    if not files.exists(path):
        raise UserError(f"There is no file {path}. Give a Parquet file of texts, or of a data set.")
    try:
        with files.open_read(path) as stream, pq.ParquetFile(stream) as parquet:
            metadata, rows = parquet.schema_arrow.metadata or {}, parquet.metadata.num_rows
    except (pa.ArrowInvalid, OSError) as fault:
        told = str(fault).rstrip(".")
        raise UserError(f"{path} is no Parquet file ({told}). Give one of texts, or of a data set.") from fault
    if VERSION_KEY not in metadata:
        raise UserError(f"{path} was not written by Allsaid: its footer names no schema. Nothing is known of it.")
    return {key: value.decode() for key, value in metadata.items() if key.startswith(b"allsaid.")}, rows


def _job(path: str) -> Iterator[Link]:
    """The job lies beside the folder of the texts."""
    where = files.join(_above(path, 2), JOB)
    if not files.exists(where):
        yield Link("job", LOST, f"{where} is not there: the file was moved out of the job's output.")
        return
    job = json.loads(files.read_text(where))
    split = f", split {job['split']}" if job.get("split") else ""
    yield Link("job", where, f"beam {job['width']}, at most {job['max_tokens']} tokens, device {job['device']}")
    yield Link("input", job["input"], f"fingerprint {job['input_fingerprint']}{split}")


def _training_run(run_id: str) -> tuple[Link, str]:
    """The run's link, and where it read its data set ("" where that can't be found)."""
    if not run_id:
        return Link("training run", LOST, "the footer names none: the model was not delivered to MLflow."), ""
    try:
        run = Server(for_reading()).run(run_id)
    except UserError as fault:
        return Link("training run", run_id, f"{LOST}: {fault}"), ""
    tags = run.data.tags
    commit = tags.get("mlflow.source.git.commit", "")
    told = [run.info.run_name, run.info.status.lower(), f"code {commit[:12]}" if commit else ""]
    sources = [json.loads(given.dataset.source)["uri"] for given in run.inputs.dataset_inputs]
    return Link("training run", run_id, ", ".join(filter(None, told))), sources[0] if sources else ""


def _learned_from(fingerprint: str, where: str) -> Iterator[Link]:
    if not fingerprint:
        yield Link("data set", LOST, "the footer names no data set.")
    elif not where:
        yield Link("data set", LOST, f"fingerprint {fingerprint}; without the training run its folder is not known.")
    elif (found := _run_of(where, fingerprint)) is None:
        yield Link("data set", where, f"{LOST}: no run there has the fingerprint {fingerprint}; it was moved or swept.")
    else:
        yield from _data_set(where, found)


def _own_data_set(path: str) -> Iterator[Link]:
    """The data set that a file lies in: a folder above it holds the manifest of its run."""
    for height in range(1, 5):
        folder = _above(path, height)
        manifest = _manifest(files.join(folder, MANIFEST_NAME))
        named = manifest and [entry["path"] for entries in manifest.files.values() for entry in entries]
        if manifest and named and any(path.endswith(name) for name in named):
            yield from _data_set(folder, manifest)
            return
    yield Link("data set", LOST, f"no folder above {path} holds the {MANIFEST_NAME} of its run: the file was moved.")


def _run_of(where: str, fingerprint: str) -> Manifest | None:
    """The run of a data set with this fingerprint: what readers see, or an earlier one that was kept."""
    candidates = [files.join(where, MANIFEST_NAME)]
    candidates += [files.join(snapshot.run_folder(where, run), MANIFEST_NAME) for run in snapshot.runs(where)]
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
    told = (
        f"run {manifest.run} of {manifest.created}, {manifest.source}, read {manifest.read:,}, kept {manifest.kept:,}"
    )
    yield Link("data set", where, f"fingerprint {manifest.fingerprint}, {told}")
    for entry in manifest.inputs:
        yield from _dump_files(entry)


def _dump_files(entry: dict[str, Any]) -> Iterator[Link]:
    """Each file with the hash that it had when it was read, and whether it still has it."""
    for path, known in entry.get("sha256", {entry["file"]: ""}).items():
        told = f"{counted(entry['read'], 'record')}, " if path == entry["file"] else ""
        told += f"sha256 {known}" if known else "no hash: read by an older version"
        if not files.exists(path):
            told += f"; {LOST} there any more"
        elif known and reuse.contents([path])[path] != known:
            told += "; its bytes are others now"
        yield Link("dump file", path, told)


def _above(path: str, height: int) -> str:
    """The folder so many levels above a file."""
    if files.is_local(path):
        path = str(Path(path).absolute())
    scheme, separator, rest = path.rpartition("://")
    parents = list(PurePosixPath(rest).parents)
    return scheme + separator + str(parents[min(height, len(parents)) - 1])
