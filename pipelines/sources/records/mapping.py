"""The mapping of a user's table: what its columns mean, declared in a YAML file.

    id: sku                  # optional: by default made of the row's content and place
    goal: category
    text: {name: description, was: [long_text]}   # a name, or a name with older ones
    columns:
      name: value
      price: {kind: number, unit: EUR, also: [euros, €]}
      materials: {kind: list, separator: ";"}
      dishwasher_safe: {kind: yes/no, also: [dishwasher]}
      warranty: {kind: value, optional: true}      # a table may lack it
      colour: {kind: value, was: [color, shade]}   # older names of the column
      price_range: {kind: value, said: {cheap: [inexpensive, low-priced]}}   # other words for a value
      origin: {kind: value, say: "It is made in {}."}   # a sentence for a value that training texts never express
      internal_note: ignored

docs/mapping.md has all keys. A column that is not named is not read. If a row has a column under several of its names,
the current name counts. The goal's column is in the agenda only if it is under ``columns`` as well; the text's column
must not be there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import Any  # Any: values of YAML, checked here

from allsaid.language.numbers import MARKS
from allsaid.language.stems import key, snowball
from allsaid.language.text import ENGLISH
from allsaid.language.word_table import WordTable
from pipelines.sources.mappings import (
    DEFAULT_MISSING,
    known_keys,
    missing_at,
    parse_yaml,
    strings_at,
    text_at,
    text_of_mapping,
)
from pipelines.sources.records.mapping_keys import FINDINGS, IGNORED, KEYS, OPTIONS, VALUE, YES_NO
from pipelines.sources.records.other_words import Said, never_at, said_at, within_at
from pipelines.sources.records.sentences import allowed_claims, check_say
from schemas.act import placeholder
from schemas.errors import UserError

_BRACKETS, _WRAPPED = re.compile(r"^\[([^\[\]]*)\]$"), re.compile(r",\s*\n\s*")  # around a list; in one of commas
SEPARATORS = (";", "|", "\n")  # of elements that may hold commas themselves


@dataclass(frozen=True)
class Column:
    name: str
    kind: str  # a key of OPTIONS
    unit: str = ""  # "" if the cells contain the unit, or there is none
    also: tuple[str, ...] = ()
    separator: str = ""  # of the elements of a list; "": each cell shows it
    may_omit: bool = False  # texts may leave its value out
    is_optional: bool = False  # a table may lack it
    was: tuple[str, ...] = ()  # its names in older tables, the latest first
    decimal: str = ""  # the decimal separator of its cells; "" if unknown
    text_decimal: str = ""  # the decimal separator of the texts
    said: Said = ()  # other words for values
    never: tuple[str, ...] = ()  # words that do not state or mention it
    within: Decimal = Decimal()  # share by which a number of a text may differ from the row's

    @property
    def units(self) -> tuple[str, ...]:
        """The ways to write its unit, in lower case."""
        return tuple(unit.lower() for unit in (self.unit, *self.also) if unit)

    @cached_property
    def refused(self) -> frozenset[str]:
        """The stems of words, and the keys of phrases, that do not state or mention it."""
        keys = (" ".join(map(key, entry.lower().split())) for entry in self.never)
        return frozenset([*keys, *(snowball(entry.lower()) for entry in self.never if len(entry.split()) == 1)])

    def elements(self, cell: str) -> list[str]:
        """Split a list cell at the separator; without one, at semicolons, "|" or line breaks, else at commas.

        Brackets around the whole cell are removed: ``[oak, steel]``.
        """
        cell = _WRAPPED.sub(", ", _BRACKETS.sub(r"\1", cell))
        return cell.split(self.separator or next((mark for mark in SEPARATORS if mark in cell), ","))


@dataclass(frozen=True)
class TableMapping:
    goal: str
    text: str
    columns: tuple[Column, ...]  # the columns that are read, in the agenda's order
    id: str = ""
    delimiter: str = ""
    missing: frozenset[str] = frozenset(DEFAULT_MISSING)  # in lower case
    was: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # column -> its older names, in order
    ignored: frozenset[str] = frozenset()  # columns that are named but not read
    repair: bool = False  # whether damaged text is repaired
    language: str = ""  # code of the texts' language: "de"; "": only whether they are English is detected
    allowed: tuple[str, ...] = ()  # claims that no column supports, and that texts may have
    words: WordTable = field(default_factory=lambda: WordTable({}))  # with the words under `rewrite`
    decimal: str = ""  # the decimal separator of the texts; "" if unknown

    @property
    def needed(self) -> list[str]:
        """The columns without which no row is usable."""
        return [name for name in (self.id, self.goal, self.text) if name]

    @cached_property
    def named(self) -> list[str]:
        """All columns that are read."""
        return list(dict.fromkeys([*self.needed, *(column.name for column in self.columns)]))

    @property
    def is_english(self) -> bool | None:
        """Whether the texts are English; None if the mapping does not name their language."""
        return self.language == ENGLISH if self.language else None

    @cached_property
    def omissible(self) -> frozenset[str]:
        """The columns whose values texts may leave out."""
        return frozenset(column.name for column in self.columns if column.may_omit)

    @property
    def optional(self) -> frozenset[str]:
        return frozenset(column.name for column in self.columns if column.is_optional).difference(self.needed)

    @cached_property
    def no_figures(self) -> dict[str, int]:
        """The figures of every column, all zero: its values, their mentions, and its finding."""
        names = [f"{prefix} {column.name}" for column in self.columns for prefix in ("given", "found")]
        names += [f"{FINDINGS[column.kind]} {column.name}" for column in self.columns if column.kind in FINDINGS]
        return dict.fromkeys(names, 0)

    def names_of(self, column: str) -> tuple[str, ...]:
        """Return the names that a column may have in a table, the current one first."""
        return column, *self.was.get(column, ())

    def renamed(self, cells: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a row's cells by the current names of their columns."""
        if not self.was:
            return cells
        current = {name: cells[old] for name in self.was for old in reversed(self.names_of(name)) if old in cells}
        return {**cells, **current}


