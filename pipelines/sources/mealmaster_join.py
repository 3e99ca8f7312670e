"""Lines of an ingredient block -> ingredients: continuations joined, headings made sections, signatures dropped."""

from __future__ import annotations

import re
from dataclasses import replace

from pipelines.signatures import is_signature
from pipelines.sources.mealmaster_lines import NAME_WIDTH, Line
from pipelines.wordlists import HEADINGS, PREPARED_AFTER, STANDALONE
from schemas.recipe import Ingredient

_OPEN_END = re.compile(
    r"(?:[,&;(/+]|--|\b(?:or|and|with|of|in|to|into|for|a|the|plus|from|about|cut|freshly|finely|coarsely|thinly"
    r"|freshly ground|such as))$",
    re.IGNORECASE,
)
_MEASURE = re.compile(
    r"(?:-?inch(?:es)?\b|[\"']|cm\b|(?:oz|ounces?|lbs?|pounds?|cups?|each)\.?\)"
    r"|x\b)",
    re.IGNORECASE,
)
_JOINED = frozenset({"or", "and", "into", "with", "to", "in", "on", "for", "if", "at", "plus", "as"})  # go on
_PLACEHOLDER = re.compile(
    r"(?:no ingredients?(?: found)?|text(?: (?:only|file))?|info(?:rmation)?(?:/help)?|information text|none"
    r"|ingredients?|see (?:below|directions?|recipe|notes?|text)|(?:recipe|ingredients?) (?:below|follows?)"
    r"|directions|instructions|serving|recipe|tb|x|approx\.? cook time.*|fat grams +per serving.*)$",
    re.IGNORECASE,
)
_HEADING = re.compile(r"[a-z][a-z ]+:?$", re.IGNORECASE)


def join_lines(lines: list[Line]) -> list[Ingredient]:
    """Ingredients of a block, each with the heading of its section."""
    items: list[Line] = []
    sections: list[str] = []
    orphans: list[str] = []  # continuations before any item of their section: the right column was written first
    section, start = "", 0
    ended = [*lines, Line("rule")]
    for line, following in zip(ended, [*ended[1:], Line("rule")], strict=True):
        heading = _heading(line, following)
        if heading is not None:
            if orphans and len(items) > start:
                items[-1] = _extended(items[-1], " ".join(orphans))
            orphans, section, start = [], heading, len(items)
        elif not line.name or (line.kind != "item" and is_signature(line.name)):
            continue
        elif line.kind == "dash" and len(items) == start:
            orphans.append(line.name)
        elif line.kind == "dash" or (len(items) > start and _continues(items[-1], line)):
            items[-1] = _extended(items[-1], f"{line.amount} {line.unit} {line.name}")
        else:
            items.append(line)
            sections.append(section)
    return [
        Ingredient(item.amount, item.unit, " ".join(item.name.split()), heading)
        for item, heading in zip(items, sections, strict=True)
        if not _PLACEHOLDER.match(item.name.strip(" .*"))
    ]


def _extended(item: Line, more: str) -> Line:
    return replace(item, name=f"{item.name} {more}")


def _heading(line: Line, following: Line) -> str | None:
    """The heading that a rule or a bare line ("FILLING:") sets, None where the line is an ingredient's."""
    if line.kind == "rule":
        return "" if is_signature(line.name) else line.name
    if line.kind != "bare" or not _HEADING.match(line.name):
        return None
    if line.name.endswith(":"):
        return line.name.strip(":")
    words = line.name.lower().split()
    above_items = following.kind == "item" and not following.name.isupper()
    return line.name if line.name.isupper() and (words[-1] in HEADINGS or above_items) else None


def _continues(item: Line, line: Line) -> bool:
    """Whether a line carries on the ingredient before it, though no dash says so.

    Names are cut at a fixed width: where the line's first word would have fitted into the line before, it is another
    ingredient, unless it says nothing but preparation.
    """
    last = item.name.rstrip()
    is_open = last.count("(") > last.count(")") or bool(_OPEN_END.search(last))
    if line.kind == "item":
        return not line.unit and bool(_MEASURE.match(line.name)) and (is_open or _prepares(line.name))
    words = line.name.split()
    first = words[0].lower().strip(",;:.")
    if is_open or first in _JOINED or _prepares(line.name):
        return True
    return len(last) + 1 + len(words[0]) > NAME_WIDTH and first not in STANDALONE


def _prepares(text: str) -> bool:
    return all(word.strip(",;:.()-\"'").lower() in PREPARED_AFTER for word in text.split())
