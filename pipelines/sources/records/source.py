"""A user's own table: each row becomes an act, and with its text a supervised example and a box of fields.

The mapping (``mapping.py``) says what the columns mean. Placeholders and supervision come from
``pipelines/language/acts.py``, as for dialogue acts; the box from the code of WikiBio, with the text cut into sentences
at ``.``, ``!`` and ``?``. The split is decided by the text's own letters and digits. An id that occurs again, or in an
earlier file of the input (`ids.py`), is rejected. A row whose cells are all empty has a text and a goal, as a
farewell has, and no box.

Borders: ``examples``, ``acts``, ``boxes``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

from allsaid.console import UserError, say
from allsaid.settings import number
from pipelines.language.acts import MAX_SLOTS, Told, agenda_line, rows
from pipelines.language.delex import Item, item_tokens
from pipelines.language.splits import split_of
from pipelines.language.text import tokenize
from pipelines.recipes.linking import SENTENCE_ENDS
from pipelines.source import Found, Kept, Lost, RecordFault, Result, Share
from pipelines.sources.records.cells import Cleaner, cell_text
from pipelines.sources.records.columns import layout_of, tell_unread
from pipelines.sources.records.ids import ids_of, key_of, name_of, sharing
from pipelines.sources.records.mapping import TableMapping, load_mapping
from pipelines.sources.records.tables.encoding import check_encoding
from pipelines.sources.records.tables.layout import Cells, Row, TableFault
from pipelines.sources.records.tables.rows import read_table
from pipelines.sources.records.values import FINDINGS, Value, forms_of, normalised, spoken_of, values_of
from pipelines.sources.wikibio.box import MAX_OCCURRENCES, build_table, describe
from pipelines.storage.streams import with_content
from schemas.act import Slot
from schemas.box import Box
from schemas.example import Example
from schemas.rejected import HEAD_BYTES, Rejected

BORDERS = ("examples", "acts", "boxes")
MAX_TEXT = 1 << 16  # characters


@dataclass(frozen=True)
class Settings:
    mapping: str = ""  # path of the YAML file that says what the columns mean
    dev_share: float = number(0.1, 0, 0.5)
    test_share: float = number(0.1, 0, 0.5)
    encoding: str = ""  # of the files that are text; "" where their bytes are to tell it
    sheet: str = ""  # of workbooks; "" for the first


@dataclass(frozen=True)
class Record:
    """A row with what the mapping says of it."""

    id: str
    goal: str
    text: str
    values: list[Value]  # L


def plan(paths: Sequence[str], settings: Settings) -> list[Share]:
    """One share a file, with the mapping and the earlier files that it shares ids with.

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
    return [
        Share(
            (path, settings.mapping, *before.get(path, ())),
            encoding=layouts[path].encoding if path in layouts else encoding,
        )
        for path in paths
        if path not in without
    ]


def read(share: Share, settings: Settings) -> Iterator[Result]:
    """The rows of one file: kept with their rows at each border, or rejected with the reason."""
    mapping = load_mapping(settings.mapping)
    try:
        layout = layout_of(share.file, mapping, settings.mapping, share.encoding, settings.sheet)
        ids = _Ids(share, mapping, settings)
    except TableFault as fault:
        yield Lost(str(fault))
        return
    cleaner = Cleaner(mapping)
    for row in read_table(share.file, layout):
        if isinstance(row, str):
            yield Lost(row)
            continue
        found: Mapping[str, int] = {}
        try:
            if row.cells is not None:
                cells, found = cleaner.clean(mapping.renamed(row.cells))
                row = replace(row, cells=cells)
            record = parse(row, mapping, ids)
            kept = _keep(record, row.offset, share.file, mapping, settings)
            yield replace(kept, figures={**kept.figures, **found}) if found else kept
        except RecordFault as fault:
            head = row.head or str(dict(row.cells or {})).encode("utf-8", "replace")[:HEAD_BYTES]
            name = _id(row.cells, mapping)
            yield Rejected("read", fault.reason, str(fault), name, share.file, row.offset, head)
            if found:
                yield Found(found)


def parse(row: Row, mapping: TableMapping, ids: _Ids) -> Record:
    """What a row says; raises RecordFault where it is not usable."""
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
    return Record(ids.new(cells), goal, text, values)


def act_of(cells: Cells, mapping: TableMapping) -> list[Value]:
    """The values of a row's agenda; raises RecordFault."""
    return [value for column in mapping.columns for value in values_of(column, cells.get(column.name), mapping.missing)]


def slots_of(values: Iterable[Value], mapping: TableMapping) -> list[Slot]:
    """The slots of an act's values, normalised."""
    return [Slot(one.column.name, normalised(one.column, one.slot.value, mapping.words)) for one in values]


