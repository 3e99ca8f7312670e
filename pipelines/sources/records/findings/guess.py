"""A first mapping for a user's tables, guessed from their first rows and their texts; the user edits it.

Rows and cells are read as the ingest reads them, so that it can hold what is guessed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any  # Any: values of YAML

import yaml

from allsaid.console import counted, say
from allsaid.language.numbers import read_amount
from allsaid.storage import files
from pipelines.source import RecordFault
from pipelines.sources.mappings import DEFAULT_MISSING
from pipelines.sources.records.cell_findings import LOST_ZEROS, sentences
from pipelines.sources.records.findings.kinds import TEXT_WORDS, is_unit, unit_in_name
from pipelines.sources.records.findings.mentions import Mentions, Texts, keywords_of, units_of
from pipelines.sources.records.findings.proposals import comments, propose
from pipelines.sources.records.findings.roles import (
    FEW,
    goal_of,
    identity_of,
    is_date,
    is_number,
    is_url,
    is_yes_no,
    text_of,
)
from pipelines.sources.records.findings.sample import Seen, look_at
from pipelines.sources.records.mapping import Column, parse_mapping
from pipelines.sources.records.mapping_keys import IGNORED, LIST, NUMBER, VALUE, YES_NO
from pipelines.sources.records.supervision import Record, values_of_row
from pipelines.sources.records.tables.encoding import check_encoding
from pipelines.sources.records.values import values_of
from schemas.act import placeholder
from schemas.errors import UserError

Kind = str | dict[str, Any]  # the entry of a column in a mapping: its kind, or its keys with values of YAML

SEPARATORS = ("\n", "|", ";", ",", "/")
OFTEN, SELDOM = 0.5, 0.1  # shares of a column's cells
GAPS = 0.2  # share of the texts without a goal that is reported


def guess(paths: Sequence[str], encoding: str = "", sheet: str = "") -> dict[str, Any]:
    """Return a mapping as plain data (`mapping.py`); raises UserError if no file is a table."""
    return _guess(*look_at(paths, check_encoding(encoding), sheet))[0]


def _guess(columns: Sequence[Seen], rows: int) -> tuple[dict[str, Any], Texts]:
    """Return the mapping, and the texts of the rows."""
    text = text_of(columns)
    written = dict(text.cells) if text else {}
    texts = Texts([written.get(row, "") for row in range(rows)])
    rest = [column for column in columns if column is not text]
    identity = identity_of(rest, rows)
    goal = goal_of([column for column in rest if column is not identity])
    kinds = {column.name: _kind(column, texts) for column in rest if column is not goal}
    mentioned = {
        column.name for column in rest if column is not goal and _is_mentioned(column, kinds[column.name], texts)
    }
    if identity is not None and (is_number(identity) or identity.name not in mentioned):
        del kinds[identity.name]
    for column in (column for column in rest if column.name in kinds and column.name not in mentioned):
        if _is_constant(column, rows) or (mentioned and sum(map(bool, written.values())) >= FEW):
            kinds[column.name] = IGNORED
    kinds = _without_clashes(kinds)
    _report(_damages(column for column in rest if kinds.get(column.name) == IGNORED))
    if identity is not None:
        _report(_doubles(identity, rows))
    if goal is not None and text is not None:
        _report(_gaps(goal, text))
    named = {"id": identity, "goal": goal, "text": text}
    mapping = {
        **{key: column.name for key, column in named.items() if column is not None},
        **({"language": texts.language[0]} if texts.language[0] else {}),
        "columns": {name: _noted(kind, name, columns) for name, kind in kinds.items()},
    }
    return mapping, texts


def _is_constant(column: Seen, rows: int) -> bool:
    is_mark = is_yes_no(column) and len(column.cells) < rows  # an x in some rows
    return column.distinct == 1 and len(column.cells) >= FEW // 2 and not is_mark


def _report(found: Iterable[str]) -> None:
    for sentence in found:
        say(sentence, "warning")


def _damages(ignored: Iterable[Seen]) -> Iterator[str]:
    """Yield sentences on cells of ignored columns that a spreadsheet damaged; numbers lose no zeros."""
    for column in ignored:
        kinds = {kind: cells for kind, cells in column.damaged.items() if kind != LOST_ZEROS or not is_number(column)}
        yield from sentences({column.name: kinds})


def _doubles(identity: Seen, rows: int) -> Iterator[str]:
    """Yield a sentence if rows share an id, or have none."""
    twice = [cell for cell, times in Counter(cell for _, cell in identity.cells).items() if times > 1]
    if len(identity.cells) < rows:
        empty = counted(rows - len(identity.cells), "row")
        yield f"The id's column '{identity.name}' is empty in {empty}, which can't be used. Fill it."
    if twice:
        several = f"{counted(len(twice), 'id')} in several rows, such as '{twice[0]}'"
        yield f"The id's column '{identity.name}' has {several}. Give each row its own."


def _gaps(goal: Seen, text: Seen) -> Iterator[str]:
    """Yield a sentence if many rows with a text have no goal."""
    empty = len({row for row, _ in text.cells} - {row for row, _ in goal.cells})
    if empty >= GAPS * len(text.cells):
        yield (
            f"The goal's column '{goal.name}' is empty in {empty:,} of {counted(len(text.cells), 'row')} with a text; "
            "the ingest rejects these. Fill the column, or name another as `goal`."
        )


def _kind(column: Seen, texts: Texts) -> Kind:
    kind = _first_kind(column, texts)
    keys = _keys(kind)
    try:
        read = Column(column.name, keys["kind"], separator=keys.get("separator", ","))
        values = [part for _, value in column.values for part in values_of(read, value, DEFAULT_MISSING)]
    except RecordFault:  # no cell of a kind that the ingest reads
        return IGNORED
    return VALUE if sum(bool(value.finding) for value in values) > SELDOM * len(values) else kind


def _first_kind(column: Seen, texts: Texts) -> Kind:
    if not column.cells or is_url(column):
        return IGNORED
    if column.is_list:
        return LIST
    if is_yes_no(column):
        also = keywords_of(texts, column.name, column.cells)
        if also is not None or not is_number(column):
            return {"kind": YES_NO, "also": also} if also else YES_NO
    if is_number(column):
        return _number(column, texts)
    separator = "" if is_date(column) else _separator(column, texts)
    if separator:
        return {"kind": LIST, "separator": separator}
    is_value = column.words <= TEXT_WORDS or texts.share_mentioned(Column(column.name, VALUE), column.cells)
    return VALUE if is_value else IGNORED


def _number(column: Seen, texts: Texts) -> Kind:
    """Return the kind of a number column: its unit, from the cells or else the name, and words for it in the texts."""
    units = [amount.unit for _, cell in column.cells if (amount := read_amount(cell))]
    usual_unit = max(sorted(set(units)), key=units.count)
    written = units_of(texts, column.cells)
    unit = (unit_in_name(column.name, written) if "" in units else "") or usual_unit
    if not unit:
        return NUMBER
    also = [word for word in written if word not in (unit.lower(), usual_unit)]
    if not also and "" not in units and not is_unit(unit):  # "4 doors": a text has them as its cell does
        return NUMBER
    return {"kind": NUMBER, "unit": unit} | ({"also": also} if also else {})


def _separator(column: Seen, texts: Texts) -> str:
    """Return the separator of the elements in a column's cells; "" if each is one value."""
    value = Column(column.name, VALUE)
    for separator in SEPARATORS:
        cells = column.cells if separator != "\n" else [(row, str(value).strip()) for row, value in column.values]
        parted = [(row, cell) for row, cell in cells if separator in cell]
        if not parted or len(parted) < 2 * SELDOM * len(cells):
            continue
        elements = [
            (row, element.strip()) for row, cell in parted for element in cell.split(separator) if element.strip()
        ]
        if texts.share_mentioned(value, parted) >= OFTEN:
            return ""  # texts mention the cells as a whole
        repeated = len({element for _, element in elements}) < 0.8 * len(elements)
        if repeated or texts.share_mentioned(value, elements) >= OFTEN:
            return separator
    return ""


