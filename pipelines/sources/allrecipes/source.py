"""Recipes of allrecipes.com as JSON: objects -> recipes with the pointers from their text into the ingredients.

Yang et al. 2016, sections 2.2 and 4. A record is an object with ``title``, ``ingredients``, ``directions`` (or
``instructions``) and, where given, ``url`` and ``tags``; a text may be a list of strings or one string of many lines.
"""

from __future__ import annotations

import hashlib
import html
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html.entities import html5
from typing import Any, BinaryIO, ClassVar

from allsaid.console import counted
from allsaid.language.code_pages import without_c1
from allsaid.language.text import CHARACTERS, normalize, tokenize, tokenize_steps
from allsaid.settings import number
from allsaid.storage.json_stream import MAX_VALUE, Element, Values
from allsaid.storage.streams import head_of, open_dump, with_content
from pipelines.linking.phrases import Pass
from pipelines.linking.splits import content_hash, split_of
from pipelines.recipes.copying import point
from pipelines.recipes.examples import goal_words
from pipelines.recipes.ingredients import split_line
from pipelines.recipes.steps import content_letters
from pipelines.source import (
    BY_HASH,
    FILES_ALONE,
    Alike,
    Handling,
    Kept,
    Lost,
    RecordFault,
    Result,
    Shard,
    Source,
    Steps,
    hold,
    release,
    shards_of,
)
from pipelines.sources.cuts import SHARD_BYTES, cut
from schemas.copy import MAX_INGREDIENT_TOKENS, MAX_TOKENS, MIN_TOKENS, NO_COPY, CopyExample
from schemas.errors import UserError
from schemas.recipe import Ingredient, Recipe
from schemas.runs.rejected import Rejected
from schemas.runs.waiting import Waiting

PEEK = 1 << 16  # bytes in which a dump must show an object
MAX_WORD = 100  # characters; the tokeniser's time grows with a word's square

_LOOKS_LIKE_JSON = re.compile(rb"^(?:\xef\xbb\xbf)?[\s\[]*\{\s*[\"}]|^\s*\[\s*\]", re.MULTILINE)
# What a text may hold beside text: HTML, control characters, halves of surrogate pairs.
_ODD = re.compile("[&<\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]\w{1,30});")
_BREAK = re.compile(r"<(?:br|/?p|/?div|/?li|/?[ou]l|/?h\d)\b[^<>]*>", re.IGNORECASE)
_TAG = re.compile(r"</?(?:a|b|i|u|em|strong|span|font|su[bp]|small|img)\b[^<>]*>", re.IGNORECASE)
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_MARKS = {ord(mark): None for mark in "®™©℠"}
_PAGE_FURNITURE = "Watch Now"  # the caption of a video's button, caught with the text


@dataclass(frozen=True)
class Settings:
    dev_share: float = number(0.1, 0, 0.5)
    test_share: float = number(0.1, 0, 0.5)
    duplicates: bool = False  # of recipes with the same letters and digits in their directions only one is kept
    guard: bool = False  # training recipes go whose title has the words of one of dev or test, or three of them
    shard_bytes: int = number(SHARD_BYTES, 1)  # of a plain file of JSON lines, about what one process reads at a time


@dataclass(frozen=True)
class Parsed:
    """A record before the paper's filter."""

    recipe: Recipe
    url: str
    lines: list[str]  # L ingredients as written
    groups: list[str]  # L: the header above each, "" for none
    headers: int  # group headers in all


class AllRecipes(Source):
    """Read recipes from allrecipes' JSON.

    Their texts copy words of the ingredients.

    Example: allsaid ingest allrecipes --input 'allrecipes-*.jsonl.gz' --output data
    """

    borders = ("copies", "records")
    alike = Alike(duplicate="same_directions", title="same_title")
    handling = Handling(
        "HTML entities and fractions are made uniform, and headers of ingredient groups are told from ingredients. "
        "Recipes under 10 or over 500 tokens are left out, as in Yang et al. 2017. Each token of a recipe tells the "
        "ingredient token that it copies, or none. Where the settings say so, duplicates are left out, and training "
        "recipes that look like one of dev or test.",
        BY_HASH,
    )
    settings = Settings
    options: ClassVar = {
        "shard_bytes": "About how many bytes of a plain file one process reads at a time.",
    }

    def plan(self, paths: Sequence[str], settings: Settings) -> list[Shard]:
        """The shards of the files; raises UserError where the first ones hold no object."""
        paths = with_content(paths)
        if not any(map(_shows_an_object, paths[:FILES_ALONE])):
            raise UserError(
                f"{paths[0]} holds no recipes as JSON: nothing in its beginning is an object. "
                "Give JSON lines, a JSON array or a folder of JSON files, plain or compressed, as --input."
            )
        if len(paths) > FILES_ALONE:
            return shards_of(paths)
        return [shard for path in paths for shard in cut(path, settings.shard_bytes, _borders)]

    def read(self, shard: Shard, settings: Settings) -> Iterator[Result]:
        """Every record of the shard's files, in their order."""
        for path in shard.files:
            dump, stream = open_dump(path, shard.first, shard.last)
            with stream:
                values = Values(stream, shard.first)
                for element in values:
                    yield _result(element, path, settings, self.steps(settings) is not None)
            if dump.loss:
                yield Lost(dump.loss)
            elif values.unclosed:
                yield Lost(f"{path} ends before its JSON array does; the records after its end, if any, are lost.")

    def steps(self, settings: Settings) -> Steps | None:
        if not (settings.duplicates or settings.guard):
            return None
        return Steps(settings.dev_share, settings.test_share, settings.duplicates, settings.guard)

    def finish(self, waiting: Waiting, split: str, phrases: Sequence[Pass]) -> Kept:
        return release(waiting, split)


