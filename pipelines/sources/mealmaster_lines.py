"""Single lines of a Meal-Master record: what they are, how they join into ingredients."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from schemas.recipe import Ingredient

NAME_WIDTH = 28  # Meal-Master's name column

_AMOUNT = r"\d+(?:[.,]\d+)?(?:[ -]\d+/\d+|/\d+)?|\.\d+|\d+-\d+"
_CODES = "x|sm|md|lg|cn|pk|pn|dr|ds|ct|bn|sl|ea|t|ts|T|tb|fl|c|pt|qt|ga|oz|lb|ml|cb|cl|dl|l|mg|cg|dg|g|kg"
_CODE = rf"(?:{_CODES}|TB|Tb|TS|Ts|C|cu|Cl|gm|jr|pg|bt)"
_PADDED = re.compile(rf"({_AMOUNT}) (?:([A-Za-z]{{2}}|[A-Za-z] )|  ) ?(\S.*)$")
_UNIT_ONLY = re.compile(rf"({_CODES}) {{1,2}}(\S.*)$")
_RULE = re.compile(r"[ \t]*(?:M{5})?-{4,}[ \t]*(.*?)[ \t]*-{4,}[ \t]*$|[ \t]*(?:M{5})?-{4,}[ \t]*$|[ \t]*M{5}[ \t]*$")
_OPEN_END = re.compile(r"(?:[,&;(/+]|--|\b(?:or|and|with|of|in|to|into|for|a|the|plus|from|about|cut|such as))$", re.I)
_KNOWN_CODE = re.compile(rf"{_CODE}$")


@dataclass(frozen=True)
class Line:
    kind: str  # "item" (amount or unit), "dash" (continuation), "bare" (name column only), "rule"
    amount: str = ""
    unit: str = ""
    name: str = ""


def rule_heading(line: str) -> str | None:
    """Heading of a section rule (``-----SAUCE-----``), "" for a bare rule, None where the line is none."""
    if "----" not in line and "MMMMM" not in line:
        return None
    found = _RULE.match(line)
    return None if found is None else (found[1] or "").strip(" -:")


def read_line(line: str) -> Line:
    """Read one stripped line of an ingredient block."""
    if line.startswith("-"):
        return Line("dash", name=line.lstrip("- "))
    found = _PADDED.match(line)
    if found and (found[2] is None or _KNOWN_CODE.match(found[2].strip())):
        return Line("item", found[1], (found[2] or "").strip(), found[3])
    found = _UNIT_ONLY.match(line)
    if found:
        return Line("item", "", found[1], found[2])
    return Line("bare", name=line)


def line_evidence(lines: list[str]) -> list[float]:
    """Evidence of each stripped line of a flattened record that it is an ingredient line (below 0: it is not)."""
    points: list[float] = []
    after_text = False
    for line in lines:
        if not line or rule_heading(line) is not None:
            points.append(0.0)
            continue
        here = _evidence(line, after_text)
        after_text = here <= -4
        points.append(here)
    return points


def _evidence(line: str, after_text: bool) -> float:
    read = read_line(line)
    if read.kind == "item":
        return _item_evidence(read, after_text)
    width = len(line)
    if width > NAME_WIDTH + 4:
        return -6.0
    if read.kind == "dash":
        return 3.0
    if after_text:
        return -2.0
    if line.endswith((".", "!", "?")) or line.endswith(":"):
        return -2.0
    return 1.0 if width <= NAME_WIDTH + 1 else -2.0


def _item_evidence(read: Line, after_text: bool) -> float:
    if len(read.name) > NAME_WIDTH + 12:
        return -4.0
    value = 5.0 if read.unit else 4.0
    if len(read.name) > NAME_WIDTH:
        value -= 2.0
    if read.name[0].islower():
        value -= 2.0
    if after_text:
        value -= 2.0
    return value


def join_lines(lines: list[Line]) -> list[Ingredient]:
    """Ingredients of a block: continuation lines joined, each with the heading of its section."""
    items: list[Line] = []
    sections: list[str] = []
    orphans: list[str] = []  # continuations before any item of their section: the right column was written first
    section, section_start = "", 0
    for line in [*lines, Line("rule")]:
        if line.kind == "rule":
            if orphans and len(items) > section_start:
                items[-1] = _extended(items[-1], " ".join(orphans))
            orphans, section, section_start = [], line.name, len(items)
        elif line.kind == "dash" and len(items) == section_start:
            orphans.append(line.name)
        elif line.kind == "dash" or (len(items) > section_start and _continues(items[-1], line)):
            items[-1] = _extended(items[-1], line.name)
        else:
            items.append(line)
            sections.append(section)
    return [
        Ingredient(item.amount, item.unit, " ".join(item.name.split()), heading)
        for item, heading in zip(items, sections, strict=True)
    ]


def _extended(item: Line, more: str) -> Line:
    return replace(item, name=f"{item.name} {more}".rstrip())


def _continues(item: Line, line: Line) -> bool:
    """Whether a line without amount carries on the line before it."""
    if line.kind != "bare":
        return False
    last = item.name
    if last.count("(") > last.count(")") or _OPEN_END.search(last):
        return True
    return line.name[0].islower() and len(last) + 1 + len(line.name.split()[0]) > NAME_WIDTH - 4
