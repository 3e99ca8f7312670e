"""Lines of an ingredient block -> ingredients: continuations joined, headings made sections, signatures dropped."""

from __future__ import annotations

import re
from dataclasses import replace

from pipelines.signatures import is_signature
from pipelines.sources.mealmaster_lines import NAME_WIDTH, OPEN_END, Line
from pipelines.units import WORDS
from pipelines.wordlists import HEADINGS, PREPARED_AFTER, STANDALONE
from schemas.recipe import Ingredient

_MEASURE = re.compile(
    r"(?:-?inch(?:es)?\b|[\"']|cm\b|(?:oz|ounces?|lbs?|pounds?|cups?|each)\.?\)"
    r"|x\b)",
    re.IGNORECASE,
)
_OF_NUMBER = re.compile(r"\d/\d$")
_RANGE = re.compile(r"-(\d+) +(?=[^\d\s-])")  # 8    -10 franks
_GOES_ON = re.compile(r"[(\[]|cut (?:in|up|on|off)", re.IGNORECASE)
_JOINED = frozenset({"or", "and", "into", "with", "to", "in", "on", "for", "if", "at", "plus", "as"})  # go on
_PLACEHOLDER = re.compile(
    r"(?:no ingredients?(?: found)?|text(?: (?:only|file))?|info(?:rmation)?(?:/help)?|information text|none"
    r"|ingredients?|see (?:below|directions?|recipe|notes?|text)|(?:recipe|ingredients?) (?:below|follows?)"
    r"|directions|instructions|serving|recipe|tb|x|approx\.? cook time.*|fat grams +per serving.*)$",
    re.IGNORECASE,
)
_FORM = re.compile(r"approx\.? cook time|fat grams +per serving|: ?\d+$", re.IGNORECASE)  # of one diet cook's cards
_HEADING = re.compile(r"(?!(?:or|plus|minus|and|with)\b)(?:[a-z][a-z ]+:?|[a-z(][\w ()'&/-]+:)$", re.IGNORECASE)
_EMPTY = re.compile(r"[^)\]a-z\d]*$", re.IGNORECASE)
_LETTER = re.compile(r"[^\W\d_]")
_STRAY = "-;,. "  # marks that stand before a name, as in "1 ts -Salt"


def join_lines(lines: list[Line]) -> list[Ingredient]:
    """Ingredients of a block, each with the heading of its section."""
    items: list[Line] = []
    sections: list[str] = []
    orphans: list[str] = []  # continuations before any item of their section: the right column was written first
    section, start = "", 0
    width = 0  # of the line before
    ended = [*lines, Line("rule")]
    for line, following in zip(ended, [*ended[1:], Line("rule")], strict=True):
        heading = _heading(line, following)
        if heading is not None:
            if orphans and len(items) > start:
                items[-1] = _extended(items[-1], " ".join(orphans))
            orphans, section, start = [], heading, len(items)
        elif not line.name or (line.kind != "item" and _says_nothing(line.name)):
            continue
        elif line.kind == "dash" and len(items) == start:
            orphans.append(line.name)
        elif line.kind == "dash" or (len(items) > start and _continues(items[-1], width, line)):
            items[-1], width = _extended(items[-1], f"{line.amount} {line.unit} {line.name}"), _width(line)
        elif line.kind == "item" or _LETTER.search(line.name):
            items.append(line)
            sections.append(section)
            width = _width(line)
    return [
        _ingredient(item, heading)
        for item, heading in zip(items, sections, strict=True)
        if item.name.strip(_STRAY) and not _PLACEHOLDER.match(item.name.strip(" .*"))
    ]


def _ingredient(item: Line, section: str) -> Ingredient:
    amount, name = item.amount, item.name
    if name[0] in _STRAY:
        found = _RANGE.match(name) if amount.isdigit() and not item.unit else None
        if found and int(found[1]) > int(amount):
            amount, name = f"{amount}-{found[1]}", name[found.end() :]
        name = name.lstrip(_STRAY)
    return Ingredient(amount, item.unit, " ".join(name.split()), section)


def _says_nothing(text: str) -> bool:
    return _EMPTY.match(text) is not None or is_signature(text) or _FORM.match(text) is not None


def _width(line: Line) -> int:
    return len(line.name.rstrip()) + (line.kind == "dash")


def _extended(item: Line, more: str) -> Line:
    return replace(item, name=f"{item.name} {more}")


def _heading(line: Line, following: Line) -> str | None:
    """The heading that a rule or a bare line ("FILLING:") sets, None where the line is an ingredient's."""
    if line.kind == "rule":
        return "" if is_signature(line.name) else line.name
    if line.kind == "item" or not _HEADING.match(line.name):
        return None
    if line.name.endswith(":") and (line.kind == "bare" or line.name.isupper()):
        return line.name.strip(":()")
    if line.kind == "dash":
        return None
    words = line.name.lower().split()
    above_items = following.kind == "item" and not following.name.isupper()
    return line.name if line.name.isupper() and (words[-1] in HEADINGS or above_items) else None


def _continues(item: Line, width: int, line: Line) -> bool:
    """Whether a line carries on the ingredient before it, whose last line was so wide, though no dash says so.

    Names are cut at a fixed width: where the line's first word would have fitted into the line before, it is another
    ingredient, unless it says nothing but preparation.
    """
    last = item.name.rstrip()
    is_open = last.count("(") > last.count(")") or bool(OPEN_END.search(last))
    if line.kind == "item" and last[-1:].isdigit() and _OF_NUMBER.match(line.amount):  # (15 | 1/2 oz) can
        return is_open and line.unit in ("", "oz", "lb")
    if line.kind == "item":
        return not line.unit and bool(_MEASURE.match(line.name)) and (is_open or _prepares(line.name))
    words = line.name.split()
    first = words[0].lower().strip(",;:.")
    if is_open or first in _JOINED or _prepares(line.name):
        return True
    if _GOES_ON.match(line.name):
        return True
    if last.endswith((")", "]")):  # a remark closes a name; "(28 oz)" and "Stick (4 oz)" are none
        return bool(item.amount) and _is_measure(last)
    cased = len(first) > 1 and line.name[0].islower() and item.name[0].isupper()
    return (cased or width + 1 + len(words[0]) > NAME_WIDTH) and first not in STANDALONE


def _is_measure(name: str) -> bool:
    words = re.split(r"[(\[]", name, maxsplit=1)[0].split()
    return not words or words[-1].lower().strip(",.") in WORDS


def _prepares(text: str) -> bool:
    return all(word.strip(",;:.()-\"'").lower() in PREPARED_AFTER for word in text.split())
