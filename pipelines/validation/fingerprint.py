"""A data set's fingerprint, recomputed from its files with only a few rows in memory.

The fingerprint is the sum of a hash of each record (``record_hash``) over all its rows at the source's borders. The
rows of a record have the same place (file and offset), and records have the same order in every file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from allsaid.storage import files
from allsaid.storage.rows import read_rows
from pipelines import sources
from pipelines.datasets.hashes import phrase_hash, record_hash
from schemas.borders import BY_NAME, Border
from schemas.checks.table import row_of
from schemas.runs.manifest import Manifest

Place = tuple[str, int]


def fingerprint(folder: str, manifest: Manifest) -> str:
    """Return the fingerprint of a run's ``folder``; raise OSError or ArrowException for a damaged file."""
    borders = [BY_NAME[name] for name in sources.find(manifest.source).borders]
    placed = [border for border in borders if "offset" in border.schema.names]
    shared = [border for border in borders if border not in placed]
    total = _of_records(folder, manifest, placed)
    for border in shared:
        for named in manifest.files.get(border.name, []):
            url = files.join(folder, *named["path"].split("/"))
            total += sum(record_hash("", [row]) for row in rows(url, border))
    found = f"{total % (1 << 128):032x}"
    for named in manifest.files.get("phrases", []):
        found += f"-{phrase_hash(rows(files.join(folder, named['path']), BY_NAME['phrases']))}"
    return found


def _of_records(folder: str, manifest: Manifest, borders: Sequence[Border]) -> int:
    """Return the sum of the hashes of all records; the first of the borders has one row of each."""
    first, *more = borders
    total = 0
    for named in manifest.files.get(first.name, []):
        split, part = _split_and_part(named["path"])
        others = [
            _PlacedRows(files.join(folder, *other["path"].split("/")), border)
            for border in more
            for other in manifest.files.get(border.name, [])
            if _split_and_part(other["path"]) == (split if border.by_split else "", part)
        ]
        for place, found in _by_place(files.join(folder, *named["path"].split("/")), first):
            for file in others:
                found += file.take(place)
            total += record_hash(split, found)
    return total % (1 << 128)


class _PlacedRows:
    """The rows of one file, read place by place."""

    def __init__(self, url: str, border: Border) -> None:
        self._holds_all_splits = not border.by_split
        self._places = _by_place(url, border)
        self._next = next(self._places, None)

    def take(self, place: Place) -> list[object]:
        """Return the rows of ``place``, if any; in a file of all splits, skip rows of other splits before it."""
        while self._next is not None and self._next[0] != place and self._holds_all_splits:
            self._next = next(self._places, None)
        if self._next is None or self._next[0] != place:
            return []
        found = self._next[1]
        self._next = next(self._places, None)
        return found


def _split_and_part(path: str) -> tuple[str, str]:
    split = re.search(r"split=(\w+)", path)
    return split[1] if split else "", path.rpartition("/")[2]


def _by_place(url: str, border: Border) -> Iterator[tuple[Place, list[object]]]:
    for place, found in groupby(rows(url, border), key=lambda row: (row.file, row.offset)):
        yield place, list(found)


def rows(url: str, border: Border) -> Iterator[Any]:  # Any: an object of the border's own dataclass
    """Yield the rows of one file as dataclasses."""
    for values in read_rows(url, border.schema.names):
        yield row_of(border.row, values)
