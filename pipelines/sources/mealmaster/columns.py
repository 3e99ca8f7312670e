"""Columns of a Meal-Master recipe: where its own lines have amounts and names, and the second column beside the first.

Meal-Master writes amounts up to column 7, units from 8 on and names from 11 on, and the same again from 41 on. Other
programs are some columns off, so those columns count in which most of a record's own lines agree.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pipelines.sources.mealmaster.lines import AMOUNT, TEXT_WIDTH, UNIT_FIELD, Line, is_unit

_ITEM = re.compile(rf" +{AMOUNT}( +)(?:([A-Za-z]{{1,3}}) +)?(?=\S)")
_RIGHT_ITEM = re.compile(rf"(?<=  ){AMOUNT}( )(?:[A-Za-z]{{1,2}} {{1,2}}|  ) ?(?=\S)")
_BROKEN = re.compile(r" {0,10}: {2,}(?=\S)")  # what carries on a line in MasterCook's exports
_UNIT = re.compile(r" +([A-Za-z]{1,3}) *$")
_MARKED = re.compile(rf" *(?:[*#] *({AMOUNT})|[(\[]({AMOUNT})[)\]])(?= )")
_MARKS = ("*", "#", "(", "[")
_NOTED = re.compile(r"\w *(?:\*+(?:$|[\s,;])|#+(?:$|[,;]| (?! *\d)))")  # a name with a footnote
_LEAST = (4, 8)  # amounts that end before this, or names that begin before this, are at the margin
_LEFT = 10  # characters of the left column before which no right column begins


@dataclass(frozen=True)
class Columns:
    """The columns of a record, counted from 0."""

    amount: int  # where amounts end
    name: int  # where names begin
    right: int = 0  # where the second column begins; 0 if there is none
    far_units: bool = False  # whether units are right before the names, far from the amounts

    def has(self, line: str) -> bool:
        """Return whether a line has its amount, or its name without an amount, in these columns."""
        found = _ITEM.match(line)
        if found and (self.amount == found.start(1) or self.name == found.end()):
            return True
        return self.has_name(line) or _BROKEN.match(line) is not None

    def has_name(self, line: str) -> bool:
        """Return whether a line begins where names do."""
        return 0 <= len(line) - len(line.lstrip()) - self.name <= 1

    def begins_in_units(self, line: str) -> bool:
        """Return whether a line begins where units do."""
        return not line[: self.amount].strip() and line[self.amount : self.name].strip() != ""

    def item(self, line: str) -> Line | None:
        """Return the item of a line whose unit is in its column, but none that is known; None for other lines."""
        found = _ITEM.match(line)
        if found and self.far_units and is_far_unit(found):
            return Line("item", found[0][: found.start(1)].strip(), found[2], line[found.end() :].strip())
        unit = _UNIT.match(line[self.amount : self.name]) if found and found.end() == self.name else None
        if found is None or unit is None or found.start(1) != self.amount or is_unit(unit[1]):
            return None
        return Line("item", found[0][: found.start(1)].strip(), unit[1], line[self.name :].strip())

    def split(self, line: str) -> tuple[str, str]:
        """Return a line's left and right part, the right one "" if the line has one column."""
        place = self.right
        right = line[place:] if place and not line[place - 2 : place].strip() else ""
        fits = right.strip() != "" and (
            self.has(right) or (self.begins_in_units(right) and is_unit(right.split(maxsplit=1)[0]))
        )
        return (line[:place], right) if fits else (line, "")


def unmarked(lines: Sequence[str], columns: Columns | None) -> list[str]:
    """Return the lines, of which amounts with marks have them before the name: "* 2 c Stock", "(2) c Stock".

    They have a unit, or are in the ``columns``. Without a unit, sentences and (1), (2) are steps. Where a name has a
    star, others begin a footnote.
    """
    marked = {line: found for line in lines if line.lstrip()[:1] in _MARKS and (found := _MARKED.match(line))}
    if not marked:  # as in most records
        return [*lines]
    noted = any(map(_NOTED.search, lines))
    numbered = {"1", "2"} <= {found[2] for found in marked.values()}  # steps
    return [
        _plain(line, marked[line], columns, numbered) if line in marked and not (noted and marked[line][1]) else line
        for line in lines
    ]


def _plain(line: str, marked: re.Match[str], columns: Columns | None, numbered: bool) -> str:
    begin, end = max(marked.span(1), marked.span(2))
    plain = f"{' ' * begin}{line[begin:end]}{' ' * (marked.end() - end)}{line[marked.end() :]}"
    found = _ITEM.match(plain)
    if found is None:
        return line
    has_unit = found[2] is not None and is_unit(found[2])
    if marked[2] and not has_unit and (numbered or line.rstrip().endswith(".")):
        return line
    in_columns = columns is not None and (columns.amount == found.start(1) or columns.name == found.end())
    if not in_columns and (not has_unit or len(line) > TEXT_WIDTH):
        return line
    return plain[: found.end()] + (line.lstrip()[0] if marked[1] else "") + plain[found.end() :]


def is_far_unit(item: re.Match[str]) -> bool:
    """Return whether a unit follows where Meal-Master would begin a name: "      2    c Sugar"."""
    return len(item[1]) >= UNIT_FIELD and item[2] is not None and is_unit(item[2])


OWN = Columns(7, 11, 41)  # Meal-Master's


def find_columns(lines: Sequence[str]) -> Columns | None:
    """Return the columns in which most lines agree; None if amounts are at the margin.

    One line is enough for Meal-Master's own columns; in others two must agree.
    """
    own = OWN.amount, OWN.name
    votes = Counter[tuple[int, int]]()
    at_margin = far = 0
    for line in lines:
        if not line.startswith(" "):
            at_margin += line[:1].isdigit()
            continue
        found = _ITEM.match(line)
        if OWN.has_name(line):
            votes[own] += 1
        elif found and is_far_unit(found):
            far += 1
        elif found and found.start(1) >= _LEAST[0] and found.end() >= _LEAST[1]:
            votes[found.start(1), found.end()] += 1
    amount, name = max(votes, key=lambda pair: (votes[pair], pair == own), default=own)
    if votes[amount, name] < max(1 + ((amount, name) != own), at_margin):
        return None
    return Columns(amount, name, _right(lines, amount, name), far > 1)


def _right(lines: Sequence[str], amount: int, name: int) -> int:
    """Return where the second column begins; one line is enough for Meal-Master's own, two for another."""
    votes = Counter(found.start(1) - amount for line in lines for found in _RIGHT_ITEM.finditer(line, name + _LEFT))
    if not votes:
        return 0
    place = max(votes, key=lambda place: (votes[place], place == OWN.right))
    return place if place == OWN.right or votes[place] > 1 else 0
