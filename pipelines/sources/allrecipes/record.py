"""Parse a record of allrecipes.com, a JSON object, into a recipe and its text with pointers into the ingredients.

A record is an object with ``title``, ``ingredients``, ``directions`` (or ``instructions``) and optional ``url`` and
``tags``. Texts are lists of strings, or one string of several lines.
"""

from __future__ import annotations

import hashlib
import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html.entities import html5

from allsaid.console import counted
from allsaid.language.characters import comparable
from allsaid.language.code_pages import without_c1
from allsaid.language.text import CHARACTERS, normalize, tokenize, tokenize_steps
from pipelines.linking.splits import content_hash, content_letters
from pipelines.recipes.copying import point
from pipelines.recipes.ingredients import split_line
from pipelines.recipes.yields import with_notes
from pipelines.source import RecordFault
from schemas.copy import MAX_INGREDIENT_TOKENS, MAX_TOKENS, MIN_TOKENS, CopyExample
from schemas.recipe import Ingredient, Recipe

MAX_WORD = 100  # characters; the tokeniser's time is quadratic in the length of a word

# Characters that need cleaning: HTML, control characters, halves of surrogate pairs.
_ODD = re.compile("[&<\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]\w{1,30});")
_BREAK = re.compile(r"<(?:br|/?p|/?div|/?li|/?[ou]l|/?h\d)\b[^<>]*>", re.IGNORECASE)
_TAG = re.compile(r"</?(?:a|b|i|u|em|strong|span|font|su[bp]|small|img)\b[^<>]*>", re.IGNORECASE)
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_MARKS = {ord(mark): None for mark in "®™©℠"}
_BUTTON = "Watch Now"  # the caption of a video's button, scraped with the text


@dataclass(frozen=True)
class Parsed:
    """A record before its length is checked."""

    recipe: Recipe
    url: str
    lines: list[str]  # L ingredients as written
    groups: list[str]  # L headers: the one above each ingredient, "" for none
    headers: int  # number of group headers


def parse(value: object, file: str, offset: int) -> Parsed:
    """Return the recipe in a JSON value; raise RecordFault for any fault of the value."""
    if not isinstance(value, dict):
        raise RecordFault("not_an_object", "The record is not an object with named fields.")
    title = " ".join(_string(value, "title").split())
    if not any(map(str.isalnum, title)):
        raise RecordFault("no_title", "The record's title is missing or empty.")
    lines, groups, headers = ingredients_of(value)
    if not lines:
        raise RecordFault("no_ingredients", "The record lists no ingredient.")
    steps = _strings(value, "directions" if value.get("directions") else "instructions")
    if not any(map(str.isalpha, "".join(steps))):
        raise RecordFault("no_directions", "The record has no direction with a letter.")
    recipe = Recipe(
        id=_identity(title, groups, lines, steps),
        title=title,
        categories=_strings(value, "tags"),
        recipe_yield=with_notes("", steps),
        ingredients=[
            Ingredient(*_parts(line), header.removesuffix(":")) for line, header in zip(lines, groups, strict=True)
        ],
        steps=steps,
        file=file,
        offset=offset,
        encoding="utf-8",
    )
    return Parsed(recipe, _string(value, "url"), lines, groups, headers)


def ingredients_of(value: Mapping[str, object]) -> tuple[list[str], list[str], int]:
    """Return what :func:`group` returns for a record; raise RecordFault if its ingredients are not strings."""
    return group(_strings(value, "ingredients"))


def group(lines: Sequence[str]) -> tuple[list[str], list[str], int]:
    """Return the ingredients, the group header above each ("" for none), and the number of headers.

    Headers end with a colon. Adjacent headers are joined. A header at the end of the list is an ingredient as well,
    since nothing follows it ("6 pint-sized canning jars with rings and lids:").
    """
    ingredients: list[str] = []
    groups: list[str] = []
    header = new_header = ""  # of the ingredients above, and of those that follow
    headers = 0
    for line in lines:
        if line.endswith(":"):
            headers += 1
            new_header = f"{new_header} {line}".lstrip()
            continue
        if new_header:
            header, new_header = new_header, ""
        ingredients.append(line)
        groups.append(header)
    if new_header and ingredients:
        ingredients.append(new_header)
        groups.append(header)
    return ingredients, groups, headers


