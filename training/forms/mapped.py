"""The keys of a table's mapping that the phrasebook needs, read from its YAML; ingestion has checked the file."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import yaml

from training.forms.claims import ALLOWED, FORBIDDEN


@dataclass(frozen=True)
class Mapped:
    """What a mapping says of claims and columns."""

    allowed: tuple[str, ...] = ()  # claims
    forbidden: tuple[str, ...] = ()
    words: tuple[str, ...] = ()  # names of columns, units, and other words for them


@lru_cache(maxsize=16)
def read(mapping: str) -> Mapped:
    """Read YAML; a model of another source has none."""
    found = yaml.safe_load(mapping) if mapping else None
    if not isinstance(found, dict):
        return Mapped()
    claims = found.get("claims") or {}
    words: list[str] = []
    for name, column in (found.get("columns") or {}).items():
        words.append(str(name))
        if isinstance(column, dict):
            words += [*_strings(column.get("unit")), *_strings(column.get("also"))]
    return Mapped(_strings(claims.get(ALLOWED)), _strings(claims.get(FORBIDDEN)), tuple(words))


def _strings(value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    return tuple(" ".join(str(one).split()) for one in (value if isinstance(value, list) else [value]))
