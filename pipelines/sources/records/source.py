"""A user's own table: each row becomes an act, and with its text a supervised example and a box of fields.

The mapping (``mapping.py``) declares what the columns mean. Placeholders and supervision come from
``pipelines/linking/acts.py``, as for dialogue acts. The box comes from the code of WikiBio, with the text split into
sentences at ``.``, ``!`` and ``?``. A hash of the text's letters and digits decides the split. A row whose id is taken
(`ids.py`) is rejected. A row without values still has a goal and a text, like a farewell; its box has no fields.

Borders: ``examples``, ``acts``, ``boxes``.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from allsaid.console import say
from allsaid.settings import number
from allsaid.storage.streams import with_content
from pipelines.linking.acts import MAX_SLOTS
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
)
from pipelines.sources.cuts import SHARD_BYTES
from pipelines.sources.mappings import is_missing, text_of_mapping
from pipelines.sources.records.cells import Cleaner
from pipelines.sources.records.columns import layout_of, warn_of_unread
from pipelines.sources.records.decimals import with_decimals, written_with
from pipelines.sources.records.ids import Ids, content_of, id_of, ids_of, key_of, survey
from pipelines.sources.records.mapping import TableMapping, load_mapping
from pipelines.sources.records.report import report_of
from pipelines.sources.records.supervision import Record, keep, values_of_row
from pipelines.sources.records.tables.cuts import cut_table
from pipelines.sources.records.tables.encoding import check_encoding
from pipelines.sources.records.tables.layout import Cells, Row, Start, TableFault, cell_text
from pipelines.sources.records.tables.rows import place_of, read_table
from pipelines.sources.records.values import Value
from schemas.errors import UserError
from schemas.runs.deferred import Deferred
from schemas.runs.manifest import MAPPING_NAME, Manifest
from schemas.runs.rejected import HEAD_BYTES, NO_TEXT, Rejected

MAX_TEXT = 1 << 16  # characters


@dataclass(frozen=True)
class Settings:
    mapping: str = ""  # path of the YAML file that declares what the columns mean
    dev_share: float = number(0.1, 0, 0.5)
    test_share: float = number(0.1, 0, 0.5)
    encoding: str = ""  # of text files; "": found from their bytes
    sheet: str = ""  # of workbooks; "" for the first
    duplicates: bool = False  # whether only one of the rows with the same goal, values and text is kept
    guard: bool = False  # whether training rows with the goal and values of a dev or test row are dropped
    shard_bytes: int = number(SHARD_BYTES, 1)  # approximate bytes of a plain table that one process reads at a time


TABLE = """\
sku,kind,name,colours,weight,text
M-1,mug,Alder,blue; white,310,"The Alder is a mug in blue or white, of 310 g."
M-2,cup,Birch,green,180,The Birch: a green cup of 180 g.
"""
MAPPING = """\
id: sku
goal: kind
text: text
columns:
  name: value
  colours: {kind: list, separator: ";"}
  weight: {kind: number, unit: g}
