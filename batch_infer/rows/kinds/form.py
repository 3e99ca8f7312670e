"""The form of a row: its fields, and the parsing of typed text into the row's values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from batch_infer.rows.kinds import json_lines
from schemas.errors import UserError

Shape = Literal["text", "choice", "lines", "slots", "turns", "pairs", "object"]
ROW = "row."  # prefix of a row's fields in the form, since a column may have the name of an option
SHOWN = 3  # known values in a hint
SUGGESTED = 50  # in the list of a field


@dataclass(frozen=True)
class Field:
    """A field of the form, named after the row's value; an "object" is the whole row."""

    name: str
    label: str
    shape: Shape = "text"
    hint: str = ""
    known: tuple[str, ...] = ()  # values to suggest; all values of a "choice"
    example: str = ""  # what the page opens with, as typed


class FieldFault(UserError):
    """A fault in the text typed into one field of the form."""

    def __init__(self, name: str, fault: UserError) -> None:
        super().__init__(str(fault))
        self.name = name


def such_as(known: Sequence[str]) -> str:
    """Return a hint with some known values, or "" if there are none."""
    return f"such as {', '.join(known[:SHOWN])}" if known else ""


def values_of(fields: Sequence[Field], typed: Mapping[str, str]) -> dict[str, object]:
    """Return the values of a row from the typed text by field name; raise FieldFault."""
    values: dict[str, object] = {}
    for field in fields:
        text = typed.get(ROW + field.name, "")
        try:
            values |= _object(text) if field.shape == "object" else {field.name: _READ[field.shape](text)}
        except UserError as fault:
            raise FieldFault(ROW + field.name, fault) from fault
    return values


def _lines(typed: str) -> list[str]:
    return [line.strip() for line in typed.splitlines() if line.strip()]


def _slots(typed: str) -> list[str]:
    """Return the lines, each a slot and its value, without spaces around "="."""
    return ["=".join(part.strip() for part in line.split("=", 1)) for line in _lines(typed)]


def _turns(typed: str) -> list[str]:
    """Return one turn per line; blank lines count, except at the end."""
    return [line.strip() for line in typed.rstrip().splitlines()]


def _pairs(typed: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in _lines(typed):
        name, colon, value = (part.strip() for part in line.partition(":"))
        if not name or not colon:
            raise UserError(f"The line '{line}' is no field: write it as name: value.")
        if name in found:
            raise UserError(f"The field '{name}' occurs twice. Write its values into one line.")
        found[name] = value
    return found


def _object(typed: str) -> dict[str, object]:
    line = json_lines.parse(typed.encode(), 1, "The row")
    if line.fault:
        raise UserError(line.fault)
    return line.values


_READ: Mapping[Shape, Callable[[str], object]] = {
    "text": str.strip,
    "choice": str.strip,
    "lines": _lines,
    "slots": _slots,
    "turns": _turns,
    "pairs": _pairs,
}
