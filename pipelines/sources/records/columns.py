"""Comparison of a table's columns with those of a mapping: missing columns, and columns that are not read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from allsaid.console import say
from pipelines.sources.records.mapping import TableMapping
from pipelines.sources.records.tables.layout import Layout, TableFault
from pipelines.sources.records.tables.rows import JSON_LINES, look
from schemas.runs.manifest import MAPPING_NAME

MODELS_MAPPING = f"the model's {MAPPING_NAME}"  # what a message calls the mapping that a trained model keeps
MIN_SIMILARITY = 0.75  # names at least this similar are reported as a possible renaming


def layout_of(path: str, mapping: TableMapping, named_by: str, encoding: str = "", sheet: str = "") -> Layout:
    """Return the layout of a table; raise TableFault if the file is no table, or lacks a column of the mapping.

    JSON lines may lack the columns that are not needed, since a later line may have them.
    """
    layout = look(path, mapping.delimiter, encoding, sheet)
    required = mapping.needed if layout.kind == JSON_LINES else mapping.named
    try:
        check_columns(path, layout.columns, required, mapping, named_by)
    except TableFault as fault:
        raise TableFault(f"{fault}{layout.sheet_sentence}") from None
    return layout


def check_columns(
    path: str, columns: Sequence[str], required: Iterable[str], mapping: TableMapping, named_by: str
) -> None:
    """Raise TableFault if the table lacks a required column under all of its names."""
    lacking = [
        name
        for name in required
        if name not in mapping.optional and not any(known in columns for known in mapping.names_of(name))
    ]
    if lacking:
        raise TableFault(_lacking(path, columns, lacking, mapping, named_by))


def _lacking(path: str, header: Sequence[str], lacking: Sequence[str], mapping: TableMapping, named_by: str) -> str:
    """Return a sentence that names the missing columns, the table's columns and the remedy."""
    quoted = _quoted(lacking)
    s = "s" if len(lacking) > 1 else ""
    sentence = f"{path} lacks the column{s} {quoted}, which {named_by} names. Its columns are: {', '.join(header)}."
    is_trained = named_by == MODELS_MAPPING  # a trained model's mapping must not be changed
    unread = {name.lower(): name for name in unread_columns(header, mapping)}
    for name in lacking:
        within = [other for other in unread if name.lower() in other or other in name.lower()]
        for near in within[:1] or get_close_matches(name.lower(), unread, 1, MIN_SIMILARITY):
            like = unread[near]
            remedy = (
                "rename it in the table" if is_trained else f"write `was: [{like}]` next to '{name}' in the mapping"
            )
            sentence += f" If '{like}' is '{name}', {remedy}."
    if set(lacking) <= set(mapping.needed):
        return sentence
    if is_trained:
        return f"{sentence} Add the missing columns to the table, with empty cells if you don't have the values."
    return f"{sentence} Optional columns get `optional: true` in the mapping; renamed ones `was: [NAME]`."


def unread_columns(header: Iterable[str], mapping: TableMapping) -> list[str]:
    """Return the columns of a table that a mapping does not name."""
    known = mapping.ignored.union(*(mapping.names_of(name) for name in mapping.named))
    return [name for name in header if name not in known]


def warn_of_unread(tables: Iterable[tuple[str, Layout]], mapping: TableMapping, named_by: str) -> None:
    """Report, once, the columns that the mapping does not name."""
    table_of: dict[str, str] = {}  # column -> the first table that has it
    for path, layout in tables:
        for name in unread_columns(layout.columns, mapping):
            table_of.setdefault(name, path)
    if table_of:
        files = ", ".join(dict.fromkeys(table_of.values()))
        say(f"{named_by} does not name these columns of {files}, so they are not read: {_quoted(table_of)}.")


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f"'{name}'" for name in names)