def _is_mentioned(column: Seen, kind: Kind, texts: Texts) -> bool:
    """Return whether the texts mention a column's values clearly more often than by chance."""
    keys = _keys(kind)
    if keys["kind"] == IGNORED:
        return False
    if keys["kind"] == YES_NO:
        return keywords_of(texts, column.name, column.cells) is not None
    also = (*keys.get("also", ()), *((keys["unit"],) if "unit" in keys else ()))
    read = Column(column.name, keys["kind"], keys.get("unit", ""), tuple(also), keys.get("separator", ","))
    cells: list[tuple[int, Mentions]] = [
        (row, texts.mentions_of(read, part.slot.value))
        for row, value in column.values
        for part in values_of(read, value, DEFAULT_MISSING)
    ]
    return texts.are_mentioned(cells)


def _without_clashes(kinds: dict[str, Kind]) -> dict[str, Kind]:
    """Ignore a column that would share its placeholder with an earlier one."""
    taken: dict[str, str] = {}
    for name, kind in kinds.items():
        if kind != IGNORED and taken.setdefault(placeholder(name), name) != name:
            kinds = {**kinds, name: IGNORED}
    return kinds


def _noted(kind: Kind, name: str, columns: Sequence[Seen]) -> Kind:
    """Return a column's kind, with the note that some tables lack it."""
    is_optional = next(column.is_optional for column in columns if column.name == name)
    if kind == IGNORED or not is_optional:
        return kind
    return {**_keys(kind), "optional": True}


