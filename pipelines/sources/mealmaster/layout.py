"""Lines of a Meal-Master record -> title, ingredients, paragraphs of directions.

An export has columns, and in two-column blocks a second set of columns. Continuation lines begin with a dash in the
name column, or have only a name. An earlier tool flattened the files of the recipe library: it removed indentation, and
wrote the right column before the left one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pipelines.recipes.commands import VERBS, is_command
from pipelines.recipes.wordlists import (
    HEADINGS,
)
from pipelines.recipes.yields import with_notes
from pipelines.sources.mealmaster.columns import find_columns, unmarked
from pipelines.sources.mealmaster.continuations import is_seasoning
from pipelines.sources.mealmaster.evidence import Weighed, in_block, weigh
from pipelines.sources.mealmaster.fields import read_fields
from pipelines.sources.mealmaster.forms import after_label, has_no_ingredient, is_placeholder
from pipelines.sources.mealmaster.join import join_lines
from pipelines.sources.mealmaster.lines import BESIDE, NAME_WIDTH, RUN_IN, Line, read_line, rule_heading
from pipelines.sources.mealmaster.prose import ingredients_below, ingredients_in_prose, with_foods_below
from schemas.recipe import Ingredient

_CUT_BEFORE_BLANK = re.compile(r" +-  \S")  # of names cut at a width of theirs, each after "- ": the rest is as it was
_CUT_IN_WORD = re.compile(r" +- \S")
_CAPITALS = "|".join(sorted(word for word in VERBS if word.isupper()))
_COMMAND = re.compile(rf"(?:{_CAPITALS}) +(?:[A-Z]{{2,}} +){{2}}")  # FOLD INTO THE MIXTURE
_BREAK = re.compile(r"\s*:(?!-?[()])")  # no smiley
_WORD = re.compile(r"[A-Za-z]{3,}")
_THINGS = {"supplies", "equipment", "materials", "utensils", "loaf"}  # no books
_FIRST_WORDS = {"for", "note", "note:", "all", *map(str.lower, VERBS)}  # of headings that instruct a cook
_ORDERING = {"must", "should", "overnight", "optional"}
_FUNCTION = {"from", "with", "and", "the", "for"}
_HYPHENED = re.compile(r"[^\W\d_]{2}-$|\d-$")
_HYPHENATED = re.compile(r"(?!(?:and|or|to)\b)[a-z]")
_NUMBER = re.compile(r"[ \t]*\d{1,2}\)[ \t]*$")  # of a step
_SHORT = 9  # characters of a line that may be such a number
_PARTED = re.compile("[(,;]")
_MARKED = 8  # times the title's characters that it has with marks around it, at most
_IN_SENTENCE = re.compile(r"[^(]*[^.!?:)(\s]\s*$")
_LABEL_END = re.compile(r"\b(?:Recipe By|From|Source) *$", re.IGNORECASE)


@dataclass
class Layout:
    """The parts of a record."""

    title: str
    categories: list[str]
    recipe_yield: str
    ingredients: list[Ingredient]
    steps: list[str]


def lay_out(lines: Sequence[str]) -> Layout:
    """Read the fields, separate ingredients from directions, and join the lines of each."""
    fields = read_fields(lines)
    block, directions = with_foods_below(*split_body(fields.body, fields.title), fields.title)
    items = join_lines(block, directions)
    ingredients = [item for item in items if not _is_step(item)]
    steps = [item.name for item in items if _is_step(item)] + _paragraphs([*fields.notes, "", *directions])
    if len(steps) > 1 and len(steps[0]) <= _MARKED * len(fields.title) and _letters(steps[0]) == _letters(fields.title):
        del steps[0]
    if not ingredients:
        ingredients, steps = ingredients_in_prose(steps)
    ingredients = _without_origin(ingredients, [fields.title, *steps])
    listed, steps = ingredients_below(steps)
    ingredients += listed
    labels = [
        line.name
        for line in block
        if line.kind in ("rule", "heading") or (line.kind != "item" and has_no_ingredient(line))
    ]
    recipe_yield = with_notes(fields.recipe_yield, [*labels, *steps])
    return Layout(fields.title, fields.categories, recipe_yield, ingredients, steps)


def _without_origin(ingredients: list[Ingredient], texts: Sequence[str]) -> list[Ingredient]:
    """Return the ingredients without the heading of them all if nothing else in the record has a word of it.

    A heading like this names a book or a magazine.
    """
    headings = {item.section for item in ingredients}
    heading = headings.pop() if len(headings) == 1 else ""
    words = heading.lower().split()
    if (
        not heading.isupper()
        or any(map(str.isdigit, heading))
        or words[0] in _FIRST_WORDS
        or not _ORDERING.isdisjoint(words)
        or words[-1] in HEADINGS | _THINGS
    ):
        return ingredients
    known = " ".join([*texts, *(item.name for item in ingredients)]).lower()
    naming = [word for word in _WORD.findall(heading.lower()) if word not in _FUNCTION]
    if 3 * sum(word[:-1] in known for word in naming) > len(naming):  # in any number
        return ingredients
    return [replace(item, section="") for item in ingredients]


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))


def _is_step(item: Ingredient) -> bool:
    """Return whether an ingredient is a direction that was typed into the block."""
    return item.unit in ("", "ea") and is_command(item.name)


def split_body(body: Sequence[str], title: str = "") -> tuple[list[Line], list[str]]:
    """Return the lines of ingredients, the left column of each block before its right one, and all other lines."""
    columns = find_columns(body)
    halves = [columns.split(line) if columns else (line, "") for line in unmarked(body, columns)]
    weighed = list(weigh([left if left.strip() else right for left, right in halves], columns))
    breaks_words = any("-  " in left and _CUT_BEFORE_BLANK.match(left) for left, _ in halves)
    block: list[Line] = []
    right: list[Line] = []
    directions: list[str] = []
    classes = _without_labels(in_block(weighed), weighed, columns is not None and columns.right > 0)
    for line, one, is_ingredient, (left, beyond) in zip(body, weighed, classes, halves, strict=True):
        if not is_ingredient or one.line.kind in ("rule", "heading"):
            block += right
            right = []
        if not is_ingredient or one.line.kind == "text":
            directions.append(line)
        elif rest := after_label(one.line.name):
            directions.append(rest)
        elif one.line.kind != "blank":
            read = one.line
            if breaks_words and _CUT_IN_WORD.match(left):
                read = read._replace(is_broken=True)
            first, *more = _columns_of(read)
            (block if left.strip() else right).append(first)
            (right if columns and columns.right and BESIDE.match(read.name) else block).extend(more)
            if left.strip() and beyond:
                right.append(read_line(beyond.strip()))
    block += right
    if columns and block[:1] and block[0].kind == "dash" and any(line.kind == "item" for line in block):
        block[0] = block[0]._replace(kind="bare")  # there is nothing that it could carry on
    alone = [line for line in block if line.kind not in ("rule", "heading")]
    if len(alone) == 1 and alone[0].kind == "bare" and _is_remark(alone[0], title, directions):
        return [], [part for line in body for part in ([line, ""] if line.strip() == alone[0].name else [line])]
    return block, directions


def _is_remark(line: Line, title: str, directions: Sequence[str]) -> bool:
    """Return whether a block's only line, which has no amount, is a remark.

    It is one if the directions have the list, or if neither they nor the title have what it names.
    """
    if is_placeholder(line.name) or has_no_ingredient(line) or is_seasoning(line):
        return False
    if ingredients_in_prose(_paragraphs(directions))[0]:
        return True
    last = _WORD.findall(_PARTED.split(line.name.lower())[0])[-1:]  # what it names: "Canned or fresh leeks"
    texts = directions if " " in line.name else [title, *directions]  # words of the title mostly repeat it
    return last == [] or _stem(last[0]) not in " ".join(texts).lower()


def _stem(word: str) -> str:
    """Return the letters of a word that it has in any number."""
    return word[:-3] if word.endswith("ies") else word[:-1]


def _without_labels(classes: list[bool], weighed: Sequence[Weighed], has_right: bool) -> list[bool]:
    """Return the classes, in which rules and lines that head directions ("To serve:") count as directions.

    ``has_right``: whether a line like these may head the right column.
    """
    for place in reversed(range(len(classes) - 1)):
        if not classes[place] or classes[place + 1]:
            continue
        line = weighed[place].line
        if line.kind in ("rule", "blank") or (line.kind == "bare" and line.name.endswith(":") and not has_right):
            classes[place] = False
    return classes


def _columns_of(line: Line) -> list[Line]:
    """Split a line with two ingredients next to each other in two."""
    found = BESIDE.match(line.name) if "   " in line.name else None
    if found:
        return [line._replace(name=found[1]), *_columns_of(read_line(found[2]))]
    found = RUN_IN.search(line.name) if line.kind == "item" and len(line.name) > NAME_WIDTH else None
    if found and not _in_remark(line.name[: found.start()]):
        return [line._replace(name=line.name[: found.start()]), *_columns_of(read_line(line.name[found.end() :]))]
    return [line]


def _in_remark(text: str) -> bool:
    """Return whether a bracket is open at the end of a text."""
    return sum(map(text.count, "([")) > sum(map(text.count, ")]"))


def _paragraphs(lines: Sequence[str]) -> list[str]:
    """Return the paragraphs of the directions, with single blanks between lines; blank lines, rules and breaks end one.

    A line that begins with a colon was broken by its author; Meal-Master wraps all other lines.
    """
    paragraphs: list[str] = []
    current: list[str] = []
    for line in [*_labelled(lines), ""]:
        broken = _BREAK.match(line) is not None and not _LABEL_END.search(" ".join(current[-2:]))
        text = line.strip(": ") if broken else line.strip()
        if broken and not text:
            continue
        heading = rule_heading(line)
        ended = not text or text == "." or heading is not None
        if current and (ended or (broken and not text[0].islower())):  # a sentence may go on behind the colon
            paragraphs.append(" ".join(current))
            current = []
        if not ended:
            words = text.split()
            is_cut = current and current[-1][-1] == "-" and _HYPHENED.search(current[-1])
            if is_cut and _HYPHENATED.match(text):  # medium- | high
                words[0] = _rejoined(current.pop(), words[0], lines)
            current += words
        elif heading and _COMMAND.match(heading):
            paragraphs.append(heading)
    return paragraphs


def _rejoined(first: str, second: str, lines: Sequence[str]) -> str:
    """Return the word that a line's end cut at a hyphen, without the hyphen if other lines write it without."""
    whole = f"{first[:-1]}{second.rstrip('.,;:')}"  # mix- | ture
    is_one = any(whole in line for line in lines) and not first[-2].isdigit()
    return f"{first[:-1] if is_one else first}{second}"


def _labelled(lines: Sequence[str]) -> list[str]:
    """Return the lines with a label's text after it, also if the right column came first: ": Ada", "Recipe By".

    The number of a step, alone below the first line of its sentence, goes above it.
    """
    ordered = list(lines)
    for place, (line, following) in enumerate(pairwise(lines)):
        is_label = line.lstrip().startswith(":") and following.strip().lower() == "recipe by"
        if is_label or (len(following) < _SHORT and _NUMBER.match(following) and _IN_SENTENCE.match(line)):
            ordered[place : place + 2] = [following, line]
    return ordered
