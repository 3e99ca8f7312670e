"""Cut a large table into shards whose rows are the same as in one read.

JSON lines are cut at any line, Parquet between row groups. A workbook is one shard. A line of CSV may be part of a
quoted cell, so the whole file is read. In a block without a quote, each line is a row. The C code of `csv` finds the
rows of well-formed blocks. Other blocks are read row by row, as a shard is.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from functools import partial
from itertools import chain
from typing import BinaryIO

from allsaid.storage.files import open_read
from allsaid.storage.parquet import open_parquet
from pipelines.source import Shard
from pipelines.sources.cuts import cut
from pipelines.sources.records.tables.csv_rows import (
    MAX_REREAD,
    MAX_ROW,
    RowLines,
    csv_rows,
    fits,
    line_reader,
    without_tail,
)
from pipelines.sources.records.tables.dialect import BOM, csv_reader
from pipelines.sources.records.tables.layout import EXCEL, UNQUOTED, Layout, Start
from pipelines.sources.records.tables.rows import JSON_LINES, PARQUET

BLOCK = 1 << 18  # bytes that are read together; less than the longest line and the longest row
_LAST = "x"  # a row appended to a block; if it is not read as a row, a quote is open


class _Unclear(Exception):
    """Too many lines have an open quote: the limits of a row depend on all rows above."""


def cut_table(path: str, layout: Layout, size: int) -> list[Shard]:
    """Return the shards of a table: several of at least ``size`` bytes each, or one if it is compressed or smaller.

    ``first`` and ``last`` of a shard are places of rows: offsets in text, numbers of rows in Parquet.
    """
    if layout.kind == EXCEL:
        return [Shard((path,))]
    if layout.kind == PARQUET:
        return _cut_groups(path, size)
    starts = _line_starts if layout.kind == JSON_LINES else _row_starts
    try:
        return cut(path, size, partial(starts, layout=layout, block=min(size // 16 + 1, BLOCK)))
    except _Unclear:
        return [Shard((path,))]


def _cut_groups(path: str, size: int) -> list[Shard]:
    with open_read(path) as stream:
        metadata = open_parquet(stream).metadata
    starts, row, size_so_far = [0], 0, 0
    for group in map(metadata.row_group, range(metadata.num_row_groups)):
        if size_so_far >= size:
            starts.append(row)
            size_so_far = 0
        row += group.num_rows
        size_so_far += group.total_byte_size
    return [Shard((path,), *ends) for ends in zip(starts, [*starts[1:], None], strict=True)]


def _line_starts(stream: BinaryIO, layout: Layout, block: int) -> Iterator[int]:
    """Yield the start of a line in each block."""
    end, offset = layout.line_end.encode(layout.encoding), 0
    while True:
        offset += -(-block // len(end)) * len(end)  # whole code units
        stream.seek(offset)
        read = line_reader(stream, layout)
        while line := read():
            offset += len(line)
            if line.endswith(end):
                break
        else:
            return
        yield offset


def _row_starts(stream: BinaryIO, layout: Layout, block: int) -> Iterator[int]:
    """Yield the start of a CSV row in or after each block; raises _Unclear."""
    start, reread = 0, 0
    while data := stream.read(block):
        if size := _whole_rows(data, layout):
            start += size
        else:
            lines = RowLines(line_reader(stream, layout), layout.encoding)
            stream.seek(0)
            rows = csv_rows(stream, layout, Start(start), lines)
            next_start = next((row.offset for row in rows if row.offset >= start + block), None)
            reread += lines.reread
            if reread > MAX_REREAD * (start + MAX_ROW):  # shards don't know how much earlier ones reread
                raise _Unclear
            if next_start is None:
                return
            start = next_start
        yield start
        stream.seek(start)


def _whole_rows(block: bytes, layout: Layout) -> int:
    """Return the number of bytes of the block's first rows that are certainly whole; 0 if that is unclear.

    ``block`` begins with a row.
    """
    end = layout.line_end.encode(layout.encoding)
    size = block.rfind(end) + len(end)
    if size < len(end) or size % len(end):
        return 0
    block = block[:size]
    if b'"' not in block or layout.quoting == UNQUOTED:
        return size
    try:
        text = block.decode(layout.encoding)
    except UnicodeDecodeError:
        return 0
    if BOM in text:
        return 0
    lines = [*io.StringIO(text, newline=layout.line_end)]
    reader, read = csv_reader(chain(lines, [_LAST]), layout.delimiter, layout.quoting), 0
    try:
        for cells in reader:
            first, read = read, reader.line_num
            if read > len(lines):
                break
            if read - first > 1 and not fits(without_tail(cells, len(layout.header)), lines[first:read], layout):
                return 0
    except csv.Error:
        return 0
    return size if first == len(lines) else len("".join(lines[:first]).encode(layout.encoding))
