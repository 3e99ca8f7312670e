"""Match texts by another author, in a table of ids and texts, to their rows.

The launcher reads the texts once and writes them, sorted by row, to files. A worker reads the texts of its part. So no
process holds all texts, or the ids of all rows, in memory. Texts that belong to no row are rejected.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from operator import attrgetter

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from allsaid.console import say
from allsaid.storage import files
from allsaid.storage.parquet import open_parquet
from allsaid.storage.paths import absolute, expand
from allsaid.storage.streams import with_content
from batch_infer.proof import reasons
from batch_infer.proof.reasons import Reason, general
from batch_infer.rows import hashes, ids
from batch_infer.rows.earlier import Index, row_hash
from batch_infer.rows.hashes import NOWHERE, Places
from batch_infer.rows.inputs import NO_TEXT, PartRows, Row
from batch_infer.rows.parts import output_ids
from batch_infer.rows.sources import ID, Part, Source, files_hash
from pipelines.source import RecordFault
from pipelines.sources.mappings import is_missing
from pipelines.sources.records.cells import Cleaner
from pipelines.sources.records.ids import id_of
from pipelines.sources.records.mapping import TableMapping
from pipelines.sources.records.source import MAX_TEXT
from pipelines.sources.records.tables.layout import Layout, TableFault, cell_text
from pipelines.sources.records.tables.layout import Row as TableRow
from pipelines.sources.records.tables.rows import look, read_table
from schemas.checks.table import to_table
from schemas.errors import UserError
from schemas.runs.rejected import HEAD_BYTES, REJECTED, Rejected

SHEET_OPTION = "--texts-sheet"
FOLDER = "submitted"  # in the work folder
REJECTED_TEXTS = "rejected"  # in the output folder
TEXT = "text"
CHUNK = 20_000  # texts sorted at once
GROUP = 1000  # rows per row group of Parquet
_STAGED = pa.schema([("part", pa.int32()), ("row", pa.int32()), (TEXT, pa.string())])


@dataclass(frozen=True)
class TextFile:
    path: str
    layout: Layout
    columns: TableMapping  # only the columns of id and text


@dataclass(frozen=True)
class Chunk:
    """A file of texts, sorted by row."""

    path: str
    first: int  # number of the first part
    last: int


class Rejects:
    """The texts that belong to no row or can't be read: counted, and written to ``output``."""

    def __init__(self, output: str, work: str) -> None:
        """work: as in :func:`files.whole`."""
        self.reasons: dict[str, Reason] = {}
        self._output, self._work = output, work
        self._rows: list[Rejected] = []
        self._files = 0

    def add(self, reason: str, detail: str, name: str, file: str, offset: int, head: bytes) -> None:
        reasons.add(self.reasons, Reason(general(detail), 1, detail, [name]))
        self._rows.append(Rejected("read", reason, detail, name, file, offset, head[:HEAD_BYTES]))
        if len(self._rows) == CHUNK:
            self.write()

    def write(self) -> None:
        """Write the texts that are not written yet."""
        if self._rows:
            path = files.join(self._output, REJECTED_TEXTS, f"part-{self._files:05}.parquet")
            with files.whole(path, self._work) as stream:
                pq.write_table(to_table(self._rows, REJECTED), stream, compression="zstd")
            self._files, self._rows = self._files + 1, []


def find(
    where: str, mapping: TableMapping | None, sheet: str = "", known: Container[str] = ()
) -> tuple[list[TextFile], str]:
    """Return the files of texts, and a hash of their content; raise UserError for a fault.

    sheet: the sheet to read of workbooks; "" for the first. known: notes that were printed for the table.
    """
    inputs = expand([where], option="TEXTS")
    if inputs.losses:
        raise UserError(inputs.losses[0])
    paths = with_content(inputs.paths, zips=True)
    text_files = []
    for path in paths:
        try:
            layout = look(path, sheet=sheet, sheet_option=SHEET_OPTION)
        except TableFault as fault:
            raise UserError(str(fault)) from fault
        for note in layout.notes:
            if note not in known:
                say(note, "warning")
        text_files.append(TextFile(path, layout, _columns(path, layout, mapping)))
    return text_files, files_hash(paths)


