"""Dataclass rows in Allsaid's own Parquet files; not in `files.py`, since Arrow takes time to load."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import Any  # Any: a value of a column, of the column's type

import pyarrow as pa
import pyarrow.parquet as pq

from allsaid.storage import files
from allsaid.storage.parquet import open_parquet
from schemas.checks.table import to_table
from schemas.runs.manifest import FileEntry

ROW_GROUP = 1000  # rows held in memory before they are written


class RowWriter:
    """Writer of dataclass rows to one Parquet file, in row groups; without a row it makes no file.

    ``work`` is as in `files.HashedFile`.
    """

    def __init__(self, folder: str, name: str, schema: pa.Schema, work: str) -> None:
        self.folder, self.name, self.schema, self.work = folder, name, schema, work
        self.rows = 0
        self._waiting: list[object] = []
        self._open = ExitStack()  # closes everything, whatever fails on a full disk
        self._stream: files.HashedFile | None = None
        self._writer: pq.ParquetWriter | None = None

    def __enter__(self) -> RowWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self._open.__exit__(kind, fault, trace)
            return
        with self._open:
            self._flush()

    def write(self, row: object) -> None:
        self.rows += 1
        self._waiting.append(row)
        if len(self._waiting) == ROW_GROUP:
            self._flush()

    def _flush(self) -> None:
        if not self._waiting:
            return
        if self._writer is None:
            self._stream = self._open.enter_context(files.HashedFile(self.folder, self.name, self.work))
            self._writer = pq.ParquetWriter(self._stream, self.schema, compression="zstd")
            self._open.callback(self._writer.close)
        self._writer.write_table(to_table(self._waiting, self.schema))
        self._waiting = []

    @property
    def entries(self) -> list[FileEntry]:
        """The manifest's entry for the closed file; none if it has no rows."""
        return [{**self._stream.entry, "rows": self.rows}] if self._stream is not None else []


def write_rows(folder: str, name: str, schema: pa.Schema, rows: Sequence[object], work: str) -> list[FileEntry]:
    """Write a small file, even without rows; return its entry for the manifest."""
    with files.HashedFile(folder, name, work) as stream:
        pq.write_table(to_table(rows, schema), stream, compression="zstd")
    return [{**stream.entry, "rows": len(rows)}]


def read_rows(path: str, columns: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the rows of a Parquet file, a row group's worth in memory at a time; none if the file is missing."""
    if not files.exists(path):
        return
    with files.open_read(path) as stream:
        for batch in open_parquet(stream).iter_batches(ROW_GROUP, columns=list(columns), use_threads=False):
            yield from batch.to_pylist()
