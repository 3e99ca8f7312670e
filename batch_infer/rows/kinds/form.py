"""What a person types for a row: the fields of a form, and what is typed there as a row's values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from batch_infer.rows.kinds import json_lines
from schemas.errors import UserError

Shape = Literal["text", "choice", "lines", "slots", "turns", "pairs", "object"]
ROW = "row."  # how the names of a row's fields begin in the form, where a column may be called as an option is
SHOWN = 3  # known values in a hint
SUGGESTED = 50  # in the list of a field


@dataclass(frozen=True)
class Field:
    """A field of the form, and the row's value of the same name; an "object" is the whole row."""

    name: str
    label: str
    shape: Shape = "text"
    hint: str = ""
    known: tuple[str, ...] = ()  # values to suggest; of a "choice" all there are


class FieldFault(UserError):
    """A fault of what is typed into one field of the form."""

    def __init__(self, name: str, fault: UserError) -> None:
        super().__init__(str(fault))
        self.name = name


def such_as(known: Sequence[str]) -> str:
    """A hint that shows some known values, "" without any."""
    return f"such as {', '.join(known[:SHOWN])}" if known else ""


def values_of(fields: Sequence[Field], typed: Mapping[str, str]) -> dict[str, Any]:
    """The values of a row, of what is typed by the names of the form's fields; raises FieldFault."""
    values: dict[str, Any] = {}
    for field in fields:
        try:
            found = _READ[field.shape](typed.get(ROW + field.name, ""))
        except UserError as fault:
            raise FieldFault(ROW + field.name, fault) from fault
        values |= found if field.shape == "object" else {field.name: found}
    return values


def _lines(typed: str) -> list[str]:
    return [line.strip() for line in typed.splitlines() if line.strip()]


def _slots(typed: str) -> list[str]:
    """Lines of a slot and its value, without the blanks around "="."""
    return ["=".join(part.strip() for part in line.split("=", 1)) for line in _lines(typed)]


def _turns(typed: str) -> list[str]:
    """A blank line is a turn too, but for the last ones."""
    return [line.strip() for line in typed.rstrip().splitlines()]


def _pairs(typed: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in _lines(typed):
        name, colon, value = (part.strip() for part in line.partition(":"))
        if not name or not colon:
            raise UserError(f"The line '{line}' is no field: write it as name: value.")
        if name in found:
            raise UserError(f"The field '{name}' stands twice. Write its values into one line.")
        found[name] = value
    return found


def _object(typed: str) -> dict[str, Any]:
    line = json_lines.parse(typed.encode(), 1, "The row")
    if line.fault:
        raise UserError(line.fault)
    return line.values


_READ: Mapping[Shape, Callable[[str], Any]] = {
    "text": str.strip,
    "choice": str.strip,
    "lines": _lines,
    "slots": _slots,
    "turns": _turns,
    "pairs": _pairs,
    "object": _object,
}