def _columns(path: str, layout: Layout, mapping: TableMapping | None) -> TableMapping:
    """Return the columns of a file to read: id and text by the mapping, or the ones named "id" and "text"."""
    names = {}
    for usual, mapped in ((ID, mapping.id if mapping else ""), (TEXT, mapping.text if mapping else "")):
        possible = [*(mapping.names_of(mapped) if mapping and mapped else ()), usual]
        column = next((name for name in possible if name in layout.columns), None)
        if column is None:
            expected = " or ".join(f"'{name}'" for name in dict.fromkeys(possible))
            remedy = "rename the columns of the id and the text, or name them in the mapping under `id:` and `text:`."
            if usual == ID and mapping and not mapping.id:
                remedy = "name the id's column under `id:` in the mapping."
            raise UserError(
                f"{path} has no column {expected}. Its columns are: {', '.join(layout.columns)}. Texts are joined to "
                f"their rows by id: {remedy}{layout.sheet_sentence}"
            )
        names[usual] = column
    columns = TableMapping(goal="", text=names[TEXT], columns=(), id=names[ID])
    return replace(columns, missing=mapping.missing, repair=mapping.repair) if mapping else columns


def stage(
    texts: Sequence[TextFile], parts: Sequence[Part], source: Source, work: str, output: str
) -> tuple[list[Chunk], Rejects]:
    """Write the texts, sorted by row, to a folder in ``work``, and unmatched texts to ``output``."""
    folder = files.join(work, FOLDER)
    row_places = (hashes.places(part.number, [*map(ids.id_hash, output_ids(part, source))]) for part in parts)
    places, rejects = hashes.save("rows", work, row_places), Rejects(output, folder)
    chunks: list[Chunk] = []
    submitted = _submitted(texts, rejects)
    while block := list(islice(submitted, CHUNK)):
        known = _known(block, places, rejects)
        if len(known):
            path = files.join(folder, f"{len(chunks):05}.parquet")
            with files.whole(path, folder) as stream:
                pq.write_table(known, stream, compression="zstd", row_group_size=GROUP)
            numbers = known.column("part")
            chunks.append(Chunk(absolute(path), numbers[0].as_py(), numbers[-1].as_py()))
    rejects.write()
    if not chunks and rejects.reasons:
        most = max(rejects.reasons.values(), key=attrgetter("rows"))
        sheets = "".join(f" {file.path}:{sentence}" for file in texts if (sentence := file.layout.sheet_sentence))
        say(f"None of the texts can be proven. Most often: {most.example}{sheets}", "warning")
    return chunks, rejects


def join(part_rows: PartRows, earlier: Index | None, chunks: Sequence[Chunk]) -> PartRows:
    """Return the rows of a part with their texts; the ``error`` of a row without one holds the message.

    Rows that are unchanged since the earlier run, with unchanged texts, are left out.
    """
    texts_by_row: dict[int, list[str]] = {}
    for chunk in chunks:
        if chunk.first <= part_rows.part.number <= chunk.last:
            for row, text in _read(chunk.path, part_rows.part.number):
                texts_by_row.setdefault(row, []).append(text)
    rows = [_with(row, texts_by_row.get(number, ())) for number, row in enumerate(part_rows.rows)]
    if earlier is None:
        return replace(part_rows, rows=rows)
    places = earlier.open().find([row.content_hash for row in rows])
    new = [row for row, place in zip(rows, places, strict=True) if place == NOWHERE]
    return replace(part_rows, rows=new, earlier_rows=places)


