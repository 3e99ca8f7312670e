"""Meal-Master dumps: bytes -> raw records -> recipes, pure Python and streaming.

A dump is a row of records. Each begins with a header line (``MMMMM----- Recipe via Meal-Master (tm) v8.05``,
``------------- Recipe Extracted from Meal-Master (tm) Database``, Krecipes' ``[Meal-Master Export Format]``) and ends
with ``MMMMM``, ``-----`` or the next header. A header counts where a title follows.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from allsaid.language.code_pages import decode
from pipelines.source import RecordFault
from pipelines.sources.mealmaster.layout import lay_out
from schemas.recipe import Ingredient, Recipe

MAX_LINE = 1 << 16  # bytes; a longer line is read in pieces
MAX_WIDTH = 4000  # characters of a line; some searches take the square of it, and real lines end before 200
MAX_RECORD = 1 << 20  # bytes; what goes beyond is skipped and the record rejected

# Reasons of ParseFault, all of stage "read": the record is no recipe.
FAULTS = {
    "no_title": "The record's title is empty.",
    "no_ingredients": "The record has no line that reads as an ingredient.",
    "no_directions": "The record has no line that reads as a direction.",
    "long_line": f"The record has a line of more than {MAX_WIDTH:,} characters.",
    "too_long": f"The record is longer than {MAX_RECORD:,} bytes.",
}

_HEADER = re.compile(rb"[ \t]*+(?:(?:M{5}|---)[^\r\n]*meal-?master|[-M ]*\[meal-?master export)", re.IGNORECASE)
_TITLE = re.compile(rb"[ \t]*title[ \t]*:", re.IGNORECASE)
_MARKING = frozenset(b"M-[Tt \t")  # first bytes of header, title and end lines
_END = re.compile(rb"[ \t]*(?:M{5}|-----)[ \t\r]*\n?$")


class ParseFault(RecordFault):
    """A record that is no recipe; ``reason`` is a key of FAULTS, or has a sentence of its own."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason, detail or FAULTS[reason])


@dataclass(frozen=True)
class RawRecord:
    offset: int  # of the header, in bytes of the decompressed stream
    body: bytes  # what stands between the header and the end line
    header: bytes  # the header line without its line end
    is_apart: bool = field(default=True, compare=False)  # begins where no record is open: one may begin to read there


class _Open:
    """The record being read; ``inner`` is a header within it whose title has not come yet."""

    def __init__(self, offset: int, header: bytes, is_apart: bool = True) -> None:
        self.offset, self.header, self.is_apart = offset, header, is_apart
        self.lines: list[bytes] = []
        self.size = 0
        self.titled = False
        self.inner: tuple[int, int, bytes] | None = None  # lines before it, its offset, its line

    def add(self, line: bytes) -> None:
        if self.size <= MAX_RECORD:
            self.lines.append(line)
            self.size += len(line)

    def record(self, lines: int | None = None) -> RawRecord:
        return RawRecord(self.offset, b"".join(self.lines[:lines]), self.header.strip(b"\r\n"), self.is_apart)

    def ends_with(self, line: bytes) -> bool:
        """Meal-Master's own end line is ``MMMMM``; ``-----`` ends only what dashes began."""
        if not _END.match(line):
            return False
        return line.strip() == b"MMMMM" or not self.header.lstrip().startswith(b"M")

    def begin_inner(self) -> tuple[RawRecord, _Open]:
        """A title came after the inner header: the record before it, and the one it opens."""
        assert self.inner is not None
        lines, offset, header = self.inner
        opened = _Open(offset, header, is_apart=False)
        for line in self.lines[lines + 1 :]:
            opened.add(line)
        return self.record(lines), opened


def split_records(stream: BinaryIO, offset: int = 0) -> Iterator[RawRecord]:
    """The records of a decompressed dump, one in memory at a time; ``offset`` is that of the stream's first byte.

    Text outside a record is skipped. A header without a title before the next header or the end line is text.
    """
    current: _Open | None = None
    while line := stream.readline(MAX_LINE):
        here, offset = offset, offset + len(line)
        if line[0] not in _MARKING:
            if current is not None:
                current.add(line)
        elif _HEADER.match(line):
            if current is None or not current.titled:
                current = _Open(here, line)
            else:
                current.inner = (len(current.lines), here, line)
                current.add(line)
        elif current is None:
            continue
        elif current.ends_with(line):
            if current.titled:
                yield current.record()
            current = None
        else:
            if _TITLE.match(line):
                if current.inner is not None:
                    finished, current = current.begin_inner()
                    yield finished
                current.titled = True
            current.add(line)
    if current is not None and current.titled:
        yield current.record()


def parse(raw: RawRecord, file: str) -> Recipe:
    """The recipe of a raw record; raises ParseFault, and nothing else, where it is none."""
    if len(raw.body) > MAX_RECORD:
        raise ParseFault("too_long", f"The record has {len(raw.body):,} bytes or more.")
    text, encoding = decode(raw.body)
    lines = text.split("\n")
    if max(map(len, lines)) > MAX_WIDTH:
        raise ParseFault("long_line")
    parts = lay_out(lines)
    if not any(character.isalnum() for character in parts.title):
        raise ParseFault("no_title")
    if not parts.ingredients:
        raise ParseFault("no_ingredients")
    if not any(character.isalpha() for step in parts.steps for character in step):
        raise ParseFault("no_directions")
    return Recipe(
        id=_identity(parts.title, parts.ingredients, parts.steps),
        title=parts.title,
        categories=parts.categories,
        recipe_yield=parts.recipe_yield,
        ingredients=parts.ingredients,
        steps=parts.steps,
        file=file,
        offset=raw.offset,
        encoding=encoding,
    )


def _identity(title: str, ingredients: list[Ingredient], steps: list[str]) -> str:
    parts = [title]
    for item in ingredients:
        parts += (item.amount, item.unit, item.name, item.section)
    parts += ("", *steps)
    return hashlib.blake2b("\x1f".join(parts).encode("utf-8", "replace"), digest_size=8).hexdigest()
