"""Weigh the evidence that lines of a Meal-Master record are ingredients, and find the boundary to the directions.

Meal-Master cuts names at 28 characters and writes no blank line within the block; directions are wrapped at about 70.
In a record with columns, the columns weigh most; otherwise width, amounts and blank lines. The other signs decide on
lines next to that boundary. No line decides alone: the ingredients are the lines with the highest sum of evidence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pipelines.recipes.wordlists import OPENERS, PREPARED
from pipelines.sources.mealmaster.columns import Columns
from pipelines.sources.mealmaster.forms import states_nutrients
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

_REACH = 8  # lines below the last ingredient within which directions begin
_FULL = 60  # characters of a line that is filled with text
_LATER_BLOCK = 7.0  # evidence that a block of lines below directions needs to count as ingredients
# Evidence (points) for:
_SIDE = 0.01  # a line that belongs to ingredients if it is next to one: a rule, a remark
_NO_FOOD = 1.0  # an item that is no food
_TEXT = -8.0  # a wide line below text
_RUNNING = -6.0  # ingredients in running text
_IN_COLUMNS = 4.0  # a line in the columns, added to its other evidence
_AT_MARGIN = -3.0  # a line with an amount that starts at the left margin, as directions do
_OFF_COLUMNS = -5.0  # a line without amount outside the columns
_MIN_OTHER = -3.0  # a line in the columns: its other evidence counts no lower than this
_REMARK = re.compile(r"\([^()]*\)\W*")
_SALT_TO_TASTE = re.compile(r"salt\b.*\bto taste\W*$", re.IGNORECASE)
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
    costs _LATER_BLOCK, which lines with amounts must outweigh. Lines without an amount only follow the lines next to
    them.
    """
    first, text, later = 0.0, 0.0, -_LATER_BLOCK
    steps: list[tuple[int, int, int]] = []  # of each line the best class before it, for each class
    end = _end(weighed)
    for line in weighed[:end]:
        before, best = (2, later) if later >= text else (1, text)
        if first > best:
            before, best = 0, first
        entered = text - _LATER_BLOCK
        steps.append((0, before, 2 if later >= entered else 1))
        text, later = best, max(later, entered) + _evidence_below_text(line)
        first += line.points
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


def _evidence_below_text(weighed: Weighed) -> float:
    """Return the evidence for a line in a block below text."""
    is_sure = (
        weighed.line.kind == "item"
        and weighed.points > _NO_FOOD
        and (weighed.line.unit != "" or not weighed.line.name[0].islower())
    )
    return weighed.points if is_sure else min(weighed.points, _SIDE)