def load_mapping(path: str) -> TableMapping:
    """Load the mapping of a YAML file; raises UserError if the file is no valid mapping."""
    if not path:
        raise UserError(
            "The source 'records' needs to know what the columns mean: give --mapping FILE (--guess writes one)."
        )
    return read_mapping(text_of_mapping(path), f"--mapping {path}")


@lru_cache(maxsize=16)
def read_mapping(text: str, path: str) -> TableMapping:
    """Parse a mapping from YAML; ``path`` names it in errors."""
    return parse_mapping(parse_yaml(text, path), path)


def parse_mapping(found: Any, path: str) -> TableMapping:
    """Parse a mapping from plain data; ``path`` names it in errors."""
    data = known_keys(found, KEYS, path)
    columns = data.get("columns")
    if not isinstance(columns, dict) or not columns:
        raise UserError(f"{path} names no columns: write each as 'name: kind' under 'columns:'.")
    language = _language(data, path)
    words = _words(data, language, path)
    decimal = _decimal(data, path)
    all_columns = tuple(_column(name, column, words, path) for name, column in columns.items())
    read_columns = tuple(
        replace(column, decimal=column.decimal or decimal, text_decimal=decimal)
        for column in all_columns
        if column.kind != IGNORED
    )
    if not read_columns:
        raise UserError(f"{path} ignores all columns, so texts would have nothing to express.")
    _check_placeholders(read_columns, path)
    named = {key: _named(data, key, path) for key in ("id", "goal", "text")}
    text = named["text"].name
    if any(column.name == text for column in read_columns):
        raise UserError(
            f"{path} has the text's column '{text}' under 'columns:' as well: the text would become one placeholder. "
            "Remove it there."
        )
    delimiter = text_at(data, "delimiter", path)
    if len(delimiter) > 1:
        raise UserError(f"{path}: 'delimiter' should be one character; '{delimiter}' is not.")
    return TableMapping(
        goal=named["goal"].name,
        text=text,
        columns=read_columns,
        id=named["id"].name,
        delimiter=delimiter,
        missing=missing_at(data, path),
        was=_old_names((*named.values(), *all_columns), path),
        ignored=frozenset(column.name for column in all_columns if column.kind == IGNORED),
        repair=_flag(data, "repair", path),
        language=language,
        allowed=allowed_claims(data, path),
        words=words,
        decimal=decimal,
    )


