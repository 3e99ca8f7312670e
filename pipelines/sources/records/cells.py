"""Clean the cells of a table, and count what looks wrong in them.

HTML is replaced by its text. Escapes of an exporting program are decoded. A list written as code becomes a list. An
error of a spreadsheet (``#NAME?``, ``########``) becomes an empty cell. Text that was damaged before (``CafÃ©``,
``<U+2153>``, ``&amp;amp;``) is repaired if the mapping has ``repair: true``. Digits that a spreadsheet has cut off
can't be restored. All findings are counted by column, as figures of the row.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any  # Any: cells of any type that a file has

from pipelines.sources.records.exports import list_in, without_escapes
from pipelines.sources.records.mapping import TableMapping
from pipelines.sources.records.mapping_keys import LIST, VALUE
from pipelines.sources.records.markup import SENTENCE, has_entity, has_markup, text_of_markup, without_entities
from pipelines.sources.records.tables.layout import Cells

MARKUP, ESCAPES, BROKEN, REPAIRED, REPLACED = "markup", "escapes", "broken", "repaired", "replaced"
ERROR, CUT_NUMBER, MONTH, DIGITS, SHORT_ROW = "error", "cut_number", "month", "digits", "short_row"
SHORT = 16  # characters; the values that a spreadsheet damages are not longer
LONG = 1 << 17  # characters; a longer cell is neither a value nor a text
ID_DIGITS = 7  # shorter ids may be mere counters
_ERROR = re.compile(r"#[¡¿]?[^\W\d_a-z]{3,}(?:/0)?[!?]|#N/?[AVD]|#{3,}")
_CUT_NUMBER = re.compile(r"[+-]?\d(?:[.,]\d+)?E\+(?:1[1-9]|[2-9]\d)", re.IGNORECASE)  # 12 digits and more
# Months as spreadsheets shorten them in the languages of western Europe.
_NAME = (
    "jan|ene|gen|janv|fe[bv]|févr|m[aä]r|mrz|mars|mrt|a[pbv]r|avr|ma[yiïg]|mei|ju[nlil]|giu|lug|juin|juil|aug|ago|août|"
    "sept?|set|o[ckt]t|out|nov|de[cz]|déc|di[cez]|dic"
)
_MONTH = re.compile(rf"\d{{1,2}}(?:[-/ ]|\. ?)(?:{_NAME})\.?|(?:{_NAME})\.?[- ]\d{{2}}", re.IGNORECASE)
# Characters of UTF-8 that was decoded as something else; ftfy's own check takes a hundred times as long.
_TWICE = re.compile(r"[^\x00-\x7f]{2}|[ÃÂ├┬√¬] ")
_CODE = re.compile(r"<U\+([0-9A-F]{4,6})>")  # R's notation for characters outside its encoding


class Cleaner:
    """Cleans the cells of a mapping's columns."""

    def __init__(self, mapping: TableMapping, only: str = "") -> None:
        """``only``: the only column to clean; by default all columns are cleaned."""
        self._mapping, self._repair = mapping, mapping.repair
        separators = {column.name: column.separator or "," for column in mapping.columns if column.kind == LIST}
        self._separators = {name: separators.get(name, SENTENCE) for name in ([only] if only else mapping.named)}
        self._lists = frozenset(separators)
        self._codes = {column.name for column in mapping.columns if column.kind == VALUE}
        self._values = {column.name for column in mapping.columns}

    def clean(self, cells: Cells, lacks: str = "") -> tuple[Cells, Counter[str]]:
        """Return the cells by current column names, and the number of cells by "<finding> <column>".

        ``lacks``: the first missing column of a row that is too short.
        """
        cells = self._mapping.renamed(cells)
        figures: Counter[str] = Counter()
        if lacks:
            figures[f"{SHORT_ROW} {lacks}"] = 1
        cleaned = dict(cells)
        for name, separator in self._separators.items():
            value = cells.get(name)
            if isinstance(value, str):
                if value:
                    cleaned[name] = self._cell(value, name, separator, figures)
            elif isinstance(value, list | tuple):
                cleaned[name] = self._elements(value, name, separator, figures)
        return cleaned, figures

    def _cell(self, text: str, name: str, separator: str, figures: Counter[str]) -> Any:
        """Clean a cell. A cell written as a list becomes a list in a list column, and one text in the text's column."""
        if text[0] in "[({" and (name in self._lists or (name == self._mapping.text and text[0] == "[")):
            elements = list_in(text.strip())
            for mark, read in (("\\", without_escapes), ("&", without_entities)):
                if elements is None and mark in text:
                    elements = list_in(read(text.strip()))
            if elements is not None:
                return self._elements(elements, name, separator, figures)
        return self._text(text, name, separator, figures)

    def _elements(self, elements: Sequence[Any], name: str, separator: str, figures: Counter[str]) -> Any:
        cleaned = [
            self._text(element, name, separator, figures) if isinstance(element, str) else element
            for element in elements
        ]
        is_text = name == self._mapping.text and all(isinstance(element, str) for element in cleaned)
        return " ".join(cleaned) if is_text else cleaned

    def _text(self, text: str, name: str, separator: str, figures: Counter[str]) -> str:
        if len(text) <= SHORT:
            if self._count_damage(text.strip(), name, figures):
                return ""
        elif len(text) > LONG:
            return text
        if ("\\" in text or "_x00" in text or text.startswith('="')) and (meant := without_escapes(text)) != text:
            figures[f"{ESCAPES} {name}"] += 1
            text = meant
        if text.isascii() and "<" not in text and "&" not in text:
            return text
        if has_markup(text):
            figures[f"{MARKUP} {name}"] += 1
            text = text_of_markup(text, separator)
        if "\ufffd" in text:
            figures[f"{REPLACED} {name}"] += 1
        repaired = _repaired(text)
        if repaired != text:
            figures[f"{REPAIRED if self._repair else BROKEN} {name}"] += 1
        if self._repair:
            return text_of_markup(repaired, separator) if repaired != text and has_markup(repaired) else repaired
        return text

    def _count_damage(self, text: str, name: str, figures: Counter[str]) -> bool:
        """Count a value that a spreadsheet has damaged; return whether the value is lost."""
        if text[:1] == "#" and _ERROR.fullmatch(text):
            figures[f"{ERROR} {name}"] += 1
            return True
        if text.isdecimal():
            if name in self._codes or (name == self._mapping.id and len(text) >= ID_DIGITS):
                figures[f"{DIGITS} {name}"] = 0 if text[0] == "0" else len(text)
        elif _CUT_NUMBER.fullmatch(text):
            figures[f"{CUT_NUMBER} {name}"] += 1
        elif name in self._values and _MONTH.fullmatch(text):
            figures[f"{MONTH} {name}"] += 1
        return False


def _repaired(text: str) -> str:
    """Undo double escapes, and text decoded in the wrong encoding."""
    while has_entity(text):
        text = without_entities(text)
    if "<U+" in text:
        text = _CODE.sub(lambda code: chr(int(code[1], 16)) if int(code[1], 16) <= 0x10FFFF else code[0], text)
    if not _TWICE.search(text):
        return text
    from ftfy import fix_encoding  # loaded only for a text that may be damaged; few tables have one
    from ftfy.badness import is_bad

    return fix_encoding(text) if is_bad(text) else text