def with_pointers(parsed: Parsed) -> CopyExample:
    """Return the recipe as tokens, each with its place in the ingredients.

    Raises RecordFault if the text (Yang et al. 2016, section 4) or the list of ingredients has a wrong length.
    """
    recipe = parsed.recipe
    steps = [step for step in map(_normalized, recipe.steps) if step]
    tokens = [token.lower() for token in tokenize_steps(steps)]
    if len(tokens) < MIN_TOKENS:
        raise RecordFault(
            "too_few_tokens", f"{counted(len(tokens), 'token')} in the directions; at least {MIN_TOKENS} are needed."
        )
    if len(tokens) > MAX_TOKENS:
        raise RecordFault(
            "too_many_tokens", f"{len(tokens)} tokens in the directions; at most {MAX_TOKENS} are allowed."
        )
    ingredient_tokens = [list(line_tokens(line)) for line in parsed.lines]
    if (total := sum(map(len, ingredient_tokens))) > MAX_INGREDIENT_TOKENS:
        detail = f"{total:,} tokens in the ingredients; at most {MAX_INGREDIENT_TOKENS:,} are allowed."
        raise RecordFault("too_many_ingredient_tokens", detail)
    copy_items, copy_tokens = point(ingredient_tokens, tokens)
    return CopyExample(
        id=recipe.id,
        content_hash=content_hash(content_letters(steps)),
        title=recipe.title,
        url=parsed.url,
        ingredients=parsed.lines,
        groups=parsed.groups,
        ingredient_tokens=ingredient_tokens,
        text="\n".join(steps),
        tokens=tokens,
        copy_items=copy_items,
        copy_tokens=copy_tokens,
        file=recipe.file,
        offset=recipe.offset,
    )


@lru_cache(maxsize=1 << 14)  # many recipes have "1 teaspoon salt"
def line_tokens(line: str) -> tuple[str, ...]:
    """Return the lower-case tokens of an ingredient line; raise RecordFault for a word that is too long."""
    return tuple(token.lower() for token in tokenize(_normalized(line)))


@lru_cache(maxsize=1 << 14)
def _parts(line: str) -> tuple[str, str, str]:
    return split_line(line if line.isascii() else comparable(line).translate(CHARACTERS))


def _normalized(text: str) -> str:
    text = normalize(text if text.isascii() else text.translate(_MARKS))
    if len(text) > MAX_WORD and max(map(len, text.split())) > MAX_WORD:
        raise RecordFault("too_long_word", f"A word is longer than {MAX_WORD} characters.")
    return text


def _string(value: Mapping[str, object], name: str) -> str:
    text = value.get(name)
    if text is None:
        return ""
    if not isinstance(text, str):
        raise RecordFault("wrong_type", f"Field '{name}' is not a string.")
    return _plain(text).strip()


def _strings(value: Mapping[str, object], name: str) -> list[str]:
    """Return the non-empty paragraphs of a field: the strings of a list, or the lines of one string."""
    texts = value.get(name)
    if texts is None:
        return []
    if isinstance(texts, str):
        return _lines(texts)
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise RecordFault("wrong_type", f"Field '{name}' is neither a list of strings nor a string.")
    return [paragraph for text in texts if (paragraph := " ".join(_lines(text)))]


def _lines(text: str) -> list[str]:
    lines = (line.strip() for line in _plain(text).splitlines())
    return [line for line in lines if line and line != _BUTTON]


def _plain(text: str) -> str:
    """Return a text without HTML, control characters and halves of surrogate pairs."""
    if not _ODD.search(text):
        return text
    text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    text = _TAG.sub("", _BREAK.sub("\n", text))
    text = _ENTITY.sub(_character, text)
    return without_c1(_CONTROL.sub(" ", text))


def _character(entity: re.Match[str]) -> str:
    """Return the character of an entity; ``html.unescape`` alone would turn "&notable;" into "¬able;"."""
    return html.unescape(entity[0]) if entity[0][1] == "#" else html5.get(entity[0][1:], entity[0])


def _identity(title: str, groups: list[str], lines: list[str], steps: list[str]) -> str:
    parts = "\x1f".join((title, *groups, "", *lines, "", *steps))
    return hashlib.blake2b(parts.encode(), digest_size=8).hexdigest()
