"""Reader of Parquet files from outside, with bounded memory even for a malicious small file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from allsaid.storage.streams import MAX_PACKING, is_bomb

ROWS = 1000  # maximum number of rows in memory
MAX_BYTES = 1 << 26  # maximum bytes of these rows in memory; a larger row is read alone


def open_parquet(
    source: str | Path | BinaryIO | pa.NativeFile, *, page_checksum_verification: bool = False
) -> pq.ParquetFile:
    """Open a Parquet file, a path or a binary stream, for reading with ``use_threads=False``.

    Without ``pre_buffer=False``, one of Arrow's threads reads ahead. It may release the last buffer of a Python stream
    while the interpreter ends, and then aborts the process (exit code 134) after its work is done.
    """
    return pq.ParquetFile(source, pre_buffer=False, page_checksum_verification=page_checksum_verification)


def check_size(metadata: pq.FileMetaData) -> None:
    """Raise ValueError if the pages of a column would unpack to far more than text can be compressed."""
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        for place in range(group.num_columns):
            column = group.column(place)
            if is_bomb(column.total_compressed_size, max(column.total_uncompressed_size, column.num_values)):
                raise ValueError(
                    f"its column '{column.path_in_schema}' unpacks to more than {MAX_PACKING:,} times its size, which "
                    "no text does"
                )


def groups_from(parquet: pq.ParquetFile, row: int) -> tuple[range, int]:
    """Return the row groups from the one that has a row on, and the number of rows before them."""
    before = 0
    for group in range(parquet.num_row_groups):
        rows = parquet.metadata.row_group(group).num_rows
        if before + rows > row:
            return range(group, parquet.num_row_groups), before
        before += rows
    return range(0), before


def batches(
    parquet: pq.ParquetFile, columns: Sequence[str] | None = None, groups: Sequence[int] | None = None
) -> Iterator[pa.RecordBatch]:
    """Read the rows of some row groups and ``columns``, by default of all.

    A dictionary can give one large value to many rows, so each row may be as large as all pages of its row group.
    """
    for group in range(parquet.num_row_groups) if groups is None else groups:
        rows = min(max(MAX_BYTES // max(parquet.metadata.row_group(group).total_byte_size, 1), 1), ROWS)
        yield from parquet.iter_batches(rows, row_groups=[group], columns=columns, use_threads=False)
