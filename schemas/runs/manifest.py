"""The one small file that publishes a data set (``DIR/manifest.json``)."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from schemas.errors import UserError

MANIFEST_NAME = "manifest.json"
MAPPING_NAME = "mapping.yaml"  # in the run of a user's table: what its columns mean
MANIFEST_VERSION = 2


@dataclass(frozen=True)
class Manifest:
    """Names the run that readers see, its files and its counts; read = kept + rejected."""

    run: str  # folder under runs/: "20261121T143512Z-9f3b21aa", with --run-date "run_date=2026-11-21/2026…"
    source: str  # its name, as `allsaid ingest` calls it
    created: str  # UTC, ISO 8601
    settings: dict[str, Any]  # what the run was asked to do
    unit: str  # the border whose rows are the records kept: "examples"
    inputs: list[dict[str, Any]]  # {"file", "more" (files read with it), "read", "sha256" (of each)}, sorted by name
    # {"file", "first", "last", "fingerprint", "staged" (files without rows)}: what later runs need not read again
    shards: list[dict[str, Any]]
    # border -> [{"path" (below the run's folder), "rows", "bytes", "sha256"}]; runs of old have no bytes and sha256
    files: dict[str, list[dict[str, Any]]]
    read: int
    kept: int
    rejected: dict[str, dict[str, int]]  # stage -> reason -> rows
    splits: dict[str, int]  # split -> examples
    statistics: dict[str, Any]  # corpus figures, each named in the documentation
    losses: list[str]  # sentences: what could not be read at all ("nyc-03.mmf.gz is cut off after …")
    fingerprint: str  # content hash of examples and phrases: equal data, equal fingerprint
    version: int = field(default=MANIFEST_VERSION)

    @property
    def rejected_total(self) -> int:
        return sum(rows for reasons in self.rejected.values() for rows in reasons.values())

    def to_json(self) -> str:
        return json.dumps(asdict(self), indent=2, sort_keys=True, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str, where: str) -> Manifest:
        """Parse a manifest; ``where`` names the file in the error."""
        try:
            values = json.loads(text)
            version = values["version"]
        except (ValueError, KeyError, TypeError) as fault:
            raise _no_manifest(where, fault) from fault
        if version != MANIFEST_VERSION:
            raise UserError(
                f"{where} has manifest version {version}, but this version of Allsaid reads {MANIFEST_VERSION}. "
                "Run `allsaid ingest` again."
            )
        names = [column.name for column in fields(cls)]
        if missing := [name for name in names if name not in values]:
            raise _no_manifest(where, f"it lacks {', '.join(missing)}")
        return cls(**{name: values[name] for name in names})


def _no_manifest(where: str, fault: object) -> UserError:
    return UserError(f"{where} is not an Allsaid manifest ({fault}). Run `allsaid ingest` again.")
