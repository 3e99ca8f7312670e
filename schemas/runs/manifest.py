"""The small file that publishes a data set (``DIR/manifest.json``)."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, fields
from typing import NotRequired, TypedDict

from schemas.checks.json_value import JsonValue
from schemas.errors import UserError

MANIFEST_NAME = "manifest.json"
MAPPING_NAME = "mapping.yaml"  # in the run of a user's table: what its columns mean
MANIFEST_VERSION = 2


class FileHash(TypedDict):
    path: str  # below the run's folder
    sha256: str


class FileEntry(FileHash):
    bytes: int
    rows: NotRequired[int]  # of a table


class InputEntry(TypedDict):
    file: str
    more: int  # number of further files that belong to it, such as the parts of a split archive
    read: int  # number of records
    sha256: dict[str, str]  # by file


class ShardEntry(TypedDict):
    """A part of the input; a later run reuses its files if file, range and fingerprint are the same."""

    file: str
    first: int
    last: int | None
    fingerprint: str
    encoding: str
    staged: list[FileEntry]  # intermediate files, which readers of the data set do not see


Statistics = TypedDict(
    "Statistics",
    {
        "figures": dict[str, dict[str, dict[str, float]]],  # split -> figure -> "sum", "mean", "p5", "p95", "max"
        "shares found": dict[str, float],  # column -> share of its values that are found in their texts
        "lost zeros": dict[str, int],  # column -> numbers that may have lost leading zeros
        "vocabularies": dict[str, dict[str, float]],  # vocabulary -> "seen 5", …, "unknown share"
    },
)


@dataclass(frozen=True)
class Manifest:
    """The published run with its files and counts; read = kept + rejected."""

    run: str  # folder below runs/: "20261121T143512Z-9f3b21aa", with --run-date "run_date=2026-11-21/2026…"
    source: str  # its name, as in `allsaid ingest NAME`
    created: str  # UTC, ISO 8601
    settings: dict[str, JsonValue]  # of the source
    unit: str  # the table (border) whose rows count as the records kept: "examples"
    inputs: list[InputEntry]  # sorted by file
    shards: list[ShardEntry]
    files: dict[str, list[FileEntry]]  # by border
    read: int
    kept: int
    rejected: dict[str, dict[str, int]]  # stage -> reason -> rows
    splits: dict[str, int]  # split -> examples
    statistics: Statistics
    losses: list[str]  # messages about input that could not be read at all ("nyc-03.mmf.gz is cut off after …")
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
            if isinstance(version, str):  # of another program
                raise ValueError(f"its version is '{version}'")
        except (ValueError, KeyError, TypeError) as fault:
            raise UserError(f"{where} is not an Allsaid manifest ({fault}). Run `allsaid ingest` again.") from fault
        names = [column.name for column in fields(cls)]
        if version != MANIFEST_VERSION or not values.keys() >= {*names}:
            raise UserError(f"Another version of Allsaid wrote {where}. Run `allsaid ingest` again.")
        return cls(**{name: values[name] for name in names})
