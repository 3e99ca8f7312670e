"""Weigh the evidence that lines of a Meal-Master record are ingredients, and find the border that fits all lines best.

Meal-Master cuts names at 28 characters and writes no blank line within the block; directions are wrapped at about 70.
In a record with columns, the columns weigh most; otherwise width, amounts and blank lines. The other signs decide on
lines next to the border. No line decides alone: the ingredients are the lines with the highest sum of evidence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pipelines.recipes.wordlists import OPENERS, PREPARED
from pipelines.sources.mealmaster.columns import Columns
from pipelines.sources.mealmaster.forms import tells_content
from pipelines.sources.mealmaster.lines import (
    BESIDE,
    BLANK,
    MEASURE,
    NAME_WIDTH,
    RUN_IN,
    TEXT_WIDTH,
    Line,
    has_open_end,
    is_text,
    read_line,
    rule_heading,
)

RETURN = 7.0  # evidence that ingredients below directions must have before they are ingredients
_SIDE = 0.01  # of a line that belongs to ingredients if it is next to one: a rule, a remark
_NO_FOOD = 1.0  # of an item that is no food
_REACH = 8  # lines below the last ingredient within which directions begin
_FULL = 60  # characters of a line that is filled with text
_TEXT = -8.0  # of a wide line below text, at least
_RUNNING = -6.0  # of ingredients in running text
_IN_COLUMNS = 4.0
_AT_MARGIN = -3.0  # of a line with an amount where directions begin
_LEAST = -3.0  # other evidence against a line in columns, at most
_OFF_COLUMNS = -5.0  # of a line without amount
_REMARK = re.compile(r"\([^()]*\)\W*")
_SEASONS = re.compile(r"salt\b.*\bto taste\W*$", re.IGNORECASE)
_NO_INGREDIENT = re.compile(
    r"(?:makes|serves|yields?|servings?|source|from|posted|typed|submitted|copyright|recipe by|prep(?:aration)?|"
    r"cooking(?! (?:oil|spray|sherry|wine))|baking(?! (?:soda|powder))|total|oven|temperature|cook|calories|per|cal"
    r"|note|notes|mm|title|categories)\b.{0,14}(?:\d|:|by\b)"
    r"|(?:directions|method|instructions|procedure|preparation|source|isbn)\b",
    re.IGNORECASE,
)


class Weighed(NamedTuple):
    """A line and the evidence that it belongs to an ingredient; below 0, it does not."""

    line: Line
    points: float


_BLANK = Weighed(BLANK, 0.0)
_WIDE_TEXT = Weighed(Line("text"), _TEXT)  # most lines of directions; their words are not needed


def in_block(weighed: Sequence[Weighed]) -> list[bool]:
    """Return for each line whether it is in a block of ingredients, by Viterbi's path over the classes of a line.

    The classes are: an ingredient of the first block, text, and an ingredient of a block below text. A later block
    costs RETURN, which lines with amounts must outweigh: lines without an amount only follow the lines next to them.
    """
    first, text, later = 0.0, 0.0, -RETURN
    steps: list[tuple[int, int, int]] = []  # of each line the best class before it, for each class
    end = _end(weighed)
    for one in weighed[:end]:
        before, best = (2, later) if later >= text else (1, text)
        if first > best:
            before, best = 0, first
        entered = text - RETURN
        steps.append((0, before, 2 if later >= entered else 1))
        text, later = best, max(later, entered) + _later(one)
        first += one.points
    classes: list[bool] = []
    best = max(first, text, later)
    here = 2 if later == best else 1 if text == best else 0
    for step in reversed(steps):
        classes.append(here != 1)
        here = step[here]
    return classes[::-1] + [False] * (len(weighed) - end)


def _end(weighed: Sequence[Weighed]) -> int:
    """Return the number of lines before the text at the end, which has no evidence for ingredients."""
    end = len(weighed)
    for place in reversed(range(len(weighed))):
        points = weighed[place].points
        if points < 0:
            end = place
        elif points:
            break
    return end


def _later(one: Weighed) -> float:
    """Return the evidence for a line in a block below text."""
    is_sure = (
        one.line.kind == "item" and one.points > _NO_FOOD and (one.line.unit != "" or not one.line.name[0].islower())
    )
    return one.points if is_sure else min(one.points, _SIDE)


def weigh(lines: Sequence[str], columns: Columns | None) -> Iterator[Weighed]:
    """Weigh the lines of a record below its fields; ``columns``: None if they are at the margin."""
    after_text = after_blank = after_item = has_begun = False
    bare = 0  # ingredients so far, if none has an amount
    before = ""
    remark = 0  # brackets that are open
    stripped = [line.strip() for line in lines]
    for place, line in enumerate(stripped):
        if not line:
            after_blank, after_item = has_begun, False
            before, remark = "", 0
            yield _BLANK
            continue
        has_begun = True
        if after_text and columns is None and is_text(line):
            after_item, before, remark = False, line, 0
            yield _WIDE_TEXT
            continue
        heading = rule_heading(line)
        if heading is not None:
            before, remark = "", 0
            yield Weighed(Line("rule", name=heading), _SIDE)
            continue
        read = (columns and columns.item(lines[place])) or read_line(line)
        fits = columns is not None and _fits(columns, lines[place], before, remark)
        in_names = read.kind == "item" and fits and columns is not None and columns.has_name(lines[place])
        if (read.is_typed and _is_open(before, remark)) or (in_names and _is_open(before.removesuffix(" or"), remark)):
            read = Line("bare", name=line)  # (about | 3 small)
        if read.kind in ("rule", "heading", "mark"):
            yield Weighed(read, _SIDE)
            continue
        width = _first_width(read.name) if read.kind == "item" else 0
        if read.kind == "item" and not after_item and len(line) > _FULL and width < len(read.name):
            read, points = Line("text", name=line), _RUNNING
        elif read.kind == "item" and (tells_content(read) or _names_nothing(read)):
            points = _NO_FOOD  # what a serving holds; an amount of a table whose names are elsewhere
        elif read.kind == "item":
            width = width if after_item else len(read.name)
            points, remark, bare = _item_evidence(read, width, after_text, fits), 0, -len(lines)
        elif (remark > 0 and len(line) <= NAME_WIDTH + 1) or line in PREPARED:  # a remark goes on; "removed"
            points = 1.0
        else:
            points = _evidence(read, before) - 2.0 * after_text - 1.5 * after_blank
            if stripped[place + 1 : place + 2] == [""]:
                closes = (bare > 1 or _SEASONS.match(line)) and not after_blank and _directions_follow(stripped, place)
                points -= 0.0 if closes else 2.5
            bare += points > 0
        if columns is not None and fits:
            points = max(points, _LEAST) + _IN_COLUMNS
        elif columns is not None and read.kind == "item":
            points += _AT_MARGIN * (len(lines[place]) - len(line) < columns.amount // 2)
        elif columns is not None and not columns.begins_in_units(lines[place]):
            read = Line("text", name=line) if points < 0 else read
            points += _OFF_COLUMNS
        after_text, after_item, before = points <= -4, read.kind == "item", line
        remark = 0 if after_text else remark + line.count("(") - line.count(")")
        yield Weighed(read, points)


def _first_width(name: str) -> int:
    """Return the width of an item's name up to the next ingredient in the line; the full width if that has a column."""
    found = None if len(name) <= NAME_WIDTH or BESIDE.match(name) else RUN_IN.search(name)
    return found.start() if found else len(name)


