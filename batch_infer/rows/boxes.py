"""Boxes as people write them: a row has an id and ``fields``, an object of names and values, both texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from allsaid.console import UserError
from pipelines.language.text import normalize, tokenize
from pipelines.sources.wikibio.box import build_table
from training.tasks.box_table import Table

MAX_WORDS = 5000  # of a table
_SIGNS = {
    "(": "-lrb-",
    ")": "-rrb-",
    "[": "-lsb-",
    "]": "-rsb-",
    "{": "-lcb-",
    "}": "-rcb-",
}  # as the corpora have them
_EXAMPLE = '{"name": "Ada Lovelace", "born": "10 December 1815"}'


def prepare(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """A row with the words of its ``fields``, where it does not bring these; raises UserError."""
    given: Any = values.get("fields")
    if given is None or isinstance(given, list):
        return values
    if not isinstance(given, dict) or not all(isinstance(value, str) for value in given.values()):
        raise UserError(f"The 'fields' of a row are an object of names and values, both texts, such as {_EXAMPLE}.")
    names: list[str] = []
    positions: list[int] = []
    words: list[str] = []
    for name, value in given.items():
        found = [_SIGNS.get(word, word) for word in tokenize(normalize(value))]
        names += [name] * len(found)
        positions += range(1, len(found) + 1)
        words += found
    if len(words) > MAX_WORDS:
        raise UserError(f"The 'fields' of the row have {len(words):,} words; at most {MAX_WORDS:,} can be read.")
    table = build_table(names, positions, words)
    return {**values, **{column.name: getattr(table, column.name) for column in fields(Table)}}
