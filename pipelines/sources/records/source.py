"""A user's own table: each row becomes an act, and with its text a supervised example and a box of fields.

The mapping (``mapping.py``) says what the columns mean. Placeholders and supervision come from
``pipelines/linking/acts.py``, as for dialogue acts; the box from the code of WikiBio, with the text cut into sentences
at ``.``, ``!`` and ``?``. The split is decided by the text's own letters and digits. An id that occurs again, or in an
earlier file of the input (`ids.py`), is rejected. A row whose cells are all empty has a text and a goal, as a
farewell has, and no box.

Borders: ``examples``, ``acts``, ``boxes``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from allsaid.console import say
from allsaid.settings import number
from allsaid.storage.streams import with_content
from pipelines.linking.acts import MAX_SLOTS
from pipelines.linking.phrases import Pass
from pipelines.linking.splits import content_hash
from pipelines.source import (
    BY_HASH,
    DedupReasons,
    Findings,
    Handling,
    KeptRecord,
    RecordFault,
    RejectedFigures,
    Result,
    Shard,
    Source,
    Steps,
    Unreadable,
    defer,
    resume,
)
from pipelines.sources.cuts import SHARD_BYTES
from pipelines.sources.records.cells import Cleaner
from pipelines.sources.records.columns import layout_of, tell_unread
from pipelines.sources.records.ids import digest, ids_of, key_of, name_of, sharing
from pipelines.sources.records.mapping import TableMapping, load_mapping
from pipelines.sources.records.report import report_of
from pipelines.sources.records.supervision import Record, act_of, keep
from pipelines.sources.records.tables.borders import cut_table
from pipelines.sources.records.tables.encoding import check_encoding
from pipelines.sources.records.tables.layout import Cells, Row, Start, TableFault, cell_text
from pipelines.sources.records.tables.rows import place_of, read_table
from pipelines.sources.records.values import Value
from schemas.errors import UserError
from schemas.runs.deferred import Deferred
from schemas.runs.manifest import MAPPING_NAME, Manifest
from schemas.runs.rejected import HEAD_BYTES, Rejected

MAX_TEXT = 1 << 16  # characters


@dataclass(frozen=True)
class Settings:
    mapping: str = ""  # path of the YAML file that says what the columns mean
    dev_share: float = number(0.1, 0, 0.5)
    test_share: float = number(0.1, 0, 0.5)
    encoding: str = ""  # of the files that are text; "" where their bytes are to tell it
    sheet: str = ""  # of workbooks; "" for the first
    duplicates: bool = False  # of rows with one goal, one set of values and one text only one is kept
    guard: bool = False  # training rows go that have the goal and the values of one of dev or test
    shard_bytes: int = number(SHARD_BYTES, 1)  # of a plain table, about what one process reads at a time


class Records(Source):
    """Read your own table (CSV, Excel, JSON lines or Parquet).

    A mapping says what each column is.

    Example: allsaid ingest records --input samples/products.csv --mapping samples/products.yaml --output data
    """

    borders = ("examples", "acts", "boxes")
    dedup_reasons = DedupReasons(duplicate="same_goal_values_and_text", title="same_goal_and_values")
    handling = Handling(
        "Columns are read as the mapping says. Values that are found in the texts become placeholders; what these do "
        "not determine is stored, so that the text can be given back exactly. Where the settings say so, duplicates "
        "are left out, and training rows with the goal and the values of one of dev or test.",
        BY_HASH,
    )
    settings = Settings
    options: ClassVar = {
        "mapping": "A YAML file that says what each column is.",
        "guess": "Write a first mapping of the tables to this new file, and stop; --output is not needed.",
        "encoding": "Of a table that is text, such as cp1252; by default its bytes tell it.",
        "sheet": "The sheet of an Excel file; by default the first.",
        "shard_bytes": "About how many bytes of a plain file one process reads at a time.",
    }

    def plan(self, paths: Sequence[str], settings: Settings) -> list[Shard]:
        """The shards of each file, with the mapping and the earlier files that it shares ids with.

        Raises UserError where none of the files is a table with the columns.
        """
        mapping, encoding = load_mapping(settings.mapping), check_encoding(settings.encoding)
        tables, faults = [], []
        paths = with_content(paths)
        for path in paths:
            try:
                tables.append((path, layout_of(path, mapping, settings.mapping, encoding, settings.sheet)))
            except TableFault as fault:
                faults.append(str(fault))
        if faults and not tables:
            raise UserError(faults[0])
        without = [path for path, layout in tables if next(iter(read_table(path, layout)), None) is None]
        tables = [(path, layout) for path, layout in tables if path not in without]
        if without and not tables:
            raise UserError(f"{without[0]} has a header, but no row. Give a table that has rows.")
        for path in without:
            say(f"{path} has a header, but no row; nothing is read of it.", "warning")
        tell_unread(tables, mapping, settings.mapping)
        before, layouts = sharing(tables, mapping), dict(tables)
        for note in (note for layout in layouts.values() for note in layout.notes):
            say(note, "warning")
        shards = []
        for path in (path for path in paths if path not in without):
            layout, files = layouts.get(path), (path, settings.mapping, *before.get(path, ()))
            if layout is None:
                shards.append(Shard(files, encoding=encoding))
            else:
                cuts = cut_table(path, layout, settings.shard_bytes)
                shards += [replace(shard, files=files, encoding=layout.encoding) for shard in cuts]
        return shards

    def keys(self, shard: Shard, settings: Settings, among: Container[bytes] | None) -> Iterator[bytes]:
        """Yield the keys of the ids of all rows; of rows that are else usable, where ``among`` names the keys."""
        mapping = load_mapping(settings.mapping)
        layout = layout_of(shard.file, mapping, settings.mapping, shard.encoding, settings.sheet)
        start = Start(shard.first)
        if among is None and mapping.id:
            yield from map(key_of, ids_of(shard.file, layout, mapping, start, shard.last))
            return
        cleaner = Cleaner(mapping)
        for row in read_table(shard.file, layout, start=start, last=shard.last):
            if isinstance(row, str) or row.cells is None:
                continue
            cells, _ = cleaner.clean(mapping.renamed(row.cells))
            try:
                key = key_of(_content(cells, mapping))
                if among is not None:
                    if key not in among:
                        continue
                    _usable(replace(row, cells=cells), mapping)
            except RecordFault:
                continue
            yield key

    def read(self, shard: Shard, settings: Settings, before: Mapping[bytes, int] | None = None) -> Iterator[Result]:
        """The rows of one shard: kept with their rows at each border, or rejected with the reason."""
        mapping = load_mapping(settings.mapping)
        try:
            layout = layout_of(shard.file, mapping, settings.mapping, shard.encoding, settings.sheet)
            ids = _Ids(shard, mapping, settings, before)
        except TableFault as fault:
            yield Unreadable(str(fault))
            return
        cleaner = Cleaner(mapping)
        for row in read_table(shard.file, layout, start=Start(shard.first), last=shard.last):
            if isinstance(row, str):
                yield Unreadable(row)
                continue
            found: Mapping[str, int] = {}
            try:
                if row.cells is not None:
                    cells, found = cleaner.clean(mapping.renamed(row.cells))
                    row = replace(row, cells=cells)
                record = parse(row, mapping, ids)
                kept = keep(record, row.offset, shard.file, mapping, settings.dev_share, settings.test_share)
                kept = replace(kept, figures={**kept.figures, **found}) if found else kept
                yield kept if self.steps(settings) is None else _held(kept, row, found)
            except RecordFault as fault:
                head = row.head or str(dict(row.cells or {})).encode("utf-8", "replace")[:HEAD_BYTES]
                name = _id(row.cells, mapping)
                yield Rejected("read", fault.reason, str(fault), name, shard.file, row.offset, head)
                if found:
                    yield RejectedFigures(found)

    def steps(self, settings: Settings) -> Steps | None:
        if not (settings.duplicates or settings.guard):
            return None
        return Steps(settings.dev_share, settings.test_share, settings.duplicates, settings.guard)

    def finish(self, deferred: Deferred, split: str, phrases: Sequence[Pass]) -> KeptRecord:
        return resume(deferred, split)

    def copied(self, settings: Settings) -> dict[str, str]:
        return {MAPPING_NAME: settings.mapping}

    def place_of(self, file: str, offset: int) -> str:
        return place_of(file, offset)

    def report(self, manifest: Manifest, folder: str) -> Findings:
        return report_of(manifest, folder)


def _held(kept: KeptRecord, row: Row, found: Mapping[str, int]) -> Deferred:
    """A row as it waits for others: duplicates have its goal, values and text, the guard compares all but the text."""
    (example,) = kept.rows["examples"]
    asked = "\x1f".join((example.goal, *example.agenda))
    return defer(kept, content_hash(f"{asked}\x1f{example.content_hash}"), [asked], row.head, found)


def parse(row: Row, mapping: TableMapping, ids: _Ids) -> Record:
    """What a row says; raises RecordFault where it is not usable."""
    goal, text, values = _usable(row, mapping)
    return Record(ids.new(row.cells or {}), goal, text, values)


def _usable(row: Row, mapping: TableMapping) -> tuple[str, str, list[Value]]:
    """A row's goal, text and values; raises RecordFault where it is not usable, whatever its id."""
    if row.cells is None:
        raise RecordFault(row.reason, row.detail)
    cells = row.cells
    values = act_of(cells, mapping)
    goal, text = (cell_text(cells.get(name), name) for name in (mapping.goal, mapping.text))
    if not any(map(str.isalnum, text)) or text.lower() in mapping.missing:
        raise RecordFault("no_text", f"The cell of '{mapping.text}' is empty.")
    if len(text) > MAX_TEXT:
        raise RecordFault(
            "long_text", f"The cell of '{mapping.text}' has {len(text):,} characters; read are {MAX_TEXT:,}."
        )
    if not any(map(str.isalnum, goal)) or goal.lower() in mapping.missing:
        raise RecordFault("no_goal", f"The cell of '{mapping.goal}', the goal, is empty.")
    if len(values) > MAX_SLOTS:
        raise RecordFault("too_many_slots", f"The row gives {len(values):,} values; read are {MAX_SLOTS}.")
    return goal, text, values


