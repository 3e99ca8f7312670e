"""Reference texts of examples, and their tokens with the letter case of the text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from schemas.example import LINE_BREAK


class Learned(Protocol):
    """Attributes of all examples: an id, the reference text, and its T tokens as the model learns them."""

    @property
    def id(self) -> str: ...

    @property
    def text(self) -> str: ...

    @property
    def tokens(self) -> Sequence[str]: ...


class Surfaced(Learned, Protocol):
    """An example that knows how its text writes the tokens."""

    @property
    def surface(self) -> Sequence[str]: ...  # T


@dataclass(frozen=True)
class Reference:
    """The text of an example."""

    text: str
    tokens: list[str]  # T

    @cached_property
    def surface(self) -> list[str]:
        """Return the tokens as the text writes them."""
        return surface_of(self.text, self.tokens)


def surface_of(text: str, tokens: Sequence[str]) -> list[str]:
    """Return T tokens in the letter case of the text; a token that does not follow in the text stays unchanged."""
    lower, place, surface = text.lower(), 0, []
    for token in tokens:
        # Lower case may change the length of a text: "İ".
        start = -1 if len(lower) != len(text) else lower.find(token.lower(), place)
        place = place if start < 0 else start + len(token)
        surface.append(token if start < 0 or token == LINE_BREAK else text[start:place])
    return surface