def _names_nothing(item: Line) -> bool:
    """Whether an amount has no food: "30 pounds (1 lug)"."""
    return (item.name[0] == "(" and _REMARK.fullmatch(item.name) is not None) or (
        not item.unit and MEASURE.fullmatch(item.name) is not None
    )


def _fits(columns: Columns, line: str, before: str, remark: int) -> bool:
    """Whether a line is in the columns; a continuation of the line before may begin in the column of units."""
    if columns.has(line):
        return True
    return columns.begins_in_units(line) and (line.lstrip().startswith("-") or _is_open(before, remark))


def _is_open(before: str, remark: int) -> bool:
    """Whether the line before continues in this line, even if this line begins with an amount."""
    return remark > 0 or has_open_end(before)


def _evidence(read: Line, before: str) -> float:
    """Return the evidence of a line without amount, given the line before it."""
    if not read.name:
        return 0.0
    value = _width_evidence(len(read.name))
    if _NO_INGREDIENT.match(read.name):
        value -= 4.0
    if read.kind == "dash":
        return value + 1.0
    if _opens_directions(read.name) and not has_open_end(before):
        value -= 3.0
    if read.name.endswith((".", "!", "?", ":")):
        value -= 1.0
    return value


def _width_evidence(width: int) -> float:
    if width <= NAME_WIDTH + 1:
        return 1.5
    return -1.0 if width <= NAME_WIDTH + 4 else -2.5 if width <= NAME_WIDTH + 9 else -6.0


def _opens_directions(line: str) -> bool:
    return line[0] in "*~" or line.split(maxsplit=1)[0].strip(",.:").lower() in OPENERS


def _directions_follow(lines: list[str], place: int) -> bool:
    """Whether the next text begins directions, so that a line above it without amount may close the block."""
    following = next(filter(None, lines[place + 1 : place + 1 + _REACH]), "")
    return len(following) > NAME_WIDTH + 9 or (following != "" and _opens_directions(following))


def _item_evidence(read: Line, width: int, after_text: bool, fits: bool) -> float:
    if width > TEXT_WIDTH and not BESIDE.match(read.name) and not fits:
        return -4.0
    if read.name[0] == "=" and not read.unit:
        return -4.0
    value = 5.0 if read.unit else 4.0
    if width > NAME_WIDTH + 1:
        value -= 2.0
    if read.name[0].islower() and not (read.unit and read.amount):
        value -= 2.0
    if after_text:
        value -= 2.0
    return value