def _content(cells: Cells, mapping: TableMapping) -> str:
    """What tells a row from others: its id, or all that it says. Raises RecordFault where it lacks the id."""
    if not mapping.id:
        return "\x1f".join(str(cells.get(name)) for name in mapping.named)
    given = cell_text(cells.get(mapping.id), mapping.id)
    if not given or given.lower() in mapping.missing:
        raise RecordFault("no_id", f"The cell of '{mapping.id}', the id, is empty.")
    return given


def _id(cells: Cells | None, mapping: TableMapping) -> str:
    try:
        return cell_text((cells or {}).get(mapping.id), mapping.id) if mapping.id else ""
    except RecordFault:
        return ""


class _Ids:
    """The ids of a shard's rows, none of which was given before."""

    def __init__(
        self, shard: Shard, mapping: TableMapping, settings: Settings, before: Mapping[bytes, int] | None
    ) -> None:
        """``before``: how often rows of the shard stand in those of its file before."""
        self._mapping = mapping
        self._name, earlier = name_of(shard.file), shard.files[2:]
        self._seen: Counter[bytes] = Counter(before)
        self._taken: dict[bytes, str] = {}  # hash of an id -> the earlier file that has it
        if mapping.id:
            for path in reversed(earlier):  # the first one is told
                encoding = check_encoding(settings.encoding)
                layout = layout_of(path, mapping, settings.mapping, encoding, settings.sheet)
                self._taken |= {key_of(given): path for given in ids_of(path, layout, mapping)}
        elif earlier:
            self._name += f"\x1f{len(earlier)}"

    def new(self, cells: Cells) -> str:
        """A row's own id; else one made of the file's name, the cells, and how often they stood in the file before.

        Raises RecordFault.
        """
        content = _content(cells, self._mapping)
        key = key_of(content)
        self._seen[key] += 1
        if not self._mapping.id:
            return digest(self._name, content, str(self._seen[key]))
        if self._seen[key] > 1 or key in self._taken:
            place = self._taken.get(key, "the file")
            raise RecordFault("doubled_id", f"The id '{content[:80]}' stands in {place} before.")
        return content
