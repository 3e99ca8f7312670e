"""Text that belongs to no record of a Meal-Master dump: where it is, and whether it is a recipe in another format."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from schemas.runs.rejected import HEAD_BYTES

# The first line of a recipe of another program: "*  Exported from  MasterCook  *", "===== REZKONV-Rezept - v1.4".
FOREIGN = (
    rb"[ \t]*(?:[-=*@#+~_M]{5,}[^\r\n]{0,40}?\b(?:recipe|rezept|recette|ricetta|receta)\b"
    rb"|[-=*@#+~{<\[]+[^\r\n]{0,20}?\bexport)"
)
_FOREIGN = re.compile(FOREIGN, re.IGNORECASE)
_AMOUNT = re.compile(
    rb"[\s>|:*-]{0,20}(?:\d{1,4}(?:[.,]\d+)?(?:[ -]\d/\d+)?(?:/\d+)?|\d/\d+|[\xab\xac\xbc-\xbe])(?:-\d+)?"
    rb"[ \t]+[^\W\d_][^\r\n]{1,60}\r?\n?$"
)
_QUOTED = 60  # characters of a passage that are quoted
_WINDOW = 6  # lines that are not blank, of which _AMOUNTS must begin with an amount
_AMOUNTS = 3


@dataclass(frozen=True)
class Passage:
    """Text outside of records, from its first to its last line that is not blank."""

    offset: int  # in bytes of the decompressed stream
    size: int
    head: bytes  # its first bytes
    is_recipe: bool  # whether it looks like a recipe

    @property
    def begin(self) -> str:
        """Return its first line, as far as a sentence can quote it."""
        line = self.head.lstrip().partition(b"\n")[0].decode("latin-1")
        return " ".join("".join(character if character.isprintable() else " " for character in line).split())[:_QUOTED]


def passages(lines: Sequence[bytes], offset: int, dropped: int) -> Iterator[Passage]:
    """Yield the passages of lines in a row, cut where a recipe of another program begins.

    ``dropped``: bytes after the lines that were not kept.
    """
    begun: list[bytes] = []
    for line in lines:
        if begun and _FOREIGN.match(line):
            yield from _passage(begun, offset, 0)
            offset += sum(map(len, begun))
            begun = []
        begun.append(line)
    yield from _passage(begun, offset, dropped)


def _passage(lines: list[bytes], offset: int, dropped: int) -> Iterator[Passage]:
    text = b"".join(lines)
    if text.strip():
        first = next(place for place, line in enumerate(lines) if line.strip())
        offset += sum(map(len, lines[:first]))
        text = b"".join(lines[first:])
        size = len(text) + dropped if dropped else len(text.rstrip())
        yield Passage(offset, size, text[:HEAD_BYTES], has_recipe(lines))


def has_recipe(lines: Sequence[bytes]) -> bool:
    """Return whether lines look like a recipe: several nearby ones begin with an amount, or one below a header."""
    lines = [line for line in lines if line.strip()]
    amounts = [place for place, line in enumerate(lines) if _AMOUNT.match(line)]
    if amounts and _FOREIGN.match(lines[0]):
        return True
    pairs = zip(amounts, amounts[_AMOUNTS - 1 :], strict=False)
    return any(last - first < _WINDOW for first, last in pairs)
