"""The dialect of a CSV file, found from its first rows: delimiter, header, quoting, and kinds of cells by column."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, Literal  # Any: csv's readers, whose type has no name

from allsaid.language.characters import comparable
from pipelines.sources.records.tables.layout import DOUBLED, ESCAPED, UNQUOTED, Layout, TableFault

CSV = "CSV"
BOM = "\ufeff"  # also before later parts of a concatenated file
DELIMITER_LINE = re.compile(r'"?sep=(.?)"?', re.IGNORECASE)  # by which Excel names the delimiter
_DELIMITERS = ",;\t|"
_TAB = "\t"
_LONG = 6  # words; a cell with more is a text
_STRAY = 20  # lines with stray quotes, after which no more rows are read
_MIN_CELLS = 10  # fewest filled cells from which the kinds of a column are known
_BACKSLASH = re.compile(r"\\(.)", re.DOTALL)
_LETTER = re.compile(r"[^\W\d_]")


def csv_layout(path: str, lines: list[str], delimiter: str, encoding: str, line_end: str) -> Layout:
    """Return the layout with the delimiter that splits most lines into as many columns as the first, and into many.

    ``delimiter``: the mapping's, if it names one. Raises TableFault for a file without a header row.
    """
    if lines and (named := DELIMITER_LINE.fullmatch(lines[0].rstrip("\r\n"))):
        delimiter = delimiter or named[1]
        lines = lines[1:]
    best: tuple[int, int] | None = None
    found: list[list[str]] = []
    for candidate in delimiter or _DELIMITERS:
        rows = _first_rows(lines, candidate, DOUBLED)
        width = len(rows[0]) if rows else 0
        fitting = sum(len(row) == width for row in rows)
        if width and (best is None or (width > 1) * fitting * width > best[0]):
            best, found, delimiter = ((width > 1) * fitting * width, width), rows, candidate
    if best is None:
        raise TableFault(f"{path} has no header row that can be read as CSV.")
    quoting = DOUBLED
    if delimiter == _TAB and not _is_quoted(lines):
        quoting, found = UNQUOTED, _first_rows(lines, delimiter, UNQUOTED)
    elif any('\\"' in line for line in lines):
        escaped = _first_rows(lines, delimiter, ESCAPED)
        if sum(len(row) == best[1] for row in escaped) > sum(len(row) == best[1] for row in found):
            quoting, found = ESCAPED, escaped
    header = header_of(path, found)
    full = [row[: len(header)] for row in found[1:] if len(row) >= len(header)]
    kinds = tuple(Counter(map(_kind, column)) for column in zip(*full, strict=True)) or (Counter(),) * len(header)
    return Layout(CSV, header, delimiter, encoding, line_end, quoting=quoting, cell_kinds=kinds)


def csv_reader(lines: Iterable[str], delimiter: str, quoting: str) -> Any:
    """Return a reader of rows that raises csv.Error for a closing quote followed by more characters of its cell.

    A quote after a backslash keeps the backslash: `cells.py` replaces it together with a cell's other escapes.
    """
    if quoting == ESCAPED:
        lines = map(_with_doubled_quotes, lines)
    quotes: Literal[0, 3] = csv.QUOTE_NONE if quoting == UNQUOTED else csv.QUOTE_MINIMAL
    return csv.reader(lines, delimiter=delimiter, strict=True, quoting=quotes, skipinitialspace=delimiter != " ")


def _with_doubled_quotes(line: str) -> str:
    return _BACKSLASH.sub(lambda found: '\\""' if found[1] == '"' else found[0], line) if "\\" in line else line


def _first_rows(lines: list[str], delimiter: str, quoting: str) -> list[list[str]]:
    """Return the first rows without lines that have stray quotes; stop after `_STRAY` of these."""
    rows: list[list[str]] = []
    first = 0
    for _ in range(_STRAY):
        reader, read = csv_reader(lines[first:], delimiter, quoting), 0
        try:
            for row in reader:
                read = reader.line_num
                if row:
                    rows.append(row)
            break
        except csv.Error:
            first += read + 1
    return rows


def _is_quoted(lines: Iterable[str]) -> bool:
    """Return whether the cells of a tab-separated file are quoted as in CSV.

    Product feeds are often tab-separated with unquoted cells, where a double quote is an inch mark. A file with quoted
    cells has doubled quotes or quotes after backslashes within cells, or tabs and line breaks within quotes. A file
    without quoted cells has lone double quotes within cells.
    """
    quoted = raw = 0
    for cell in (cell for line in lines if '"' in line for cell in line.rstrip("\r\n").split(_TAB)):
        is_whole = len(cell) > 1 and cell[0] == '"' == cell[-1]
        if cell[:1] == '"' and ('""' in cell[1:-1].replace('\\"', '""') if is_whole else cell.count('"') == 1):
            quoted += 1
        elif '"' in (cell[1:-1] if is_whole else cell):
            raw += 1
    return quoted >= raw


def header_of(path: str, rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the names of the columns; ``rows``: the first rows of a table, the header first.

    A column without a name is named by its position if any cell is filled. Empty names at the end are left out.
    Raises TableFault if two columns have one name, or the first row is a title instead of a header.
    """
    names = [*map(column_name, rows[0])]
    filled = [name for name in names if name]
    if len(filled) < 2 and any(sum(map(bool, row)) > 2 for row in rows[1:]):
        raise TableFault(
            f"{path} begins with '{''.join(filled)[:80]}', which is not a header row. "
            "Remove the lines above the names of the columns."
        )
    for place, name in enumerate(names):
        if not name and any(len(row) > place and row[place].strip() for row in rows[1:]):
            names[place] = f"column {place + 1}"
    while len(names) > 1 and not names[-1]:
        names.pop()
    check_names(path, names)
    return names


