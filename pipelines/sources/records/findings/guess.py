"""A first mapping for a user's tables, guessed from their first rows and from what the texts say; the user mends it.

The rows are read and the cells are understood as the ingest does it, so that nothing is guessed that it could not hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import yaml

from allsaid.console import say
from allsaid.language.numbers import read_amount
from allsaid.storage import files
from pipelines.source import RecordFault
from pipelines.sources.mappings import DEFAULT_MISSING
from pipelines.sources.records.cell_findings import LOST_ZEROS, sentences
from pipelines.sources.records.findings.kinds import CODE, TEXT_WORDS, amount_in
from pipelines.sources.records.findings.mentions import Texts, keywords_of, says, share_said, units_of
from pipelines.sources.records.findings.sample import Seen, look_at
from pipelines.sources.records.mapping import IGNORED, LIST, NUMBER, VALUE, YES_NO, Column
from pipelines.sources.records.tables.encoding import check_encoding
from pipelines.sources.records.values import NO, YES, values_of
from schemas.act import placeholder
from schemas.errors import UserError

FEW = 20  # rows that tell too little for leaving out what no text says
SEPARATORS = ("|", ";", ",", "/")
OFTEN, SELDOM = 0.5, 0.1  # shares of a column's cells
_ID_NAMES = re.compile(
    r"(?:^|[_ .-]|(?<=[a-z])(?=[A-Z]))(?:id|sku|key|code|number|num|nr|no|ref)\.?$|^(?:isbn|ean|gtin|asin)"
    r"|(?:nr|nummer)\.?$|^r[eé]f",
    re.IGNORECASE,
)
_GOAL_NAMES = re.compile(
    r"categor|kategorie|cat[eé]gor|type|typ$|tipo|kind|class|genre|goal|gruppe|group|\bact\b|art$|sorte?$",
    re.IGNORECASE,
)
_UNIT_IN_NAME = re.compile(
    r"(?:[_ ](kg|g|mg|lb|oz|km|m|cm|mm|l|ml|inch|w|kw|v|eur|usd|gbp|chf|m2|m²|sqft)|[(\[](\S{1,8})[)\]])$",
    re.IGNORECASE,
)


def guess(paths: Sequence[str], encoding: str = "", sheet: str = "") -> dict[str, Any]:
    """A mapping as plain data (`mapping.py`); raises UserError where no file is a table."""
    columns, rows = look_at(paths, check_encoding(encoding), sheet)
    text = _text(columns)
    texts = Texts(_texts(text, rows) if text else [""] * rows)
    identity = _identity([column for column in columns if column is not text], rows)
    rest = [column for column in columns if column is not text]
    goal = _goal([column for column in rest if column is not identity])
    kinds = {column.name: _kind(column, texts) for column in rest if column is not goal}
    said = {column.name for column in rest if column is not goal and _is_said(column, kinds[column.name], texts)}
    if identity is not None and (_is_number(identity) or identity.name not in said):
        del kinds[identity.name]
    for column in rest:
        is_open = column.name in kinds and column.name not in said and not _is_yes_no(column)
        if said and is_open and len(column.cells) >= FEW:
            kinds[column.name] = IGNORED
    kinds = _without_clashes(kinds)
    _tell_spoilt(column for column in rest if kinds.get(column.name) == IGNORED)
    named = {"id": identity, "goal": goal, "text": text}
    return {
        **{key: column.name for key, column in named.items() if column is not None},
        "columns": {name: _noted(kind, name, columns) for name, kind in kinds.items()},
    }


def _tell_spoilt(ignored: Iterable[Seen]) -> None:
    """What a spreadsheet spoilt of columns that are left out, which the ingest does not look at; numbers lose no 0."""
    for column in ignored:
        kinds = {kind: cells for kind, cells in column.spoilt.items() if kind != LOST_ZEROS or not _is_number(column)}
        for sentence in sentences({column.name: kinds}):
            say(sentence, "warning")


def _texts(text: Seen, rows: int) -> list[str]:
    cells = dict(text.cells)
    return [cells.get(row, "") for row in range(rows)]


def _text(columns: Sequence[Seen]) -> Seen | None:
    """The column of long cells that says most of what the others hold; among equals the longest."""
    long = [one for one in columns if one.words > TEXT_WORDS and not one.is_list and not one.is_optional]

    def rank(one: Seen) -> tuple[float, float]:
        cells = {row: f" {cell.lower()} " for row, cell in one.cells}
        others = [other for other in columns if other is not one and not other.is_list and other.words <= TEXT_WORDS]
        said = sum(cell.lower() in cells.get(row, "") for other in others for row, cell in other.cells)
        return round(said * one.distinct / max(len(one.cells), 1) ** 2, 1), one.words

    return max(long, key=rank, default=None)


def _identity(columns: Sequence[Seen], rows: int) -> Seen | None:
    """A column of one-word cells none of which stands twice; one named so before others, and these from the left."""
    fitting = [
        one
        for one in columns
        if len(one.cells) == one.distinct == rows and one.words == 1 and not one.is_list and not one.is_optional
    ]
    named = [one for one in fitting if _ID_NAMES.search(one.name)]
    return next(iter(named or [one for one in fitting if not _is_number(one)]), None)


def _goal(columns: Sequence[Seen]) -> Seen | None:
    """A column of few different values; one named as a class of things before others."""
    fitting = [
        one
        for one in columns
        if 1 <= one.distinct <= max(20, len(one.cells) // 10)
        and one.distinct <= max(1, len(one.cells) // 2)
        and one.words <= TEXT_WORDS
        and not (one.is_list or one.is_optional or _is_number(one) or _is_yes_no(one))
    ]
    named = [one for one in fitting if _GOAL_NAMES.search(one.name)]
    return next(iter(named or fitting), None)


def _is_number(column: Seen) -> bool:
    """Whether nearly all cells are numbers of few units, and not codes of digits or names such as "Heron 300"."""
    amounts = [amount for _, cell in column.cells if (amount := amount_in(cell))]
    units = {amount.unit for amount in amounts}
    is_code = any(CODE.fullmatch(cell) for _, cell in column.cells)
    return not is_code and len(amounts) > (1 - SELDOM) * len(column.cells) and len(units) <= max(3, len(amounts) // 5)


def _is_yes_no(column: Seen) -> bool:
    """Whether all cells say yes or no; 1 and 0 alone may be numbers."""
    cells = {cell.lower() for _, cell in column.cells}
    return bool(cells) and cells <= YES | NO and not cells <= {"0", "1"}


def _kind(column: Seen, texts: Texts) -> Any:
    """What stands behind the column's name in the mapping."""
    kind = _first_kind(column, texts)
    options = kind if isinstance(kind, dict) else {"kind": kind}
    try:
        read = Column(column.name, options["kind"], separator=options.get("separator", ","))
        values = [one for _, value in column.values for one in values_of(read, value, DEFAULT_MISSING)]
    except RecordFault:  # no cell of a kind that the ingest reads
        return IGNORED
    return VALUE if sum(bool(one.finding) for one in values) > SELDOM * len(values) else kind


