"""Reasons of error rows: sentences that differ only in a row's content are one reason."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace

from allsaid import console
from allsaid.console import counted

SHOWN = 20  # number of the most frequent reasons shown
FIRST = 3  # rows named for each reason
_VALUES = re.compile(r"(?<!\w)'.*?'(?!\w)|\b\d+(?:[.,]\d+)*\b")  # in a sentence: quotations and numbers


@dataclass(frozen=True)
class Reason:
    reason: str  # "The cell of 'width' is …, not one number."
    rows: int = 0
    example: str = ""  # the sentence of the first row
    first_rows: list[str] = field(default_factory=list)  # ids

    def __add__(self, other: Reason) -> Reason:
        """Return the same reason for the rows of both."""
        return replace(self, rows=self.rows + other.rows, first_rows=[*self.first_rows, *other.first_rows][:FIRST])


def general(sentence: str, columns: Collection[str] = ()) -> str:
    """Return the sentence without the parts that differ between rows; names of ``columns`` stay."""
    short = _VALUES.sub(lambda value: value[0] if value[0].strip("'") in columns else "…", sentence)
    return re.sub(r"…(?:(?:,| and| or) …)+", "…", short)


def add(reasons: dict[str, Reason], found: Reason) -> None:
    """Add rows to a reason."""
    known = reasons.get(found.reason)
    reasons[found.reason] = known + found if known else found


def most_frequent(reasons: Iterable[Reason]) -> list[Reason]:
    """Return the :data:`SHOWN` most frequent reasons; the rest are merged into one more."""
    ranked = sorted(reasons, key=lambda reason: -reason.rows)
    shown, others = ranked[:SHOWN], ranked[SHOWN:]
    if not others:
        return shown
    rest = counted(len(others), "other reason")
    return [*shown, replace(others[0], reason=rest, rows=sum(reason.rows for reason in others))]


def show(reasons: Iterable[Reason], title: str = "Rows without a text", counted_as: str = "rows") -> None:
    """Print the reasons as a table, with the number of rows or texts of each."""
    rows = [
        (
            reason.reason,
            reason.rows,
            ", ".join(reason.first_rows),
            "" if reason.example == reason.reason else reason.example,
        )
        for reason in reasons
    ]
    if rows:
        console.show_table(title, ("reason", counted_as, f"first {counted_as}", "in the first"), rows)
