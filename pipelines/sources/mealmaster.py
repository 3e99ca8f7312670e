"""Meal-Master dumps: bytes -> raw records -> recipes, pure Python and streaming.

A dump is a row of records. Each begins with a header line (``MMMMM----- Recipe via Meal-Master (tm) v8.05``,
``------------- Recipe Extracted from Meal-Master (tm) Database``, Krecipes' ``[Meal-Master Export Format]``) and ends
with ``MMMMM``, ``-----`` or the next header. A header counts where a title follows.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from pipelines.decode import decode
from pipelines.sources.mealmaster_layout import lay_out
from schemas.recipe import Ingredient, Recipe

MAX_LINE = 1 << 16  # bytes; a longer line is read in pieces
MAX_RECORD = 1 << 20  # bytes; what goes beyond is skipped and the record rejected

# Reasons of ParseFault, all of stage "read": the record is no recipe.
FAULTS = {
    "no_title": "The record's title is empty.",
    "no_ingredients": "The record has no line that reads as an ingredient.",
    "no_directions": "The record has no line that reads as a direction.",
    "too_long": f"The record is longer than {MAX_RECORD:,} bytes.",
}

_HEADER = re.compile(rb"[ \t]*(?:(?:M{5}|-{3,})[^\r\n]*meal-?master|[-M ]*\[meal-?master export)", re.IGNORECASE)
_TITLE = re.compile(rb"[ \t]*title[ \t]*:", re.IGNORECASE)
_END = re.compile(rb"[ \t]*(?:M{5}|-----)[ \t\r]*\n?$")


class ParseFault(Exception):
    """A record that is no recipe; ``reason`` is a key of FAULTS, ``detail`` a sentence or empty."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(detail or FAULTS[reason])
        self.reason, self.detail = reason, detail


@dataclass(frozen=True)
class RawRecord:
    offset: int  # of the header, in bytes of the decompressed stream
    body: bytes  # what stands between the header and the end line
    header: bytes  # the header line without its line end


class _Open:
    """The record being read; ``inner`` marks a header within it whose title has not come yet."""

    def __init__(self, offset: int, header: bytes) -> None:
        self.offset, self.header = offset, header
        self.lines: list[bytes] = []
        self.size = 0
        self.titled = False
        self.inner: tuple[int, int, bytes] | None = None  # lines before it, its offset, its line

    def add(self, line: bytes) -> None:
        if self.size <= MAX_RECORD:
            self.lines.append(line)
            self.size += len(line)

    def record(self, lines: int | None = None) -> RawRecord:
        return RawRecord(self.offset, b"".join(self.lines[:lines]), self.header.strip(b"\r\n"))

    def ends_with(self, line: bytes) -> bool:
        """Meal-Master's own end line is ``MMMMM``; ``-----`` ends only what dashes began."""
        if line[:1] not in b"M- \t" or not _END.match(line):
            return False
        return line.strip() == b"MMMMM" or not self.header.lstrip().startswith(b"M")


def split_records(stream: BinaryIO) -> Iterator[RawRecord]:
    """The records of a decompressed dump, one in memory at a time.

    Text outside a record is skipped. A header without a title before the next header or the end line is text.
    """
    open_record: _Open | None = None
    offset = 0
    while line := stream.readline(MAX_LINE):
        here, offset = offset, offset + len(line)
        if line[:1] in b"M- \t[" and _HEADER.match(line):
            if open_record is not None and open_record.titled:
                if open_record.inner is None:
                    open_record.inner = (len(open_record.lines), here, line)
                else:  # the inner header was text, this one may not be
                    open_record.inner = (len(open_record.lines), here, line)
                open_record.add(line)
            else:
                open_record = _Open(here, line)
        elif open_record is None:
            continue
        elif open_record.ends_with(line) and open_record.titled:
            yield open_record.record()
            open_record = None
        else:
            if line[:1] in b"Tt \t" and _TITLE.match(line):
                if open_record.inner is not None:
                    lines, inner_offset, header = open_record.inner
                    yield open_record.record(lines)
                    rest = open_record.lines[lines + 1 :]
                    open_record = _Open(inner_offset, header)
                    for late in rest:
                        open_record.add(late)
                open_record.titled = True
            open_record.add(line)
    if open_record is not None and open_record.titled:
        yield open_record.record()


def parse(raw: RawRecord, file: str) -> Recipe:
    """The recipe of a raw record; raises ParseFault, and nothing else, where it is none."""
    if len(raw.body) > MAX_RECORD:
        raise ParseFault("too_long", f"The record has {len(raw.body):,} bytes or more.")
    text, encoding = decode(raw.body)
    parts = lay_out(text.split("\n"))
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
