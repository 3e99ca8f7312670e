"""Lines of a Meal-Master record -> title, ingredients, paragraphs of directions.

An export has columns: amount in 0-6, unit in 8-9, name from 11 on, and in two-column blocks the same again from 41 on.
Continuation lines begin with a dash in the name column, or stand there without amount. The library was flattened by
an earlier tool: indentation gone, the right column written before the left one. There the border between ingredients
and directions is the place where the evidence of all lines before and after it is best.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pipelines.sources.mealmaster_lines import Line, join_lines, line_evidence, read_line, rule_heading
from schemas.recipe import Ingredient

_FIELD = re.compile(r"[ \t]*(title|categories|yield|servings)[ \t]*:[ \t]*(.*?)[ \t]*$", re.IGNORECASE)
_RIGHT = 41  # where the second column begins
_COLUMN = re.compile(r"(?=.{7} )[ \d/.,]{7} (?:[A-Za-z][A-Za-z. ]|  ) (?=\S)")
_AMOUNT_COLUMN = re.compile(r"(?=.{7} )[ \d/.,]{6}\d (?:[A-Za-z][A-Za-z. ]|  ) \S")
_FIELD_REACH = 14  # lines after the title in which categories and yield are looked for


@dataclass
class Layout:
    title: str = ""
    categories: list[str] = field(default_factory=list)
    recipe_yield: str = ""
    ingredients: list[Ingredient] = field(default_factory=list)
    steps: list[str] = field(default_factory=list)


def lay_out(lines: list[str]) -> Layout:
    """Read the fields, find the border between ingredients and directions, join what belongs together."""
    fields, body, columns = _fields(lines)
    parts = Layout(
        title=" ".join(fields.get("title", "").split()),
        categories=[name.strip() for name in fields.get("categories", "").split(",") if name.strip()],
        recipe_yield=" ".join(fields.get("yield", "").split()),
    )
    block, directions = _by_columns(body) if columns else _by_evidence(body)
    parts.ingredients = join_lines(block)
    parts.steps = _paragraphs(directions)
    return parts


def _fields(lines: list[str]) -> tuple[dict[str, str], list[str], bool]:
    """The header's fields, the lines that are none, and whether the record kept its columns."""
    titles = (
        place for place, line in enumerate(lines) if (found := _FIELD.match(line)) and found[1].lower() == "title"
    )
    start = next(titles, 0)
    columns = bool(lines) and lines[start].startswith("  ")
    fields: dict[str, str] = {}
    body: list[str] = []
    for position in range(start, len(lines)):
        line = lines[position]
        found = _FIELD.match(line) if position - start <= _FIELD_REACH else None
        name = found[1].lower().replace("servings", "yield") if found else ""
        if found is None or name in fields:
            body.append(line)
        else:
            fields[name] = found[2]
        if "yield" in fields and "categories" in fields:
            return fields, body + lines[position + 1 :], columns
    return fields, body, columns


def _by_columns(body: list[str]) -> tuple[list[Line], list[str]]:
    """Ingredient lines of a record with columns, the left column of each block before its right one."""
    block: list[Line] = []
    right: list[Line] = []
    for position, line in enumerate(body):
        if not line.strip():
            continue
        heading = rule_heading(line)
        if heading is not None:
            block, right = [*block, *right, Line("rule", name=heading)], []
            continue
        if not _COLUMN.match(line):
            beyond = line[:_RIGHT].strip() == "" and (right or _AMOUNT_COLUMN.match(line, _RIGHT))
            if not (beyond and _COLUMN.match(line, _RIGHT)):
                return [*block, *right], body[position:]
            right.append(read_line(line[_RIGHT:].strip()))
            continue
        left = line
        two = len(line) > _RIGHT and line[_RIGHT - 2 : _RIGHT] == "  " and _COLUMN.match(line, _RIGHT)
        if two and (right or _AMOUNT_COLUMN.match(line, _RIGHT)):
            left = line[:_RIGHT]
            right.append(read_line(line[_RIGHT:].strip()))
        block.append(read_line(left.strip()))
    return [*block, *right], []


def _by_evidence(body: list[str]) -> tuple[list[Line], list[str]]:
    """Ingredient lines of a flattened record: those before the border with the most evidence."""
    lines = [line.strip() for line in body]
    best, border, total = 0.0, 0, 0.0
    for position, points in enumerate(line_evidence(lines)):
        total += points
        if total > best:
            best, border = total, position + 1
    block: list[Line] = []
    for line in lines[:border]:
        heading = rule_heading(line)
        if heading is not None:
            block.append(Line("rule", name=heading))
        elif line:
            block.append(read_line(line))
    return block, body[border:]


def _paragraphs(lines: list[str]) -> list[str]:
    """Paragraphs of the directions, parted by blank lines and rules, their lines joined with one blank."""
    paragraphs: list[str] = []
    current: list[str] = []
    for line in [*lines, ""]:
        words = line.split()
        heading = rule_heading(line) if words else ""
        if words and heading is None:
            current.append(" ".join(words))
            continue
        if current:
            paragraphs.append(" ".join(current))
            current = []
        if heading:
            paragraphs.append(heading)
    return paragraphs