def _named(given: Mapping[str, Any], key: str, path: str) -> Column:
    """Parse the column of the id, the goal or the text: a name, or ``{name: sku, was: [article]}``."""
    found = given.get(key)
    inner = found if isinstance(found, dict) else {"name": found}
    if key == "text" and not inner.get("name"):  # a table for `allsaid prove` may have no text column
        inner = {**inner, "name": key}
    known_keys(inner, ("name", "was"), f"{path}: '{key}'")
    name = text_at({key: inner.get("name")}, key, path, needed=key != "id")
    return Column(name, VALUE, was=strings_at(inner, "was", f"{path}: '{key}'"))


def _old_names(columns: Iterable[Column], path: str) -> dict[str, tuple[str, ...]]:
    """Return column -> its older names; raises UserError if an older name is the name of another column."""
    columns = [column for column in columns if column.name]
    was: dict[str, tuple[str, ...]] = {}
    for column in columns:
        was[column.name] = tuple(dict.fromkeys((*was.get(column.name, ()), *column.was)))
    owner_of = dict.fromkeys((column.name for column in columns), "")  # a name -> the column that had it before
    for name, old in ((name, old) for name, olds in was.items() for old in olds):
        other = owner_of.setdefault(old, name)
        if other != name:
            raise UserError(
                f"{path}: '{old}' is under 'was:' of '{name}', but "
                + (f"also under 'was:' of '{other}'." if other else "is a column itself.")
            )
    return {name: olds for name, olds in was.items() if olds}


def _words(given: Mapping[str, Any], language: str, path: str) -> WordTable:
    rewrite = given.get("rewrite") or {}
    if not isinstance(rewrite, dict) or not all(str(words or "").split() for words in rewrite.values()):
        raise UserError(f"{path}: 'rewrite' should hold lines such as 'st: street'.")
    if several := [str(word) for word in rewrite if len(str(word).split()) > 1]:
        raise UserError(f"{path}: 'rewrite' has '{several[0]}', but its left side must be a single word.")
    return WordTable({str(word).lower(): str(words).lower() for word, words in rewrite.items()}, language)


def _column(name: Any, found: Any, words: WordTable, path: str) -> Column:
    where = f"{path}: column '{name}'"
    given: dict[str, Any] = found if isinstance(found, dict) else {"kind": found}
    kind = YES_NO if isinstance(given.get("kind"), bool) else str(given.get("kind"))  # YAML reads a bare yes as a bool
    if kind not in OPTIONS:
        raise UserError(f"{where} has the kind '{kind}'; the valid ones are {', '.join(OPTIONS)}.")
    known_keys(given, ("kind", *OPTIONS[kind]), where)
    check_say(given, kind == YES_NO, where)
    return Column(
        name=str(name),
        kind=kind,
        unit=text_at(given, "unit", where),
        also=strings_at(given, "also", where),
        separator=text_at(given, "separator", where),
        may_omit=_flag(given, "may_omit", where),
        is_optional=_flag(given, "optional", where),
        was=strings_at(given, "was", where),
        decimal=_decimal(given, where),
        said=said_at(given, kind == YES_NO, words, where),
        never=never_at(given, words, where),
        within=within_at(given, where),
    )


def _decimal(given: Mapping[str, Any], where: str) -> str:
    mark = text_at(given, "decimal", where)
    if mark not in ("", *MARKS):
        raise UserError(f"{where}: 'decimal' should be '.' or ',', not '{mark}'.")
    return mark


def _language(given: Mapping[str, Any], path: str) -> str:
    found = given.get("language")
    code = "no" if found is False else text_at(given, "language", path)  # YAML reads a bare no, Norwegian, as a bool
    if code and not re.fullmatch("[a-z]{2,3}", code):
        raise UserError(f"{path}: 'language' should be the code of a language, such as en or de; '{code}' is none.")
    return code


def _flag(given: Mapping[str, Any], key: str, where: str) -> bool:
    value = given.get(key, False)
    if not isinstance(value, bool):
        raise UserError(f"{where}: '{key}' should be true or false, not '{value}'.")
    return value


def _check_placeholders(columns: Iterable[Column], path: str) -> None:
    names: dict[str, str] = {}
    for column in columns:
        other = names.setdefault(placeholder(column.name), column.name)
        if other != column.name:
            raise UserError(
                f"{path}: the columns '{other}' and '{column.name}' would share the placeholder "
                f"{placeholder(column.name)}. Rename one of them in the table, or ignore it."
            )
