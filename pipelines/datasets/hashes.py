"""The hashes that a data set's fingerprint consists of: of each record, and of the table of phrases."""

from __future__ import annotations

import hashlib
import json
import marshal
from collections.abc import Callable, Iterable
from dataclasses import fields
from functools import cache
from operator import attrgetter

from schemas.checks.table import nested
from schemas.phrase import Phrase


def record_hash(split: str, rows: Iterable[object]) -> int:
    """Return 128 bits of the content of a record's dataclass rows and its split, without the place it was read."""
    content = [_content(row) for row in rows]
    # Every published fingerprint is a hash of these bytes, so marshal stays. Version 0 of its format encodes only
    # values; later ones also encode which of them are one object.
    return int.from_bytes(hashlib.blake2b(marshal.dumps((split, content), 0), digest_size=16).digest(), "big")


def _content(row: object) -> tuple[object, ...]:
    plain, inner = _columns(row.__class__)  # type: ignore[arg-type]
    return plain(row), [[[*vars(item).values()] for item in getattr(row, name)] for name in inner]


@cache
def _columns(kind: type) -> tuple[Callable[[object], object], list[str]]:
    """Return a getter of a row's values but its place, and the columns that hold lists of dataclasses."""
    inner = [*nested(kind)]
    outer = (field.name for field in fields(kind) if field.name not in ("file", "offset", *inner))
    return attrgetter(*outer), inner


def phrase_hash(table: Iterable[Phrase]) -> str:
    """Return 32 hex digits of the phrases in their order."""
    text = json.dumps([list(vars(phrase).values()) for phrase in table])
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