def _first_kind(column: Seen, texts: Texts) -> Any:
    if not column.cells:
        return IGNORED
    if column.is_list:
        return LIST
    if _is_yes_no(column):
        also = keywords_of(texts, column.name, column.cells)
        return {"kind": YES_NO, "also": also} if also else YES_NO
    if _is_number(column):
        return _number(column, texts)
    separator = _separator(column, texts)
    if separator:
        return {"kind": LIST, "separator": separator}
    return (
        VALUE if column.words <= TEXT_WORDS or share_said(texts, Column(column.name, VALUE), column.cells) else IGNORED
    )


def _number(column: Seen, texts: Texts) -> Any:
    """A number, with the unit of its name, or that of its cells where some have none, and how texts write it."""
    units = [amount.unit for _, cell in column.cells if (amount := read_amount(cell))]
    own = max(sorted(set(units)), key=units.count)
    named = _UNIT_IN_NAME.search(column.name)
    unit = (named[1] or named[2]) if named and "" in units else own if "" in units else ""
    if not unit and not own:
        return NUMBER
    also = [word for word in units_of(texts, column.cells) if word not in (unit.lower(), own)]
    return {"kind": NUMBER, **({"unit": unit or own}), **({"also": also} if also else {})} if unit or also else NUMBER


def _separator(column: Seen, texts: Texts) -> str:
    """What parts the elements of a column's cells; "" where each is one value."""
    for separator in SEPARATORS:
        parted = [(row, cell) for row, cell in column.cells if separator in cell]
        if column.share(separator in cell for _, cell in column.cells) < 2 * SELDOM:
            continue
        elements = [(row, one.strip()) for row, cell in parted for one in cell.split(separator) if one.strip()]
        if share_said(texts, Column(column.name, VALUE), parted) >= OFTEN:
            return ""  # texts say the cells whole
        repeated = len({one for _, one in elements}) < 0.8 * len(elements)
        if repeated or share_said(texts, Column(column.name, VALUE), elements) >= OFTEN:
            return separator
    return ""


