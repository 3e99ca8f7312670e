"""Boxes as users write them: a row has an id and ``fields``, an object of names and values, texts or numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from itertools import cycle

from allsaid.language.text import tokenize
from allsaid.modeling.data.vocabulary import SPECIALS
from allsaid.modeling.saved.model_folder import Bundle
from allsaid.modeling.tables.box_table import Table
from allsaid.modeling.text.treebank import BRACKETS, DASH, QUOTES
from batch_infer.rows.kinds.form import Field
from pipelines.sources.wikibio.box import build_table
from schemas.errors import UserError

MAX_WORDS = 5000  # of a table
NAMED = 20  # fields named in a hint
_CHARACTERS = str.maketrans(dict.fromkeys("“”„«»", '"') | dict.fromkeys("‘’", "'") | dict.fromkeys("–—", f" {DASH} "))
_ABBREVIATION = re.compile(r"([^\W\d_]{1,3}\.)+")  # "Jr.", "Ph.D.": in the corpora the stop is part of the word
_EXAMPLE = '{"name": "Ada Lovelace", "born": "10 December 1815"}'


def prepare(values: Mapping[str, object]) -> Mapping[str, object]:
    """Add the words of a row's ``fields``, unless they are already split; raise UserError for a fault."""
    given = values.get("fields")
    if given is None or isinstance(given, list):
        return values
    if not isinstance(given, dict):
        raise UserError(f"The 'fields' of a row are an object of names and values, such as {_EXAMPLE}.")
    names: list[str] = []
    positions: list[int] = []
    words: list[str] = []
    for name, value in given.items():
        found = list(words_of(_text_of(name, value)))
        names += ["_".join(name.lower().split())] * len(found)
        positions += range(1, len(found) + 1)
        words += found
    if len(words) > MAX_WORDS:
        raise UserError(f"The 'fields' of the row have {len(words):,} words; at most {MAX_WORDS:,} can be read.")
    table = build_table(names, positions, words)
    return {**values, **{column.name: getattr(table, column.name) for column in fields(Table)}}


def form(bundle: Bundle) -> tuple[Field]:
    """Return the form field of a box; its hint names the most frequent fields of training."""
    names = getattr(bundle.vocabularies, "field", None)
    often = f"; often {', '.join(names.words[len(SPECIALS) :][:NAMED])}" if names else ""
    example = "\n".join(bundle.example[1])
    return (Field("fields", "Fields", "pairs", f"one per line, as name: value{often}", example=example),)


def _text_of(name: str, value: object) -> str:
    if not name.strip():
        raise UserError(f"A field of the row has no name. Fields have names and values, such as {_EXAMPLE}.")
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    if not is_number and not isinstance(value, str):
        raise UserError(f"The value of the field '{name}' is no text and no number. Write it as one, or leave it out.")
    return str(value)


def words_of(value: str) -> Iterator[str]:
    """Yield the words of a value or a text, with signs and abbreviations as in the corpora."""
    quotes = cycle(QUOTES)
    for stretch in value.translate(_CHARACTERS).split():
        words: list[str] = []
        is_whole = stretch == DASH or _ABBREVIATION.fullmatch(stretch)
        for word in [stretch] if is_whole else tokenize(stretch):
            if word == "." and words and _ABBREVIATION.fullmatch(words[-1] + word):
                words[-1] += word
            else:
                words.append(next(quotes) if word == '"' else BRACKETS.get(word, word))
        yield from words
