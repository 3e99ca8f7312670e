"""Cells of a table as they were read -> their text, and what was found in them.

HTML becomes its text, and an error of a spreadsheet (``#NAME?``, ``########``) an empty cell. Text that was broken
before it came (``CafÃ©``, ``<U+2153>``, ``&amp;amp;``) is mended where the mapping says ``repair: true``. What a
spreadsheet has cut off of a value can't be brought back. All of it is counted by column, as figures of the row.
"""

from __future__ import annotations

import re
from collections import Counter

from pipelines.sources.records.mapping import LIST, VALUE, TableMapping
from pipelines.sources.records.markup import SENTENCE, has_entity, has_markup, text_of_markup, without_entities
from pipelines.sources.records.tables.layout import Cells

MARKUP, BROKEN, REPAIRED, REPLACED = "markup", "broken", "repaired", "replaced"
ERROR, CUT_NUMBER, MONTH, DIGITS = "error", "cut_number", "month", "digits"
SHORT = 16  # characters; what a spreadsheet spoils is not longer
LONG = 1 << 17  # characters; a longer cell is no value and no text
ID_DIGITS = 7  # shorter ids may just be counted on
_ERROR = re.compile(r"#[¡¿]?[^\W\d_a-z]{3,}(?:/0)?[!?]|#N/?[AVD]|#{3,}")
_CUT_NUMBER = re.compile(r"[+-]?\d(?:[.,]\d+)?E\+(?:1[1-9]|[2-9]\d)", re.IGNORECASE)  # 12 digits and more
# Months as spreadsheets shorten them in the languages of western Europe.
_NAME = (
    "jan|ene|gen|janv|fe[bv]|févr|m[aä]r|mrz|mars|mrt|a[pbv]r|avr|ma[yiïg]|mei|ju[nlil]|giu|lug|juin|juil|aug|ago|août|"
    "sept?|set|o[ckt]t|out|nov|de[cz]|déc|di[cez]|dic"
)
_MONTH = re.compile(rf"\d{{1,2}}(?:[-/ ]|\. ?)(?:{_NAME})\.?|(?:{_NAME})\.?[- ]\d{{2}}", re.IGNORECASE)
# What UTF-8 that was decoded as something else shows; ftfy's own look takes a hundred times as long.
_TWICE = re.compile(r"[^\x00-\x7f]{2}|[ÃÂ├┬√¬] ")
_CODE = re.compile(r"<U\+([0-9A-F]{4,6})>")  # as R writes what its encoding lacks


class Cleaner:
    """Cleans the cells of a mapping's columns."""

    def __init__(self, mapping: TableMapping, only: str = "") -> None:
        """``only``: the one column that matters, by default all of them."""
        self._repair = mapping.repair
        separators = {column.name: column.separator for column in mapping.columns if column.kind == LIST}
        self._parts = {name: separators.get(name, SENTENCE) for name in ([only] if only else mapping.named)}
        self._codes = {column.name for column in mapping.columns if column.kind == VALUE}
        self._values = {column.name for column in mapping.columns}
        self._id = mapping.id

    def clean(self, cells: Cells) -> tuple[Cells, Counter[str]]:
        """The cells as text to be used, and figures: "<finding> <column>" -> how many cells of the row."""
        figures: Counter[str] = Counter()
        found = dict(cells)
        for name, part in self._parts.items():
            value = cells.get(name)
            if isinstance(value, str):
                if value:
                    found[name] = self._text(value, name, part, figures)
            elif isinstance(value, list | tuple):
                found[name] = [self._text(one, name, part, figures) if isinstance(one, str) else one for one in value]
        return found, figures

    def _text(self, text: str, name: str, part: str, figures: Counter[str]) -> str:
        if len(text) <= SHORT:
            if self._is_lost(text.strip(), name, figures):
                return ""
        elif len(text) > LONG:
            return text
        if text.isascii() and "<" not in text and "&" not in text:
            return text
        if has_markup(text):
            figures[f"{MARKUP} {name}"] += 1
            text = text_of_markup(text, part)
        if "\ufffd" in text:
            figures[f"{REPLACED} {name}"] += 1
        mended = _mended(text)
        if mended != text:
            figures[f"{REPAIRED if self._repair else BROKEN} {name}"] += 1
        if self._repair:
            return text_of_markup(mended, part) if mended != text and has_markup(mended) else mended
        return text

    def _is_lost(self, text: str, name: str, figures: Counter[str]) -> bool:
        """Count what a spreadsheet has spoilt; whether nothing is left of the value."""
        if text[:1] == "#" and _ERROR.fullmatch(text):
            figures[f"{ERROR} {name}"] += 1
            return True
        if text.isdecimal():
            if name in self._codes or (name == self._id and len(text) >= ID_DIGITS):
                figures[f"{DIGITS} {name}"] = 0 if text[0] == "0" else len(text)
        elif _CUT_NUMBER.fullmatch(text):
            figures[f"{CUT_NUMBER} {name}"] += 1
        elif name in self._values and _MONTH.fullmatch(text):
            figures[f"{MONTH} {name}"] += 1
        return False


def _mended(text: str) -> str:
    """A text with its characters as they were before they were decoded, or written, twice over."""
    while has_entity(text):
        text = without_entities(text)
    if "<U+" in text:
        text = _CODE.sub(lambda code: chr(int(code[1], 16)) if int(code[1], 16) <= 0x10FFFF else code[0], text)
    if not _TWICE.search(text):
        return text
    from ftfy import fix_encoding  # loaded where a text may be broken, which few tables hold
    from ftfy.badness import is_bad

    return fix_encoding(text) if is_bad(text) else text