def column_name(written: str) -> str:
    """Return the name of a column in the form in which it is compared with a mapping's names."""
    return comparable(written).strip()


def check_names(path: str, names: Iterable[str]) -> None:
    """Raise TableFault if two columns have one name."""
    doubled = [name for name, times in Counter(filter(None, names)).items() if times > 1]
    if doubled:
        raise TableFault(f"{path} has the column '{doubled[0]}' more than once in its header. Rename one of them.")


def ends_early(cells: Sequence[str], layout: Layout) -> bool:
    """Return whether a row with too few cells lacks only empty cells at the end, which many programs leave out.

    If a delimiter were missing further left, cells would be in other columns. So each cell must be empty or of a kind
    that its column has; a column with few filled cells may have any kind.
    """
    return 0 < len(cells) < len(layout.header) and all(
        kind == "" or kinds[kind] or kinds.total() - kinds[""] < _MIN_CELLS
        for kind, kinds in zip(map(_kind, cells), layout.cell_kinds, strict=False)
    )


def _kind(cell: str) -> str:
    """Return the kind of a cell: "" for an empty one."""
    words = len(cell.split())
    if words > _LONG:
        return "text"
    return "" if not words else "words" if _LETTER.search(cell) else "number"


def raw_cells(line: str, delimiter: str) -> list[str] | None:
    """Split a line with quotes that are not CSV's; cells with these quotes stay unchanged.

    Returns None if it is unclear where a cell ends, since a quote is open, or may be closed by a later quote.
    """
    cells: list[str] = []
    is_open = False
    for quoted, raw in _cell_pattern(delimiter).findall(line.rstrip("\r\n") + delimiter):
        cells.append(raw or quoted.replace('""', '"'))
        if is_open and raw.rstrip().endswith('"'):
            return None
        if raw.lstrip().startswith('"'):
            is_open = True
            if raw.count('"') == 1:
                return None
    return cells


@cache
def _cell_pattern(delimiter: str) -> re.Pattern[str]:
    mark = re.escape(delimiter)
    return re.compile(rf' *"((?:[^"]|"")*+|(?:[^"\\]|""|\\.)*+)" *{mark}|([^{mark}]*){mark}')