def weigh(lines: Sequence[str], columns: Columns | None) -> Iterator[Weighed]:
    """Weigh the lines of a record below its fields; ``columns``: None if it has no indented columns."""
    after_text = after_blank = after_item = has_begun = False
    without_amount = 0  # ingredients so far; stays negative after the first ingredient with an amount
    before = ""
    open_brackets = 0
    stripped = [line.strip() for line in lines]
    for place, line in enumerate(stripped):
        if not line:
            after_blank, after_item = has_begun, False
            before, open_brackets = "", 0
            yield _BLANK
            continue
        has_begun = True
        if after_text and columns is None and is_text(line):
            after_item, before, open_brackets = False, line, 0
            yield _WIDE_TEXT
            continue
        heading = rule_heading(line)
        if heading is not None:
            before, open_brackets = "", 0
            yield Weighed(Line("rule", name=heading), _SIDE)
            continue
        read = (columns and columns.item(lines[place])) or read_line(line)
        fits = columns is not None and _fits(columns, lines[place], before, open_brackets)
        in_names = read.kind == "item" and fits and columns is not None and columns.has_name(lines[place])
        if columns and after_text and read.kind == "item" and before[-1:].isalpha() and has_open_end(before):
            read = Line("text", name=line)
        if (read.is_free_form and _is_open(before, open_brackets)) or (
            in_names and _is_open(before.removesuffix(" or"), open_brackets)
        ):
            read = Line("bare", name=line)  # such as "3 small)" below a line that ends in "(about"
        if read.kind in ("rule", "heading", "mark"):
            yield Weighed(read, _SIDE)
            continue
        width = _first_width(read.name) if read.kind == "item" else 0
        if read.kind == "item" and not after_item and len(line) > _FULL and width < len(read.name):
            read, points = Line("text", name=line), _RUNNING
        elif read.kind == "item" and (states_nutrients(read) or _names_nothing(read)):
            points = _NO_FOOD  # a nutrition fact, or an amount without a name
        elif read.kind == "item":
            width = width if after_item else len(read.name)
            points, open_brackets = _item_evidence(read, width, after_text, fits), 0
            without_amount = -len(lines)
        elif (open_brackets > 0 and len(line) <= NAME_WIDTH + 1) or line in PREPARED:
            # A remark goes on, or a word such as "removed" ends the line above.
            points = 1.0
        else:
            points = _evidence(read, before) - 2.0 * after_text - 1.5 * after_blank
            if stripped[place + 1 : place + 2] == [""]:
                closes = (
                    (without_amount > 1 or _SALT_TO_TASTE.match(line))
                    and not after_blank
                    and _directions_follow(stripped, place)
                )
                points -= 0.0 if closes else 2.5
            without_amount += points > 0
        if columns is not None and fits:
            points = max(points, _MIN_OTHER) + _IN_COLUMNS
        elif columns is not None and read.kind == "item":
            points += _AT_MARGIN * (len(lines[place]) - len(line) < columns.amount // 2)
        elif columns is not None and not columns.begins_in_units(lines[place]):
            read = Line("text", name=line) if points < 0 else read
            points += _OFF_COLUMNS
        after_text, after_item, before = points <= -4, read.kind == "item", line
        open_brackets = 0 if after_text else open_brackets + line.count("(") - line.count(")")
        yield Weighed(read, points)


def _first_width(name: str) -> int:
    """Return the width of an item's name up to the next ingredient in the line.

    It is the full width if there is none, or if the next ingredient is in a second column.
    """
    found = None if len(name) <= NAME_WIDTH or BESIDE.match(name) else RUN_IN.search(name)
    return found.start() if found else len(name)


def _names_nothing(item: Line) -> bool:
    """Return whether an amount has no food: "30 pounds (1 lug)"."""
    return (item.name[0] == "(" and _REMARK.fullmatch(item.name) is not None) or (
        not item.unit and MEASURE.fullmatch(item.name) is not None
    )


def _fits(columns: Columns, line: str, before: str, open_brackets: int) -> bool:
    """Return whether a line is in the columns; a continuation of the line before may begin in the column of units."""
    if columns.has(line):
        return True
    return columns.begins_in_units(line) and (line.lstrip().startswith("-") or _is_open(before, open_brackets))


def _is_open(before: str, open_brackets: int) -> bool:
    """Return whether the line before continues in this line, even if this line begins with an amount."""
    return open_brackets > 0 or has_open_end(before)


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
    """Return whether the next text begins directions, so that a line above it without amount may close the block."""
    following = next(filter(None, lines[place + 1 : place + 1 + _REACH]), "")
    return len(following) > NAME_WIDTH + 9 or (following != "" and _opens_directions(following))


def _item_evidence(read: Line, width: int, after_text: bool, fits: bool) -> float:
    if width > TEXT_WIDTH and not BESIDE.match(read.name) and not fits:
        return -4.0
    if read.name[0] == "=":
        return -4.0
    value = 5.0 if read.unit else 4.0
    if width > NAME_WIDTH + 1:
        value -= 2.0
    if read.name[0].islower() and not (read.unit and read.amount):
        value -= 2.0
    if after_text:
        value -= 2.0
    return value
