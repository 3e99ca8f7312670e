"""Escape sequences and list literals that exporting programs write into cells.

A shop's export may have the two characters ``\\n`` for a line break, and ``="0012"`` for a product's code 0012. A data
frame writes a list as ``['oak', 'steel']``, a database as ``{oak,steel}``.
"""

from __future__ import annotations

import csv
import json
import re
from ast import literal_eval
from typing import Any  # Any: elements of any type, as an export writes them

_AS_TEXT = re.compile(r'="([^"]*)"')  # so that spreadsheets keep the zeros that codes begin with
NULL = "\\N"  # of MySQL and PostgreSQL
_ESCAPE = re.compile(r"""\\(?:([nrt"'/\\])|u([0-9a-fA-F]{4}))""")
# A path of Windows, LaTeX, or a backslash before any other character: such a cell has no escapes.
_NO_ESCAPE = re.compile(r"""(?<![A-Za-z])[A-Za-z]:\\|\\[a-z]+\{|\$[^$]*\\[a-z][^$]*\$|\\(?!["'/nrt]|u[0-9a-fA-F]{4})""")
_CONTROL = re.compile(r"_x00(09|0[AaDd])_")  # as spreadsheets write a tab or a line break
_SHARE = re.compile(r"\\\\\w")  # a path of a Windows network begins so
_MEANT = {"n": "\n", "r": "\r", "t": "\t"}
_ADJACENT = re.compile(r"""(['"])\s+(['"])""")  # NumPy writes no commas
# A string, or a bare word of data frames for an empty element.
_EMPTY = re.compile(r"""('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|\b(?:nan|NaN|null|NULL)\b|<NA>""")
_FAULTS = (ValueError, SyntaxError, TypeError, RecursionError, MemoryError, csv.Error)


def without_escapes(text: str) -> str:
    """Return the text with the characters that its escapes mean, such as line breaks and quotes."""
    if text.strip() == NULL:
        return ""
    if found := _AS_TEXT.fullmatch(text):
        return found[1]
    text = _CONTROL.sub(lambda found: chr(int(found[1], 16)), text)
    if _SHARE.match(text) or _NO_ESCAPE.search(text.replace("\\\\", "")):
        return text
    meant = _ESCAPE.sub(lambda found: chr(int(found[2], 16)) if found[2] else _MEANT.get(found[1], found[1]), text)
    return meant.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # joins halves of surrogate pairs


def list_in(text: str) -> list[Any] | None:
    """Return the elements of a list written as JSON, Python, NumPy or PostgreSQL code; None for any other text."""
    for read in (_json, _python, _postgres):
        try:
            found = read(text)
        except _FAULTS:
            continue
        if found is not None:
            is_flat = not any(isinstance(value, list | tuple | dict | set) for value in found)
            return [value for value in found if value is not None] if is_flat else None
    return None


def _json(text: str) -> list[Any] | None:
    return json.loads(text, parse_float=str, parse_int=str) if text[:1] == "[" else None


def _python(text: str) -> list[Any] | None:
    """Read a list, a tuple or a set; () and {} must begin with a quote, since a plain remark in brackets is no list."""
    inside = text[1:-1]
    if text[:1] + text[-1:] not in ("[]", "()", "{}") or (text[0] != "[" and inside[:1] not in "'\""):
        return None
    inside = _EMPTY.sub(lambda found: found[1] or "None", _ADJACENT.sub(r"\1,\2", inside))
    return list(literal_eval(f"[{inside}]"))


def _postgres(text: str) -> list[Any] | None:
    if text[:1] + text[-1:] != "{}" or ":" in text:
        return None
    return next(csv.reader([text[1:-1]], escapechar="\\", strict=True))