"""


class Records(Source):
    """Read your own table (CSV, Excel, JSON lines or Parquet).

    A mapping declares what each column is.

    Example: allsaid ingest records --input samples/products.csv --mapping samples/products.yaml --output data
    """

    borders = ("examples", "acts", "boxes")
    is_table = True
    dedup_reasons = DedupReasons(duplicate="same_goal_values_and_text", title="same_goal_and_values")
    handling = Handling(
        "Columns are read as the mapping says. Values that are found in the texts become placeholders. Spellings that "
        "a placeholder does not determine are stored, so that the exact text can be restored. If the settings say so, "
        "duplicates are left out, and training rows with the goal and values of a dev or test row are dropped.",
        BY_HASH,
    )
    settings = Settings
    options: ClassVar = {
        "mapping": "A YAML file that says what each column is.",
        "guess": "Write a first mapping of the tables to this new file, and stop; --output is not needed.",
        "encoding": "Encoding of text tables, such as cp1252. [default: found from their bytes]",
        "sheet": "The sheet of an Excel file. [default: the first]",
        "shard_bytes": "Approximate bytes of a plain file that one process reads at a time.",
    }
    sample: ClassVar = {"mugs.csv": TABLE, "mapping.yaml": MAPPING}

    def plan(self, paths: Sequence[str], settings: Settings) -> list[Shard]:
        """Return the shards of each file; each lists its mapping and the earlier files that share ids with it.

        Raises UserError if none of the files is a table with the columns.
        """
        mapping, encoding = load_mapping(settings.mapping), check_encoding(settings.encoding)
        tables, faults = [], []
        paths = with_content(paths, zips=True)
        for path in paths:
            try:
                tables.append((path, layout_of(path, mapping, settings.mapping, encoding, settings.sheet)))
            except TableFault as fault:
                faults.append(str(fault))
        if faults and not tables:
            raise UserError(faults[0])
        layouts = dict(tables)
        empty_paths = [path for path, layout in tables if next(iter(read_table(path, layout)), None) is None]
        tables = [(path, layout) for path, layout in tables if path not in empty_paths]
        if empty_paths and not tables:
            sheets = layouts[empty_paths[0]].sheet_sentence
            raise UserError(f"{empty_paths[0]} has a header, but no row. Give a table that has rows.{sheets}")
        for path in empty_paths:
            say(f"{path} has a header, but no row; it is skipped.", "warning")
        warn_of_unread(tables, mapping, settings.mapping)
        earlier_files, decimals = survey(tables, mapping)
        for note in (note for layout in layouts.values() for note in layout.notes):
            say(note, "warning")
        shards = []
        for path in (path for path in paths if path not in empty_paths):
            layout, files = layouts.get(path), (path, settings.mapping, *earlier_files.get(path, ()))
            cuts = [Shard((path,))] if layout is None else cut_table(path, layout, settings.shard_bytes)
            encoding_found = layout.encoding if layout else encoding
            shards += [replace(shard, files=files, encoding=encoding_found, decimals=decimals) for shard in cuts]
        return shards

    def keys(self, shard: Shard, settings: Settings, among: Container[bytes] | None) -> Iterator[bytes]:
        """Yield the key of each row's id; with ``among``, only keys in it, and only of usable rows."""
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
            cells, _ = cleaner.clean(row.cells)
            try:
                key = key_of(content_of(cells, mapping))
                if among is not None:
                    if key not in among:
                        continue
                    _usable(cells, mapping)
            except RecordFault:
                continue
            yield key

    def read(self, shard: Shard, settings: Settings, before: Mapping[bytes, int] | None = None) -> Iterator[Result]:
        """Yield a result for each row of the shard: a kept record with its output rows, or a rejection with its reason.

        ``before``: how often a key is in earlier rows of the file.
        """
        mapping = with_decimals(load_mapping(settings.mapping), shard.decimals)
        try:
            layout = layout_of(shard.file, mapping, settings.mapping, shard.encoding, settings.sheet)
            ids = self._ids(shard, mapping, settings, before)
        except TableFault as fault:
            yield Unreadable(str(fault))
            return
        cleaner = Cleaner(mapping)
        for row in read_table(shard.file, layout, start=Start(shard.first), last=shard.last):
            if isinstance(row, str):
                yield Unreadable(row)
                continue
            figures: Mapping[str, int] = {}
            cells: Cells = row.cells or {}
            try:
                if row.cells is None:
                    raise RecordFault(row.reason, row.detail)
                cells, figures = cleaner.clean(cells, row.lacks)
                goal, text, values = _usable(cells, mapping)
                record = Record(ids.new(cells), goal, text, values)
                kept = keep(record, row.offset, shard.file, mapping, settings.dev_share, settings.test_share)
                kept = replace(kept, figures={**kept.figures, **figures}) if figures else kept
                yield kept if self.steps(settings) is None else _deferred(kept, row, figures)
            except RecordFault as fault:
                head = row.head or str(dict(cells)).encode("utf-8", "replace")[:HEAD_BYTES]
                name = id_of(cells, mapping)
                yield Rejected("read", fault.reason, str(fault), name, shard.file, row.offset, head)
                if figures:
                    yield RejectedFigures(figures)

    def steps(self, settings: Settings) -> Steps | None:
        if not (settings.duplicates or settings.guard):
            return None
        return Steps(settings.dev_share, settings.test_share, settings.duplicates, settings.guard)

    def copied(self, shards: Sequence[Shard], settings: Settings) -> dict[str, str]:
        text = text_of_mapping(settings.mapping)
        return {MAPPING_NAME: written_with(text, shards[0].decimals, settings.mapping)}

    def place_of(self, file: str, offset: int) -> str:
        return place_of(file, offset)

    def report(self, manifest: Manifest, folder: str) -> Findings:
        return report_of(manifest, folder)

    def _ids(self, shard: Shard, mapping: TableMapping, settings: Settings, before: Mapping[bytes, int] | None) -> Ids:
        """Return the ids of a shard's rows; raises TableFault for an earlier file that is no table."""
        earlier = shard.files[2:]
        file_of_id: dict[bytes, str] = {}  # key of an id -> the earlier file that has it
        for path in reversed(earlier) if mapping.id else ():  # reversed: errors name the first file with an id
            layout = layout_of(path, mapping, settings.mapping, check_encoding(settings.encoding), settings.sheet)
            file_of_id |= {key_of(row_id): path for row_id in ids_of(path, layout, mapping)}
        return Ids(shard.file, mapping, file_of_id, 0 if mapping.id else len(earlier), before or {})


def _deferred(kept: KeptRecord, row: Row, figures: Mapping[str, int]) -> Deferred:
    """Defer a row with two keys: goal, values and text for duplicates, goal and values for the guard."""
    (example,) = kept.rows["examples"]
    act_key = "\x1f".join((example.goal, *example.agenda))
    return defer(kept, content_hash(f"{act_key}\x1f{example.content_hash}"), [act_key], row.head, figures)


def _usable(cells: Cells, mapping: TableMapping) -> tuple[str, str, list[Value]]:
    """Return a row's goal, text and values; raise RecordFault if it is not usable, whatever its id."""
    values = values_of_row(cells, mapping)
    goal, text = (cell_text(cells.get(name), name) for name in (mapping.goal, mapping.text))
    if not any(map(str.isalnum, text)) or is_missing(text, mapping.missing):
        raise RecordFault(
            NO_TEXT, f"The cell of '{mapping.text}', the text, is empty. Fill it, or name another column."
        )
    if len(text) > MAX_TEXT:
        raise RecordFault(
            "long_text", f"The cell of '{mapping.text}' has {len(text):,} characters; the maximum is {MAX_TEXT:,}."
        )
    if not any(map(str.isalnum, goal)) or is_missing(goal, mapping.missing):
        raise RecordFault(
            "no_goal", f"The cell of '{mapping.goal}', the goal, is empty. Fill it, or name another column."
        )
    if len(values) > MAX_SLOTS:
        raise RecordFault("too_many_slots", f"The row has {len(values):,} values; the maximum is {MAX_SLOTS}.")
    return goal, text, values
