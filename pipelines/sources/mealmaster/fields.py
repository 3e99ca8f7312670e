"""The fields above a Meal-Master recipe: title, categories, yield, and the lines that belong to none of them.

A field that is too long goes on in the next line, below its text. Programs add fields of their own, such as "Prep
Time:" or "Contributor:", which are left out. A tool that flattened the lines wrote some of the recipe between the
fields, and the second half of some titles above the first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

_FIELD = re.compile(r"([ \t]*(title|categories|yield|servings)[ \t]*:[ \t]*)(.*?)[ \t]*$", re.IGNORECASE)
_OTHER = re.compile(r"[ \t]*[A-Z][A-Za-z() /]{2,24}:(?: |$)")  # a field of another program
_TITLE_TAIL = re.compile(  # a mail box with initials before it, a person behind stars, marks
    r"(?:(?: (?:[A-Z]\.)+)?[\s*:+.(<-]*\b[A-Za-z]{4}\d\d[A-Za-z]\b\W*(?:\d\w*)?"
    r"| \*{3,} ?[A-Za-z]+ ?/| <[a-z]>|[\s*^~`+:]+)$"
)
_REACH = 14  # lines after the title in which categories and yield are looked for
_SUBTITLE = range(4, 31)  # characters of a line above the title that is a part of it


@dataclass
class Fields:
    """What is above the recipe, and the lines of the recipe."""

    title: str
    categories: list[str]
    recipe_yield: str
    notes: list[str] = field(default_factory=list)  # lines above the title
    body: list[str] = field(default_factory=list)


def read_fields(lines: Sequence[str]) -> Fields:
    """Return the fields of a record's lines."""
    start = next((place for place, line in enumerate(lines) if _name(_FIELD.match(line)) == "title"), 0)
    above = [line.strip() for line in lines[:start] if line.strip()]
    texts: dict[str, str] = {}
    body: list[str] = []
    last, column = "", 0  # the field that the next line may carry on, and where its text begins
    head = _head(lines, start)
    place = start
    for place in range(start, len(lines)):
        line = lines[place]
        if place >= head and ({"categories", "yield"} <= texts.keys() or place > start + _REACH):
            break
        found = _FIELD.match(line)
        name = _name(found)
        if found and name not in texts:
            last, column, texts[name] = name, len(found[1]), found[3]
            if name == "yield" and not line[0].isspace():  # the text may begin in the field's line
                texts[name], _, more = found[3].partition("  ")
                body += [more.strip()] if more.strip() else []
        elif place < head and _OTHER.match(line):
            last = ""
        elif last and line.strip() and (_indent(line) == column or (last, "categories" in texts) == ("title", False)):
            texts[last] = f"{texts[last]} {line.strip()}"
        elif place >= head:
            body.append(line)
            last = last if line.strip() else ""
    else:
        place += 1
    title = _without_tail(" ".join(texts.get("title", "").split()))
    if len(above) == 1 and len(above[0]) in _SUBTITLE and above[0][0] != ":":
        title, above = _without_tail(f"{title} {above[0]}"), []
    return Fields(
        title=title,
        categories=[name.strip() for name in texts.get("categories", "").split(",") if name.strip()],
        recipe_yield=" ".join(texts.get("yield", "").split()).rstrip(" -"),
        notes=above,
        body=body + list(lines[place:]),
    )


def _without_tail(title: str) -> str:
    return _TITLE_TAIL.sub("", title) or title


def _name(found: re.Match[str] | None) -> str:
    return found[2].lower().replace("servings", "yield") if found else ""


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _head(lines: Sequence[str], start: int) -> int:
    """Return the number of the blank line below the fields; ``start`` if something else is among them."""
    column = 0
    for place in range(start, min(start + _REACH, len(lines))):
        found = _FIELD.match(lines[place])
        if not lines[place].strip():
            return place
        if found:
            column = len(found[1])
        elif _indent(lines[place]) != column and not _OTHER.match(lines[place]):
            return start
    return start
