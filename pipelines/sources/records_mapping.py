"""What the columns of a user's table mean, as a YAML file says it.

    id: sku                  # optional: without it the row's content and place make one
    goal: category
    text: description
    columns:
      name: value
      price: {kind: number, unit: EUR, also: [euros, €]}
      materials: {kind: list, separator: ";"}
      dishwasher_safe: {kind: yes/no, also: [dishwasher]}
      internal_note: ignored
    delimiter: ";"           # optional: of CSV; without it the first rows tell
    missing: [n/a, "-"]      # optional: what stands for an empty cell
    rewrite: {st: street}    # optional: words of texts and values that are one

A column that is not named is ignored. The goal's column is in the agenda only if it stands under ``columns``, too; the
text's may not stand there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import yaml

from console import UserError
from pipelines.delex import placeholder
from pipelines.files import read_text
from pipelines.word_table import WordTable

VALUE, LIST, YES_NO, NUMBER, IGNORED = "value", "list", "yes/no", "number", "ignored"
# What may stand beside ``kind`` in a column of each kind.
OPTIONS: Mapping[str, tuple[str, ...]] = {
    VALUE: (),
    LIST: ("separator",),
    YES_NO: ("also",),  # words of the text that speak of it
    NUMBER: ("unit", "also"),  # other ways to write the unit
    IGNORED: (),
}
# What PyYAML raises, beside its own errors, for a value that its tag does not allow ("2020-99-99") or nesting.
_SCALAR_FAULTS = (ValueError, LookupError, AttributeError, RecursionError)
KEYS = ("id", "goal", "text", "columns", "delimiter", "missing", "rewrite")


@dataclass(frozen=True)
class Column:
    name: str
    kind: str  # a key of OPTIONS
    unit: str = ""  # "" where the cells say it themselves, or there is none
    also: tuple[str, ...] = ()
    separator: str = ","


@dataclass(frozen=True)
class TableMapping:
    goal: str
    text: str
    columns: tuple[Column, ...]  # those that are read, in the agenda's order
    id: str = ""
    delimiter: str = ""
    missing: frozenset[str] = frozenset()  # in lower case
    words: WordTable = field(default_factory=lambda: WordTable({}))  # with what stands under `rewrite`

    @property
    def needed(self) -> list[str]:
        """The columns without which no row is usable."""
        return [name for name in (self.id, self.goal, self.text) if name]

    @property
    def named(self) -> list[str]:
        """All columns that are read."""
        return list(dict.fromkeys([*self.needed, *(column.name for column in self.columns)]))


def load_mapping(path: str) -> TableMapping:
    """The mapping of a YAML file; raises UserError for what is none."""
    if not path:
        raise UserError(
            "The source 'records' needs to know what the columns mean: give --mapping FILE (--guess writes one)."
        )
    try:
        text = read_text(path)
    except (OSError, ValueError) as fault:
        raise UserError(f"--mapping {path} can't be read: {fault}") from fault
    return read_mapping(text, f"--mapping {path}")


@lru_cache(maxsize=16)
def read_mapping(text: str, path: str) -> TableMapping:
    """The mapping that YAML means; ``path`` names it in the errors."""
    try:
        found = yaml.safe_load(text)
    except (yaml.YAMLError, *_SCALAR_FAULTS) as fault:
        raise UserError(f"{path} can't be read: {fault}") from fault
    return parse_mapping(found, path)


def parse_mapping(found: Any, path: str) -> TableMapping:
    """The mapping that plain data means; ``path`` names it in the errors."""
    given = _keys(found, KEYS, path)
    columns = given.get("columns")
    if not isinstance(columns, dict) or not columns:
        raise UserError(f"{path} names no columns: write each as 'name: kind' under 'columns:'.")
    read = tuple(_column(name, column, path) for name, column in columns.items())
    read = tuple(column for column in read if column.kind != IGNORED)
    if not read:
        raise UserError(f"{path} ignores all columns, so that there is nothing to say.")
    _check_placeholders(read, path)
    text = _text(given, "text", path, needed=True)
    if any(column.name == text for column in read):
        raise UserError(
            f"{path} has the text's column '{text}' under 'columns:' as well: the text would become one placeholder. "
            "Take it out there."
        )
    rewrite = given.get("rewrite") or {}
    if not isinstance(rewrite, dict) or not all(str(words or "").split() for words in rewrite.values()):
        raise UserError(f"{path}: 'rewrite' should hold lines of word: words.")
    delimiter = _text(given, "delimiter", path)
    if len(delimiter) > 1:
        raise UserError(f"{path}: 'delimiter' should be one character; '{delimiter}' is not.")
    return TableMapping(
        goal=_text(given, "goal", path, needed=True),
        text=text,
        columns=read,
        id=_text(given, "id", path),
        delimiter=delimiter,
        missing=frozenset(str(value).strip().lower() for value in _list(given, "missing", path)),
        words=WordTable({str(word).lower(): str(words).lower() for word, words in rewrite.items()}),
    )


def _keys(found: Any, valid: Collection[str], where: str) -> dict[str, Any]:
    if not isinstance(found, dict):
        raise UserError(f"{where} should hold lines of key: value with the keys {', '.join(valid)}.")
    for key in found:
        if key not in valid:
            raise UserError(f"{where} has '{key}'; the valid keys are {', '.join(valid)}.")
    return found


def _text(given: Mapping[str, Any], key: str, path: str, needed: bool = False) -> str:
    value = given.get(key)
    if needed and value in (None, ""):
        raise UserError(f"{path} does not say which column is the {key}: write '{key}: NAME'.")
    if isinstance(value, list | dict):
        raise UserError(f"{path}: '{key}' should be one name.")
    return "" if value is None else str(value)


def _list(given: Mapping[str, Any], key: str, path: str) -> list[Any]:
    value = given.get(key)
    if isinstance(value, dict):
        raise UserError(f"{path}: '{key}' should be a list.")
    return value if isinstance(value, list) else [] if value is None else [value]


def _column(name: Any, found: Any, path: str) -> Column:
    where = f"{path}: column '{name}'"
    given: dict[str, Any] = found if isinstance(found, dict) else {"kind": found}
    kind = given.get("kind")
    kind = YES_NO if isinstance(kind, bool) else str(kind)  # YAML reads a bare yes or no as a bool
    if kind not in OPTIONS:
        raise UserError(f"{where} has the kind '{kind}'; the valid ones are {', '.join(OPTIONS)}.")
    _keys(given, ("kind", *OPTIONS[kind]), where)
    return Column(
        name=str(name),
        kind=kind,
        unit=_text(given, "unit", where),
        also=tuple(str(one) for one in _list(given, "also", where)),
        separator=_text(given, "separator", where) or ",",
    )


def _check_placeholders(columns: Iterable[Column], path: str) -> None:
    names: dict[str, str] = {}
    for column in columns:
        other = names.setdefault(placeholder(column.name), column.name)
        if other != column.name:
            raise UserError(
                f"{path}: the columns '{other}' and '{column.name}' would share the placeholder "
                f"{placeholder(column.name)}. Rename one of them in the table, or ignore it."
            )
