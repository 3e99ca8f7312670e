"""Single lines of a Meal-Master record: what they hold, and how much they look like ingredients."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pipelines.wordlists import OPENERS

NAME_WIDTH = 28  # Meal-Master's name column

_AMOUNT = r"\d+(?:[.,]\d+)?(?:[ -]\d+/\d+|/\d+)?|\.\d+|\d+-\d+"
_CODES = "x|sm|md|lg|cn|pk|pn|dr|ds|ct|bn|sl|ea|t|ts|T|tb|fl|c|pt|qt|ga|oz|lb|ml|cb|cl|dl|l|mg|cg|dg|g|kg"
_CODE = rf"(?:{_CODES}|TB|Tb|TS|Ts|C|cu|Cl|gm|jr|pg|bt)"
_PADDED = re.compile(rf"({_AMOUNT}) (?:([A-Za-z]{{2}}|[A-Za-z] )|  ) ?(\S.*)$")
_UNIT_ONLY = re.compile(rf"({_CODES}) {{1,2}}(\S.*)$")
_RULE = re.compile(r"[ \t]*(?:M{5})?-{4,}[ \t]*(.*?)[ \t]*-{4,}[ \t]*$|[ \t]*(?:M{5})?-{4,}[ \t]*$|[ \t]*M{5}[ \t]*$")
_KNOWN_CODE = re.compile(rf"{_CODE}$")

_NO_INGREDIENT = re.compile(
    r"(?:makes|serves|yields?|servings?|source|from|posted|typed|submitted|copyright|recipe by|prep(?:aration)?|"
    r"cooking|baking|total|oven|temperature|cook|calories|per|cal|note|notes|mm|title|categories)\b.{0,14}(?:\d|:|by\b)"
    r"|(?:directions|method|instructions|procedure|preparation|source|isbn)\b",
    re.IGNORECASE,
)


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
    if line[0] == ":":  # MasterCook's export
        line = line.lstrip(": ") or ":"
    if line[0] == "-":
        return Line("dash", name=line.lstrip("- "))
    if line == ":":
        return Line("dash")
    found = _PADDED.match(line)
    if found and (found[2] is None or _KNOWN_CODE.match(found[2].strip())):
        return Line("item", found[1], (found[2] or "").strip(), found[3])
    found = _UNIT_ONLY.match(line)
    if found:
        return Line("item", "", found[1], found[2])
    return Line("bare", name=line)


def line_evidence(lines: list[str]) -> Iterator[float]:
    """Evidence of each stripped line of a flattened record that it is an ingredient line (below 0: it is not).

    Meal-Master cuts names at 28 characters and writes no blank line within the block; directions are wrapped at
    about 70. So width, amounts and blank lines weigh most; the rest decides on the lines beside the border.
    """
    after_text = after_blank = False
    for line, following in zip(lines, [*lines[1:], "."], strict=True):
        if not line or rule_heading(line) is not None:
            after_blank = after_blank or not line
            yield 0.0
            continue
        points = _evidence(line, after_text, after_blank, before_blank=not following)
        after_text = points <= -4
        yield points


def _evidence(line: str, after_text: bool, after_blank: bool, before_blank: bool) -> float:
    read = read_line(line)
    if read.kind == "item":
        return _item_evidence(read, after_text)
    if not read.name:
        return 0.0
    value = _width_evidence(len(read.name))
    if _NO_INGREDIENT.match(read.name):
        value -= 4.0
    if read.kind == "dash":
        return value + 1.0
    if _opens_directions(read.name):
        value -= 3.0
    if read.name.endswith((".", "!", "?", ":")):
        value -= 1.0
    return value - 2.0 * after_text - 1.5 * after_blank - 2.5 * before_blank


def _width_evidence(width: int) -> float:
    if width <= NAME_WIDTH + 1:
        return 1.5
    return -1.0 if width <= NAME_WIDTH + 4 else -2.5 if width <= NAME_WIDTH + 9 else -6.0


def _opens_directions(line: str) -> bool:
    return line[0] in "*~" or line.split(maxsplit=1)[0].strip(",.:").lower() in OPENERS


def _item_evidence(read: Line, after_text: bool) -> float:
    if len(read.name) > NAME_WIDTH + 12 and "   " not in read.name:
        return -4.0
    value = 5.0 if read.unit else 4.0
    if len(read.name) > NAME_WIDTH + 1:
        value -= 2.0
    if read.name[0].islower() and not (read.unit and read.amount):
        value -= 2.0
    if after_text:
        value -= 2.0
    return value