def texts_of(chunks: Sequence[Chunk], rows: Container[tuple[int, int]]) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield the texts of some rows, each as (part, row), with part and row."""
    for chunk in chunks:
        with files.open_read(chunk.path) as stream, open_parquet(stream) as parquet:
            for group in range(parquet.num_row_groups):
                table = parquet.read_row_group(group, use_threads=False)
                places = zip(table.column("part").to_pylist(), table.column("row").to_pylist(), strict=True)
                for number, place in enumerate(places):
                    if place in rows:
                        yield place, table.column(TEXT)[number].as_py()


def _with(row: Row, texts: Sequence[str]) -> Row:
    content_hash = row_hash(row.content_hash, [*texts, *row.ignored, *row.omissible]) if row.content_hash else b""
    error = row.error or (None if texts else NO_TEXT)
    return replace(row, submitted=tuple(texts), content_hash=content_hash, error=error)


def _read(path: str, part: int) -> Iterator[tuple[int, str]]:
    with files.open_read(path) as stream, open_parquet(stream) as parquet:
        for group in range(parquet.num_row_groups):
            numbers = parquet.metadata.row_group(group).column(0).statistics
            if numbers.min <= part <= numbers.max:
                columns = parquet.read_row_group(group, use_threads=False).to_pydict()
                for number, row, text in zip(*columns.values(), strict=True):
                    if number == part:
                        yield row, text


@dataclass(frozen=True)
class _Submitted:
    id: str
    text: str
    file: str
    offset: int


def _submitted(texts: Iterable[TextFile], rejects: Rejects) -> Iterator[_Submitted]:
    """Yield the readable texts with their ids."""
    for file in texts:
        cleaner = Cleaner(file.columns)
        columns = [name for name in (file.columns.id, file.columns.text) if name in file.layout.header]
        for row in read_table(file.path, file.layout, columns):
            if isinstance(row, str):
                rejects.add("unreadable", row, "", file.path, 0, b"")
            elif row.cells is None:
                rejects.add(row.reason, row.detail, "", file.path, row.offset, row.head)
            else:
                text = _usable(row, file, cleaner, rejects)
                if text is not None:
                    yield text


def _usable(row: TableRow, file: TextFile, cleaner: Cleaner, rejects: Rejects) -> _Submitted | None:
    cells, _ = cleaner.clean(row.cells or {})
    row_id, head = id_of(cells, file.columns), row.head or str(dict(row.cells or {})).encode("utf-8", "replace")
    try:
        value = cells.get(file.columns.text)
        text = value.strip() if isinstance(value, str) else cell_text(value, file.columns.text)
        if not row_id:
            raise RecordFault("no_id", f"The cell of '{file.columns.id}', the id, is empty.")
        if not any(map(str.isalnum, text)) or is_missing(text, file.columns.missing):
            raise RecordFault("no_text", f"The text of '{row_id}' is empty.")
        if len(text) > MAX_TEXT:
            raise RecordFault("long_text", f"The text has {len(text):,} characters; the maximum is {MAX_TEXT:,}.")
    except RecordFault as fault:
        rejects.add(fault.reason, str(fault), row_id, file.path, row.offset, head)
        return None
    return _Submitted(row_id, text, file.path, row.offset)


def _known(block: Sequence[_Submitted], places: Places, rejects: Rejects) -> pa.Table:
    """Return the texts that belong to a row, sorted by row, in the order of the input; reject the others."""
    row_places = places.find(np.array([ids.id_hash(text.id) for text in block], f"S{hashes.SIZE}"))
    for number in np.flatnonzero(row_places == NOWHERE).tolist():
        text = block[number]
        fault = f"No row of the input has the id '{text.id}'."
        rejects.add("unknown_id", fault, text.id, text.file, text.offset, text.text.encode("utf-8", "replace"))
    order = np.argsort(row_places, kind="stable")
    order = order[row_places[order] != NOWHERE]
    parts, rows = hashes.part_and_row(row_places[order])
    texts = pa.array([block[number].text for number in order.tolist()], pa.string())
    return pa.table([parts.astype("i4"), rows.astype("i4"), texts], schema=_STAGED)
