"""The edit of a training recipe as a diff, word by word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

_WORD = re.compile(r"\s+|[\w'/-]+|[^\w\s]")


@dataclass(frozen=True)
class Change:
    """A passage that the text has in common with its prototype, or that was deleted or inserted."""

    text: str
    mark: Literal["", "deleted", "inserted"] = ""


def changes_of(prototype: str, text: str) -> list[Change]:
    """Return the passages of both texts in order; a swap is a deletion followed by an insertion.

    Letter case is ignored, since raw recipes may be in capitals; a common passage is shown as the text has it.
    """
    old, new = _WORD.findall(prototype), _WORD.findall(text)
    matcher = SequenceMatcher(None, _keys(old), _keys(new), autojunk=False)
    return [change for change in _changes(matcher, old, new) if change.text]


def _changes(matcher: SequenceMatcher[str], old: list[str], new: list[str]) -> Iterator[Change]:
    for what, start, end, first, last in matcher.get_opcodes():
        if what == "equal":
            yield Change("".join(new[first:last]))
        else:
            yield Change("".join(old[start:end]), "deleted")
            yield Change("".join(new[first:last]), "inserted")


def _keys(words: list[str]) -> list[str]:
    return [" " if word.isspace() else word.lower() for word in words]
