"""Ingredients in directions: running text ("3 lbs beef 2 cans beans Cut beef into …"), and names above them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipelines.recipes.captions import names_part
from pipelines.recipes.commands import COMMAND, VERBS
from pipelines.recipes.credits import CREDIT
from pipelines.recipes.ingredients import split_line
from pipelines.recipes.signatures import is_signature
from pipelines.recipes.units import NUMBER, WORDS
from pipelines.recipes.wordlists import (
    ADJECTIVES,
    BODY_PARTS,
    HEADINGS,
    MODIFIERS,
    OPENERS,
    PREPARED,
    PREPARED_AFTER,
    STANDALONE,
    TRAILING,
)
from pipelines.recipes.yields import is_yield
from pipelines.sources.mealmaster.lines import NAME_WIDTH, Line, has_open_end, read_line
from schemas.recipe import Ingredient

MIN_ITEMS = 3  # fewer amounts in a row are a sentence, not a list
_MAX_LENGTH = 100  # characters of one item
_REACH = 4  # paragraphs in which a list may begin
_UNITS = "|".join(sorted(WORDS | {"T", "C", "lge", "med"}, key=len, reverse=True))
_LABEL = re.compile(r"(?:(?:the )?ingredients? ?(?:list)?[:.]* *)?[-*(]?(?=[\d.])(?!\d+\. )", re.IGNORECASE)
_BORDER = re.compile(
    r"(?<![(/\d-])(?<!\bor)(?<!\bto)(?<!\bof)(?<!\babout)[,.;:]?\s+"
    rf"(?={NUMBER}(?: ?- ?{NUMBER})? *(?:\(|(?i:{_UNITS})\b|[A-Za-z]))"
)
_CONTINUED = re.compile(r" -(?=[a-z])")  # the dash of a continuation
_COMMAND = re.compile(rf"(?<=\S)\s+(?={COMMAND}|1[.)] ?[A-Z])")
_LABELLED = re.compile(r"([A-Z][A-Za-z' -]{2,30}):(?: +|$)")
_LIST = re.compile(r"(?!\d+ ?[.):])[.\d]")
_BELOW = re.compile(rf"(?<!\bplus)(?<!\bwith)(?<!\band)(?<!\binto)(?:{_BORDER.pattern})|\s+(?=Salt\b)")
_MEASURE = rf"{NUMBER}(?: ?- ?{NUMBER})? *(?i:{_UNITS})\b"
_MEASURED = re.compile(_MEASURE)
_BARE = re.compile(rf"{_MEASURE}\.?$")
_NO_LIST = re.compile(  # sentences, times, nutrients
    r"[^.]{4}[.!?:](?: [A-Z\d]|$)|=|(?i:\b(?:note|min(?:ute)?s?|hours?|days?|until|add|yields?|per|total|servings?"
    r"|should|degrees|cal(?:ories)?|makes?|grams|pro(?:t\w*)?|carb\w*|chol\w*|sod(?:ium)?|may|can be"
    r"|replace|substitut\w*)\b)"
)
_ELSEWHERE = re.compile(r"(?:see )?(?:recipes? )?(?:below|follows?)", re.IGNORECASE)
_UNCOUNTED = re.compile(r"[^\W\d_][^\d]*[^\d.:!?;]")
_SEASONED = re.compile(r"(?i:(?:a |few )*(?:drops|dash|pinch) of|salt(?: and|,)|pepper(?: and|,)) [^\d.:;!?]{3,44}")
_SMALL = re.compile(r"[a-z](?!.*\d{4})[^.:!?]{2,43}")  # no sentence
_GOING_ON = PREPARED | ADJECTIVES | MODIFIERS | {"and", "or", "with", "of", "for", "in", "to", "from"}
_FORMS = PREPARED_AFTER | TRAILING | BODY_PARTS | {"dipping"}  # words that say in which form a food is used
_WRAPPED, _WIDEST_NAME = 3, 40  # lines of a paragraph with wrapped names, and characters of one with its remark
_ORDER = re.compile(rf"(?!\w+ (?:or|and) ){COMMAND}")  # no "Toast or crackers"
_REMARK = re.compile(r"\(.*")
_LETTERS = re.compile(r"[A-Za-z]{3,}")


def ingredients_in_prose(paragraphs: list[str]) -> tuple[list[Ingredient], list[str]]:
    """Return the ingredients listed at the beginning of the directions, if any, and the directions without them."""
    start = next((place for place, text in enumerate(paragraphs[:_REACH]) if _LABEL.match(text)), -1)
    if start < 0:
        return [], paragraphs
    pieces: list[str] = []
    for end in range(start, len(paragraphs)):
        paragraph = paragraphs[end]
        label = _LABEL.match(paragraph)
        if label is None:
            break
        command = _COMMAND.search(paragraph)
        here = _BORDER.split(paragraph[label.end() : command.start() if command else None])
        if max(map(len, here)) > _MAX_LENGTH:
            break
        pieces += here
        if any("=" in piece for piece in here):  # a table of measures
            return [], paragraphs
        if command:
            paragraphs = [*paragraphs[:end], paragraph[command.end() :], *paragraphs[end + 1 :]]
            break
    else:
        end = len(paragraphs)
    items = [Ingredient(*split_line(_CONTINUED.sub(" ", piece).strip(" .,;")), "") for piece in pieces]
    items = [item for item in items if item.amount and any(map(str.isalpha, item.name))]
    if len(items) < max(MIN_ITEMS, 0.8 * len(pieces)):
        return [], paragraphs
    return items, paragraphs[:start] + paragraphs[end:]


def ingredients_below(paragraphs: list[str]) -> tuple[list[Ingredient], list[str]]:
    """Return the ingredients that directions list ("Icing: 1 cup sugar 2 tb milk"), and the directions without them."""
    items: list[Ingredient] = []
    rest: list[str] = []
    heading = ""  # of a list, for the directions below it
    for text in paragraphs:
        label = _LABELLED.match(text)
        listed, below = _listed(text[label.end() :] if label else text)
        above = rest[-1] if listed and not label and rest and _heads(rest[-1]) else ""
        section = label[1] if label else above.rstrip(":")
        if listed and not _is_order(section):
            del rest[len(rest) - bool(above) :]
            section = "" if section.lower().startswith("ingredients") else section
            heading = f"{section}: " if section else ""
            items += [Ingredient(*split_line(piece.strip(" .,;")), section) for piece in listed]
            text = below
        if text:
            rest.append(text if heading and (_LABELLED.match(text) or _heads(text)) else heading + text)
            heading = ""
    return items, rest


def _heads(text: str) -> bool:
    """Return whether a paragraph is the heading of the list below it."""
    return _LABELLED.fullmatch(text) is not None or names_part(text)


def _is_order(label: str) -> bool:
    """Return whether the text below a label is its object: "Mix together"."""
    words = label.split()
    return words != [] and words[0] in VERBS and words[-1].lower() not in HEADINGS


def _listed(text: str) -> tuple[list[str], str]:
    """Return the items that a text begins with, and its rest from the first command on."""
    if not _LIST.match(text):
        return [], text
    commands = (found for found in _COMMAND.finditer(text) if not _is_item(text, found))
    command = next(commands, None)
    listed = text[: command.start()] if command else text
    pieces = _BELOW.split(listed)
    measured = sum(_MEASURED.match(piece) is not None for piece in pieces)
    if measured < 2 or max(map(len, pieces)) > _MAX_LENGTH or _NO_LIST.search(listed):
        return [], text
    whole: list[str] = []
    for piece in pieces:
        if whole and (_BARE.match(whole[-1]) or whole[-1].count("(") > whole[-1].count(")")):  # 1 tsp | Salt
            whole[-1] += f" {piece}"
        else:
            whole.append(piece)
    return whole, text[command.end() :] if command else ""


def _is_item(text: str, command: re.Match[str]) -> bool:
    """Return whether an apparent command is an item of a list: "1 cup Cream", "Pinch nutmeg"."""
    return text.startswith("Pinch", command.end()) or _BARE.search(text[: command.start()]) is not None


def with_foods_below(block: list[Line], directions: list[str], title: str) -> tuple[list[Line], list[str]]:
    """Return both with the paragraph above the directions in the block if it only names foods: "Applesauce"."""
    place = 0
    while place < len(directions) and (not directions[place].strip() or CREDIT.match(directions[place].strip())):
        place += 1
    end = next((end for end in range(place, len(directions)) if not directions[end].strip()), len(directions))
    foods = [line.strip() for line in directions[place:end]]
    if len(foods) == 1 and _SEASONED.fullmatch(foods[0]) and block:
        return [*block, Line("rule"), read_line(foods[0])], directions[:place] + directions[end:]
    has_items = any(line.kind == "item" for line in block)
    is_next = not any(map(str.strip, directions[:place])) and any(map(str.strip, directions[end:]))
    if len(foods) == 1 and has_items and is_next and _is_below(foods[0].lstrip("~-")):
        below = read_line(foods[0])
        if (
            foods[0][0] not in "-~"
            and foods[0].split()[0] not in PREPARED - STANDALONE
            and not has_open_end(block[-1].name.rstrip(","))
        ):
            below = below._replace(kind="item")  # of its own
        return [*block, below], directions[:place] + directions[end:]
    is_wrapped = foods != [] and max(map(len, foods)) > NAME_WIDTH
    if not foods or foods[-1][-1] in ".!:" or (is_wrapped and len(foods) > _WRAPPED):  # as most
        return block, directions
    names = _names([" ".join(foods)] if is_wrapped else foods)
    if not has_items or max(map(len, names)) > _WIDEST_NAME:
        return block, directions
    if len(foods) == 1 and foods[0].isupper() and not any(line.name.isupper() for line in block if line.kind == "item"):
        return block, directions  # a heading
    is_small = any(line.name[:1].islower() for line in block if line.kind == "item")
    text = "".join("".join(directions[end:]).lower().split())
    known = " ".join([title, *(line.name for line in block)]).lower()
    is_known = all(
        word in known or word in _GOING_ON for word in _LETTERS.findall(_REMARK.sub("", " ".join(foods)).lower())
    )
    if not text or not all((is_small or one[0].isupper()) and _is_food(one, text, is_known) for one in names):
        return block, directions
    below_block = [read_line(name)._replace(kind="item") for name in names]
    return [*block, *below_block], directions[:place] + directions[end:]


def _names(lines: Sequence[str]) -> list[str]:
    """Return the names in lines, of which one begins with a capital below a word in small letters or a remark."""
    names: list[str] = []
    for line in lines:
        before = ""
        for word in line.split():
            ended = before[-1:] == ")" or (before.islower() and before not in _GOING_ON)
            if before and not (ended and word[0].isupper()):
                names[-1] += f" {word}"
            else:
                names.append(word)
            before = word
    return names


def _is_below(line: str) -> bool:
    """Return whether a paragraph continues the block: in lower case, and not a sentence: "cut into strips"."""
    first = line.split(" ", 1)[0].strip(",;")
    is_work = (first in OPENERS or first.capitalize() in VERBS) and first not in PREPARED
    is_other = is_work or is_yield(line) or is_signature(line) or CREDIT.match(line)
    return _SMALL.fullmatch(line) is not None and not is_other


def _is_food(line: str, text: str, is_known: bool) -> bool:
    """Return whether a line names a food that the directions, a ``text`` without blanks, use or have the recipe of.

    ``is_known``: whether the title or the block has all its words.
    """
    if not _UNCOUNTED.fullmatch(line) or _ORDER.match(line) or is_signature(line):
        return False
    name, _, remark = line.partition("(")
    words = _LETTERS.findall(name.lower())
    if read_line(line).kind != "bare" or not words or len(name) > NAME_WIDTH:
        return False
    if _ELSEWHERE.match(remark):
        return True
    if words[-1] in HEADINGS or is_known:
        return False
    naming = [word for word in words if word not in _FORMS] or words
    return all(word[:-1] in text for word in naming)  # in any number