def _id(cells: Cells | None, mapping: TableMapping) -> str:
    try:
        return cell_text((cells or {}).get(mapping.id), mapping.id) if mapping.id else ""
    except RecordFault:
        return ""


class _Ids:
    """The ids of a share's rows, none of which was given before."""

    def __init__(self, share: Share, mapping: TableMapping, settings: Settings) -> None:
        self._mapping = mapping
        self._name, earlier = name_of(share.file), share.files[2:]
        self._seen: Counter[bytes] = Counter()
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
        mapping = self._mapping
        given = cell_text(cells.get(mapping.id), mapping.id) if mapping.id else ""
        if mapping.id and (not given or given.lower() in mapping.missing):
            raise RecordFault("no_id", f"The cell of '{mapping.id}', the id, is empty.")
        content = given or "\x1f".join(str(cells.get(name)) for name in mapping.named)
        key = key_of(content)
        self._seen[key] += 1
        if not given:
            return _digest(self._name, content, str(self._seen[key]))
        if self._seen[key] > 1 or key in self._taken:
            place = self._taken.get(key, "the file")
            raise RecordFault("doubled_id", f"The id '{given[:80]}' stands in {place} before.")
        return given


def _digest(*parts: str) -> str:
    return blake2b("\x1f".join(parts).encode("utf-8", "replace"), digest_size=8).hexdigest()


def _keep(record: Record, offset: int, file: str, mapping: TableMapping, settings: Settings) -> Kept:
    told = tell(record, mapping, file, offset)
    example, act = rows(told, mapping.words)
    split = split_of(example.content_hash, settings.dev_share, settings.test_share)
    words = {"text": example.tokens, "agenda": [item.token for item in told.items], "goal": example.goal_tokens}
    box = _box(record, file, offset)
    return Kept(
        split, {"examples": [example], "acts": [act], "boxes": [box]}, _figures(example, record, mapping), words
    )


def tell(record: Record, mapping: TableMapping, file: str, offset: int) -> Told:
    """A record ready for supervision."""
    slots = slots_of(record.values, mapping)
    columns = [value.column for value in record.values]
    named = zip(item_tokens(slots), columns, slots, strict=True)
    return Told(
        id=record.id,
        goal=record.goal,
        goal_tokens=[token.lower() for token in tokenize(record.goal)],
        agenda=[agenda_line(value.slot) for value in record.values],
        slots=slots,
        items=[Item(token, forms_of(column, slot.value)) for token, column, slot in named],
        spoken=[spoken_of(column) for column in columns],
        text=record.text,
        file=file,
        offset=offset,
    )


def _figures(example: Example, record: Record, mapping: TableMapping) -> dict[str, int]:
    """Lengths; and for each column how many values rows gave, how many the texts mention, and how many are flagged."""
    figures = {"tokens": len(example.tokens), "items": len(record.values)}
    figures |= {f"{what} {column.name}": 0 for column in mapping.columns for what in ("given", "found")}
    figures |= {f"{FINDINGS[column.kind]} {column.name}": 0 for column in mapping.columns if column.kind in FINDINGS}
    mentioned = set(example.ref_items)
    for position, value in enumerate(record.values):
        figures[f"given {value.column.name}"] += 1
        figures[f"found {value.column.name}"] += position in mentioned
        if value.finding:
            figures[f"{value.finding} {value.column.name}"] += 1
    return figures


def _box(record: Record, file: str, offset: int) -> Box:
    fields: list[str] = []
    positions: list[int] = []
    originals: list[str] = []
    for slot in (value.slot for value in record.values):
        words = tokenize(slot.value)
        before = sum(name == slot.slot for name in fields)
        fields += [slot.slot] * len(words)
        positions += range(before + 1, before + len(words) + 1)
        originals += words
    table = build_table(fields, positions, originals)
    sentences = [describe(sentence, table) for sentence in _sentences(record.text)]
    if sum(len(places) for sentence in sentences for places in sentence.occurrences) > MAX_OCCURRENCES:
        raise RecordFault("too_large", f"More than {MAX_OCCURRENCES:,} pairs of equal words in the text and the table.")
    return Box(
        id=_digest(name_of(file), record.id),
        source_id=record.id,
        title="",
        url="",
        contributors="",
        fields=table.fields,
        positions=table.positions,
        ends=table.ends,
        tokens=table.tokens,
        originals=table.originals,
        empty_fields=[],
        sentences=sentences,
        file=file,
        offset=offset,
    )


def _sentences(text: str) -> list[list[str]]:
    sentences: list[list[str]] = [[]]
    for token in tokenize(text):
        sentences[-1].append(token)
        if token in SENTENCE_ENDS:
            sentences.append([])
    return [sentence for sentence in sentences if sentence]