def _keys(kind: Kind) -> dict[str, Any]:
    return kind if isinstance(kind, dict) else {"kind": kind}


def write_guess(paths: Sequence[str], encoding: str = "", sheet: str = "") -> str:
    """Return the guessed mapping as YAML, with comments on what the user must add."""
    columns, rows = look_at(paths, check_encoding(encoding), sheet)
    mapping, texts = _guess(columns, rows)
    kinds = ", ".join((VALUE, LIST, YES_NO, NUMBER, IGNORED))
    head = f"# Guessed from {', '.join(paths)}: read it before you use it. Kinds of columns: {kinds}.\n"
    if "goal" not in mapping:
        head += (
            "# The goal is the kind of thing that a text is about ('tent'), and no column has a few values that many "
            "rows share.\n# Name one, or add a column to the table that has it in each row.\n"
            "goal:   # which column is the goal?\n"
        )
    if "text" not in mapping:
        head += (
            "# No column holds texts, which have more than a few words. Without texts nothing can be learned,\n"
            "# but texts in a file of their own can be proven: name the column of that file here.\n"
            "text:   # which column is the text?\n"
        )
    ignored = [name for name, kind in mapping["columns"].items() if kind == IGNORED]
    constant = [column.name for column in columns if column.name in ignored and _is_constant(column, rows)]
    for names, reason in (
        (constant, "all rows have the same cell"),
        (
            [name for name in ignored if name not in constant],
            "texts have their cells, as these are written, no more often than by chance",
        ),
    ):
        if names and "text" in mapping:
            head += f"# Ignored (texts need not say them), since {reason}: {', '.join(map(repr, names))}.\n"
    dates = [column.name for column in columns if column.name in ignored and is_date(column)]
    if dates and "text" in mapping:
        head += f"# `allsaid prove` finds dates in any spelling: as 'value', it checks {', '.join(map(repr, dates))}.\n"
    nones = [f"'{column.name}' ({counted(column.nones, 'cell')})" for column in columns if column.nones]
    if nones:
        head += (
            f"# 'none' is read as an empty cell: {', '.join(nones)}. If it is a value there, such as 'no caffeine', "
            "write `missing: []`,\n# or the marks that do mean an empty cell: `missing: [n/a, '-']`.\n"
        )
    head += texts.evidence()
    return head + yaml.safe_dump(mapping, sort_keys=False, allow_unicode=True) + _proposals(mapping, columns, rows)


def _proposals(mapping: dict[str, Any], columns: Sequence[Seen], rows: int) -> str:
    """Return other words for values, proposed as comments; nothing for a mapping that lacks its goal or text."""
    if "goal" not in mapping or "text" not in mapping or all(kind == IGNORED for kind in mapping["columns"].values()):
        return ""
    read = parse_mapping(mapping, "the guessed mapping")
    cells = {column.name: dict(column.values) for column in columns}
    records = []
    for row in range(rows):
        row_cells = {name: values[row] for name, values in cells.items() if row in values}
        text = row_cells.get(read.text)
        try:
            values = values_of_row(row_cells, read)
        except RecordFault:
            continue
        if text and values:
            records.append(Record(str(row), str(row_cells.get(read.goal, "")), str(text), values))
    return comments(propose(records, read))


def save_guess(paths: Sequence[str], target: str, encoding: str = "", sheet: str = "") -> None:
    """Write the guess to a new file; raises UserError if it exists, or can't be written."""
    text = write_guess(paths, encoding, sheet)
    try:
        is_there = files.exists(target)
        if not is_there:
            files.write_text(target, text)
    except (OSError, ValueError) as fault:
        raise UserError(f"--guess {target} can't be written: {fault}") from fault
    if is_there:
        raise UserError(f"--guess {target} exists and may hold an edited mapping. Give a new path.")
