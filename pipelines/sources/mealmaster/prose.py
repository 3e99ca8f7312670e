"""Ingredients written as running text ("3 lbs beef 2 cans beans Cut beef into …"), the amounts as borders."""

from __future__ import annotations

import re

from pipelines.recipes.captions import names_part
from pipelines.recipes.commands import COMMAND, VERBS
from pipelines.recipes.ingredients import split_line
from pipelines.recipes.units import NUMBER, WORDS
from pipelines.recipes.wordlists import HEADINGS
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
    r"|degrees|cal(?:ories)?|makes?|grams|pro(?:t\w*)?|carb\w*|chol\w*|sod(?:ium)?|may|can be|replace|substitut\w*)\b)"
)


def ingredients_in_prose(paragraphs: list[str]) -> tuple[list[Ingredient], list[str]]:
    """Ingredients at the beginning of the directions and the directions without them; none where no list stands."""
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
    """Whether a paragraph is the heading of the list below it."""
    return _LABELLED.fullmatch(text) is not None or names_part(text)


def _is_order(label: str) -> bool:
    """Whether the text below a label is its object: "Mix together"."""
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
    """Whether what looks like a command is an item of a list: "1 cup Cream", "Pinch nutmeg"."""
    return text.startswith("Pinch", command.end()) or _BARE.search(text[: command.start()]) is not None
