"""The rows of Parquet files that others wrote, in memory that a small file can't blow up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyarrow as pa
import pyarrow.parquet as pq

from allsaid.storage.streams import MAX_PACKING, is_bomb

ROWS = 1000  # rows in memory at most
HELD = 1 << 26  # bytes that they may have in memory; one row of more stands alone


def check_size(metadata: pq.FileMetaData) -> None:
    """Raise ValueError where the pages of a column would unpack to far more than a page of text can be packed to."""
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
    """The row groups from that of a row on, and how many rows stand before them."""
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
    """The rows of some row groups, by default of all; of ``columns``, by default of all.

    A dictionary gives a large value to any number of rows, so that each may be as large as all pages of its row group.
    """
    for group in range(parquet.num_row_groups) if groups is None else groups:
        rows = min(max(HELD // max(parquet.metadata.row_group(group).total_byte_size, 1), 1), ROWS)
        yield from parquet.iter_batches(rows, row_groups=[group], columns=columns, use_threads=False)
