"""The record of an ingest in OpenLineage."""

from __future__ import annotations

from collections.abc import Sequence

from allsaid import lineage
from allsaid.gates import Check
from schemas.borders import BY_NAME
from schemas.runs.manifest import Manifest

MOST_FILES = 100  # of the input that an event names one by one


def report(inputs: Sequence[str], output: str, run: Manifest, checks: Sequence[Check]) -> None:
    """Report the inputs and the output of a finished run; instead of very many files, report the given patterns."""
    records = {entry["file"]: entry["read"] for entry in run.inputs}
    hashes = {path: sha256 for entry in run.inputs for path, sha256 in entry["sha256"].items()}
    if len(hashes) <= MOST_FILES:
        lineage.reads(*(lineage.data(path, sha256, rows=records.get(path)) for path, sha256 in hashes.items()))
    else:
        lineage.reads(*map(lineage.data, inputs))
    schema, files = BY_NAME[run.unit].schema, sum(map(len, run.files.values()))
    lineage.writes(lineage.data(output, run.fingerprint, schema, run.kept, files, checks))
