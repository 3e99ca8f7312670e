"""Edits of texts: tokens that are replaced by others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from schemas.act import parse_agenda_line
from schemas.example import Example


@dataclass(frozen=True)
class Edit:
    way: str  # how the fault was made: "negation removed"
    start: int
    end: int  # of the tokens replaced
    words: tuple[str, ...]  # what replaces them

    def apply(self, tokens: Sequence[str]) -> list[str]:
        return [*tokens[: self.start], *self.words, *tokens[self.end :]]


def values_of(example: Example) -> dict[str, str]:
    """Return token of each item -> its value, lower case; tokens of yes and no occur in no text."""
    values = [parse_agenda_line(line).value.lower() for line in example.agenda]
    return {token: value for (token, *_), value in zip(example.agenda_tokens, values, strict=True)}


def are_alike(first: str, second: str) -> bool:
    """Return whether one value may mean the other: "silver" and "silver plate"."""
    return first in second or second in first