def _is_said(column: Seen, kind: Any, texts: Texts) -> bool:
    """Whether some text says a value of a column; yes and no have none."""
    options = kind if isinstance(kind, dict) else {"kind": kind}
    if options["kind"] in (YES_NO, IGNORED):
        return False
    also = (*options.get("also", ()), *((options["unit"],) if "unit" in options else ()))
    read = Column(column.name, options["kind"], options.get("unit", ""), tuple(also), options.get("separator", ","))
    values = ((row, one.slot.value) for row, value in column.values for one in values_of(read, value, DEFAULT_MISSING))
    return any(says(texts.padded[row], read, value) for row, value in values)


def _without_clashes(kinds: dict[str, Any]) -> dict[str, Any]:
    """Ignore a column that would share its placeholder with one before."""
    taken: dict[str, str] = {}
    for name, kind in kinds.items():
        if kind != IGNORED and taken.setdefault(placeholder(name), name) != name:
            kinds = {**kinds, name: IGNORED}
    return kinds


def _noted(kind: Any, name: str, columns: Sequence[Seen]) -> Any:
    """A column's kind, with the note that some tables lack it."""
    is_optional = next(column.is_optional for column in columns if column.name == name)
    if kind == IGNORED or not is_optional:
        return kind
    return {**(kind if isinstance(kind, dict) else {"kind": kind}), "optional": True}


def write_guess(paths: Sequence[str], encoding: str = "", sheet: str = "") -> str:
    """The guessed mapping as YAML, with what the user must add."""
    mapping = guess(paths, encoding, sheet)
    kinds = ", ".join((VALUE, LIST, YES_NO, NUMBER, IGNORED))
    head = f"# Guessed from {', '.join(paths)}: read it before you use it. Kinds of columns: {kinds}.\n"
    if "goal" not in mapping:
        head += (
            "# The goal is the kind of thing that a text is about ('tent'), and no column has few values that many "
            "rows share.\n# Name one, or add a column to the table that says it in each row.\n"
            "goal:   # which column is the goal?\n"
        )
    if "text" not in mapping:
        head += (
            "# No column holds texts, which have more than a few words. Without texts nothing can be learned.\n"
            "text:   # which column is the text?\n"
        )
    ignored = [name for name, kind in mapping["columns"].items() if kind == IGNORED]
    if ignored and "text" in mapping:
        head += f"# No text that was looked at says what stands in the columns ignored: {', '.join(ignored)}.\n"
    return head + yaml.safe_dump(mapping, sort_keys=False, allow_unicode=True)


def save_guess(paths: Sequence[str], target: str, encoding: str = "", sheet: str = "") -> None:
    """Write the guess to a new file; raises UserError where there is one, or it can't be written."""
    text = write_guess(paths, encoding, sheet)
    try:
        is_there = files.exists(target)
        if not is_there:
            files.write_text(target, text)
    except (OSError, ValueError) as fault:
        raise UserError(f"--guess {target} can't be written: {fault}") from fault
    if is_there:
        raise UserError(f"--guess {target} is there already and may hold a mended mapping. Give a new path.")
