"""Lines of a Meal-Master record -> title, ingredients, paragraphs of directions.

An export has columns: amount in 0-6, unit in 8-9, name from 11 on, and in two-column blocks the same again from 41 on.
Continuation lines begin with a dash in the name column, or stand there without amount. The library was flattened by
an earlier tool: indentation gone, the right column written before the left one. There the border between ingredients
and directions is the place where the evidence of all lines before and after it is best.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from itertools import pairwise

from pipelines.recipes.commands import is_command
from pipelines.sources.mealmaster.join import join_lines
from pipelines.sources.mealmaster.lines import Line, read_line, read_with_evidence, rule_heading
from pipelines.sources.mealmaster.prose import ingredients_in_prose
from schemas.recipe import Ingredient

_FIELD = re.compile(r"[ \t]*(title|categories|yield|servings)[ \t]*:[ \t]*(.*?)[ \t]*$", re.IGNORECASE)
_TITLE_TAIL = re.compile(  # a mail box with initials before it, a person behind stars, marks
    r"(?:(?: (?:[A-Z]\.)+)?[\s*:+.(<-]*\b[A-Za-z]{4}\d\d[A-Za-z]\b\W*| \*{3,} ?[A-Za-z]+ ?/| <[a-z]>|[\s*^~`+:]+)$"
)
_RIGHT = 41  # where the second column begins
_COLUMN = re.compile(r"(?=.{7} )[ \d/.,]{7} (?:[A-Za-z][A-Za-z. ]|  ) (?=\S)")
_AMOUNT_COLUMN = re.compile(r"(?=.{7} )[ \d/.,]{6}\d (?:[A-Za-z][A-Za-z. ]|  ) \S")
_BESIDE = re.compile(r"(.{3,}?\S) {3,}(\d[\d /.,]* (?:[A-Za-z][A-Za-z. ]|  ) \S.*)")
_MARGIN = re.compile(r" {0,10}:[ \t]{2,}(?=\S)")
_BREAK = re.compile(r"\s*:(?!-?[()])")  # no smiley
_LABEL_END = re.compile(r"\b(?:Recipe By|From|Source) *$", re.IGNORECASE)
_HOPELESS = 60.0  # evidence against more ingredients at which the search for the border ends
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
    fields, body, columns = split_fields(lines)
    parts = Layout(
        title=_title(fields.get("title", "")),
        categories=[name.strip() for name in fields.get("categories", "").split(",") if name.strip()],
        recipe_yield=" ".join(fields.get("yield", "").split()).rstrip(" -"),
    )
    block, directions = _by_columns(body) if columns else by_evidence(body)
    if columns and not _is_block(block):  # pasted without Meal-Master's columns
        block, directions = by_evidence(body)
    items = join_lines(block)
    typed_there = [item for item in items if item.unit in ("", "ea") and is_command(item.name)]
    parts.ingredients = [item for item in items if item not in typed_there]
    parts.steps = [item.name for item in typed_there] + _paragraphs(directions)
    if len(parts.steps) > 1 and parts.steps[0].lower() == parts.title.lower():
        del parts.steps[0]
    if not parts.ingredients:
        parts.ingredients, parts.steps = ingredients_in_prose(parts.steps)
    return parts


def _title(written: str) -> str:
    title = " ".join(written.split())
    return _TITLE_TAIL.sub("", title) or title


def split_fields(lines: list[str]) -> tuple[dict[str, str], list[str], bool]:
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
            if name == "yield" and not columns:  # the text may begin on the field's line
                fields[name], _, more = found[2].partition("  ")
                body += [more] if more else []
        if "yield" in fields and "categories" in fields:
            return fields, body + lines[position + 1 :], columns
    return fields, body, columns


def _by_columns(body: list[str]) -> tuple[list[Line], list[str]]:
    """Ingredient lines of a record with columns, the left column of each block before its right one.

    Text at the right counts as a second column only where some line has an amount there: else it is a signature.
    """
    paired = any(_AMOUNT_COLUMN.match(line, _RIGHT) for line in body)
    block: list[Line] = []
    right: list[Line] = []
    for position, line in enumerate(body):
        if not line.strip():
            continue
        heading = rule_heading(line)
        if heading is not None:
            block, right = [*block, *right, Line("rule", name=heading)], []
            continue
        left, beyond = line, ""
        if paired and line[_RIGHT - 2 : _RIGHT] == "  " and _COLUMN.match(line, _RIGHT):
            left, beyond = line[:_RIGHT], line[_RIGHT:].strip()
        if left.strip() and not _COLUMN.match(left) and not (block and _carries_on(line, body[position - 1])):
            return [*block, *right], body[position:]
        block += [read_line(left.strip())] if left.strip() else []
        right += [read_line(beyond)] if beyond else []
    return [*block, *right], []


def _is_block(lines: list[Line]) -> bool:
    """Whether lines in the columns are ingredients: some have amounts, or several stand in the name column alone."""
    bare = [line for line in lines if line.kind == "bare" and not is_command(line.name)]
    return any(line.kind == "item" for line in lines) or (len(bare) > 1 and len(bare) == len(lines))


def _carries_on(line: str, before: str) -> bool:
    """Whether a line outside the columns is a continuation with a colon at the margin, right below its ingredient."""
    return _MARGIN.match(line) is not None and bool(before.strip()) and read_line(line.strip()).kind == "dash"


def by_evidence(body: list[str]) -> tuple[list[Line], list[str]]:
    """Ingredient lines of a flattened record, and its directions with the notes that stood between the columns."""
    read = read_block([line.strip() for line in body])
    notes = [line for line, kind in zip(body, read, strict=False) if kind.kind == "text"]
    block = [part for line in read if line.kind not in ("text", "blank") for part in _columns_of(line)]
    return block, notes + body[len(read) :]


def _columns_of(line: Line) -> list[Line]:
    """A line whose two columns still stand beside each other, as two."""
    found = _BESIDE.match(line.name)
    return [replace(line, name=found[1]), *_columns_of(read_line(found[2]))] if found else [line]


def read_block(lines: list[str]) -> list[Line]:
    """The stripped lines before the directions: the border is where the evidence of all before and after is best."""
    read: list[Line] = []
    best, border, total = 0.0, 0, 0.0
    for line, points in read_with_evidence(lines):
        read.append(line)
        total += points
        if total > best:
            best, border = total, len(read)
        elif total < best - _HOPELESS:
            break
    while border and read[border - 1].kind == "bare" and lines[border - 1].endswith(":"):
        border -= 1  # it heads the directions
    return read[:border]


def _paragraphs(lines: list[str]) -> list[str]:
    """Paragraphs of the directions, parted by blank lines, rules and breaks, their lines joined with one blank.

    A line that begins with a colon is one that its author broke: Meal-Master wraps the others.
    """
    paragraphs: list[str] = []
    current: list[str] = []
    for line in [*_labelled(lines), ""]:
        broken = _BREAK.match(line) is not None and not _LABEL_END.search(" ".join(current[-2:]))
        text = line.strip(": ") if broken else line.strip()
        if broken and not text:
            continue
        ended = not text or rule_heading(line) is not None
        if current and (ended or (broken and not text[0].islower())):  # a sentence may go on behind the colon
            paragraphs.append(" ".join(current))
            current = []
        if not ended:
            current += text.split()
    return paragraphs


def _labelled(lines: list[str]) -> list[str]:
    """The lines with a label's text behind it again, where the right column came first: ": Ada" above "Recipe By"."""
    ordered = list(lines)
    for place, (line, following) in enumerate(pairwise(lines)):
        if line.lstrip().startswith(":") and following.strip().lower() == "recipe by":
            ordered[place : place + 2] = [following, line]
    return ordered