def _borders(stream: BinaryIO) -> Iterator[int]:
    """Of JSON lines; not soon behind a broken one, of which more is read than its line."""
    values, begin = Values(stream), 1
    for element in values:
        if element.offset >= begin and values.may_be_cut:
            yield element.offset
        if element.fault:
            begin = element.offset + MAX_VALUE


def _shows_an_object(path: str) -> bool:
    return _LOOKS_LIKE_JSON.search(head_of(path, PEEK)[0]) is not None


def _result(element: Element, path: str, settings: Settings, waits: bool) -> Result:
    if element.fault:
        return Rejected("read", element.fault, element.detail, "", path, element.offset, element.head)
    try:
        parsed = parse(element.value, path, element.offset)
    except RecordFault as fault:
        return Rejected("read", fault.reason, fault.detail, "", path, element.offset, element.head)
    try:
        copied = with_pointers(parsed)
    except RecordFault as fault:
        return Rejected("clean", fault.reason, fault.detail, parsed.recipe.id, path, element.offset, element.head)
    kept = Kept(
        split_of(copied.content_hash, settings.dev_share, settings.test_share),
        {"copies": [copied], "records": [parsed.recipe]},
        figures={
            "tokens": len(copied.tokens),
            "copied_tokens": len(copied.tokens) - copied.copy_items.count(NO_COPY),
            "ingredients": len(parsed.lines),
            "group_headers": parsed.headers,
            "steps": len(parsed.recipe.steps),
            "one_step": int(len(parsed.recipe.steps) == 1),
        },
        words={
            "text": copied.tokens,
            "ingredients": [token for tokens in copied.ingredient_tokens for token in tokens],
        },
    )
    if not waits:
        return kept
    return hold(kept, copied.content_hash, goal_words(copied.title), element.head)


def parse(value: Any, file: str, offset: int) -> Parsed:
    """The recipe in a JSON value; raises RecordFault, and nothing else, where it is none."""
    if not isinstance(value, dict):
        raise RecordFault("not_an_object", "The record is no object with named fields.")
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
        recipe_yield="",
        ingredients=[
            Ingredient(*_parts(line), header.removesuffix(":")) for line, header in zip(lines, groups, strict=True)
        ],
        steps=steps,
        file=file,
        offset=offset,
        encoding="utf-8",
    )
    return Parsed(recipe, _string(value, "url"), lines, groups, headers)


def ingredients_of(value: Mapping[str, Any]) -> tuple[list[str], list[str], int]:
    """The ingredients of a record as :func:`group` gives them; raises RecordFault where they are no lines."""
    return group(_strings(value, "ingredients"))


def group(lines: Sequence[str]) -> tuple[list[str], list[str], int]:
    """Ingredients, the group header above each ("" for none), and how many lines are headers: they end with a colon.

    Headers in a row count as one for what follows; one that ends the list is an ingredient as well, since it heads
    nothing ("6 pint-sized canning jars with rings and lids:").
    """
    ingredients: list[str] = []
    groups: list[str] = []
    header = opened = ""
    headers = 0
    for line in lines:
        if line.endswith(":"):
            headers += 1
            opened = f"{opened} {line}".lstrip()
            continue
        if opened:
            header, opened = opened, ""
        ingredients.append(line)
        groups.append(header)
    if opened and ingredients:
        ingredients.append(opened)
        groups.append(header)
    return ingredients, groups, headers


def with_pointers(parsed: Parsed) -> CopyExample:
    """The recipe as tokens, each with its place in the ingredients; raises RecordFault by the paper's filter."""
    recipe = parsed.recipe
    steps = [step for step in map(_written, recipe.steps) if step]
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


@lru_cache(maxsize=1 << 14)  # "1 teaspoon salt" stands in many recipes
def line_tokens(line: str) -> tuple[str, ...]:
    """The lower-case tokens of an ingredient's line; raises RecordFault where a word is too long to be one."""
    return tuple(token.lower() for token in tokenize(_written(line)))


@lru_cache(maxsize=1 << 14)
def _parts(line: str) -> tuple[str, str, str]:
    return split_line(line if line.isascii() else line.translate(CHARACTERS))


def _written(text: str) -> str:
    text = normalize(text if text.isascii() else text.translate(_MARKS))
    if len(text) > MAX_WORD and max(map(len, text.split())) > MAX_WORD:
        raise RecordFault("too_long_word", f"A stretch without a blank is longer than {MAX_WORD} characters.")
    return text


def _string(value: dict[str, Any], name: str) -> str:
    text = value.get(name)
    if text is None:
        return ""
    if not isinstance(text, str):
        raise RecordFault("wrong_type", f"Field '{name}' is no string.")
    return _plain(text).strip()


def _strings(value: Mapping[str, Any], name: str) -> list[str]:
    """The paragraphs of a field: the strings of a list, or the lines of one string; nothing empty."""
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
    return [line for line in lines if line and line != _PAGE_FURNITURE]


def _plain(text: str) -> str:
    """The text without HTML, control characters and what is no character."""
    if not _ODD.search(text):
        return text
    text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    text = _TAG.sub("", _BREAK.sub("\n", text))
    text = _ENTITY.sub(_character, text)
    return without_c1(_CONTROL.sub(" ", text))


def _character(entity: re.Match[str]) -> str:
    """What an entity stands for; ``html.unescape`` alone would take "&notable;" for "¬able;"."""
    return html.unescape(entity[0]) if entity[0][1] == "#" else html5.get(entity[0][1:], entity[0])


def _identity(title: str, groups: list[str], lines: list[str], steps: list[str]) -> str:
    parts = "\x1f".join((title, *groups, "", *lines, "", *steps))
    return hashlib.blake2b(parts.encode(), digest_size=8).hexdigest()
