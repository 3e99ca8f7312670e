"""The columns of a table beside those of a mapping: what it lacks, and what it has beyond."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from allsaid.console import say
from pipelines.sources.records.mapping import TableMapping
from pipelines.sources.records.tables.layout import Layout, TableFault
from pipelines.sources.records.tables.rows import JSON_LINES, look


def layout_of(path: str, mapping: TableMapping, named_by: str, encoding: str = "", sheet: str = "") -> Layout:
    """What kind of table a file is; raises TableFault where it is none, or lacks a column that the mapping names.

    A key that the first JSON lines lack may still come, and rows without it just lack the value.
    """
    layout = look(path, mapping.delimiter, encoding, sheet)
    wanted = mapping.needed if layout.kind == JSON_LINES else mapping.named
    check_columns(path, layout.columns, wanted, mapping, named_by)
    return layout


def check_columns(
    path: str, columns: Sequence[str], wanted: Iterable[str], mapping: TableMapping, named_by: str
) -> None:
    """Raises TableFault where a table with these columns lacks one of those wanted, under all its names."""
    lacking = [
        name
        for name in wanted
        if name not in mapping.optional and not any(one in columns for one in mapping.names_of(name))
    ]
    if lacking:
        raise TableFault(_lacking(path, columns, lacking, mapping, named_by))


def _lacking(path: str, header: Sequence[str], lacking: Sequence[str], mapping: TableMapping, named_by: str) -> str:
    """What columns a table lacks, which ones it has, and what to do."""
    quoted = _quoted(lacking)
    s = "s" if len(lacking) > 1 else ""
    told = f"{path} lacks the column{s} {quoted}, which {named_by} names. Its columns are: {', '.join(header)}."
    is_trained = not mapping.text  # rows for a model, whose mapping stays as it is
    unread = unread_columns(header, mapping)
    for name in lacking:
        if near := get_close_matches(name.lower(), [one.lower() for one in unread], 1):
            like = next(one for one in unread if one.lower() == near[0])
            remedy = "rename it in the table" if is_trained else f"write `was: [{like}]` beside '{name}' in the mapping"
            told += f" If '{like}' is '{name}', {remedy}."
    if set(lacking) <= set(mapping.needed):
        return told
    if is_trained:
        return f"{told} Add what is lacking to the table, with empty cells where nothing is known."
    return (
        f"{told} A column that tables may lack gets `optional: true` in the mapping; one by another name `was: [NAME]`."
    )


def unread_columns(header: Iterable[str], mapping: TableMapping) -> list[str]:
    """The columns of a table that a mapping does not name."""
    known = mapping.ignored.union(*(mapping.names_of(name) for name in mapping.named))
    return [name for name in header if name not in known]


def warn_of_unread(tables: Iterable[tuple[str, Layout]], mapping: TableMapping, named_by: str) -> None:
    """Name once the columns that the mapping does not name."""
    found: dict[str, str] = {}  # column -> the first table that has it
    for path, layout in tables:
        for name in unread_columns(layout.columns, mapping):
            found.setdefault(name, path)
    if found:
        files = ", ".join(dict.fromkeys(found.values()))
        say(f"Not read are the columns of {files} that {named_by} does not name: {_quoted(found)}.")


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)
