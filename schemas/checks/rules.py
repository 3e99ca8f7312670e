"""Rules for the data at a border, as plain data; ``pipelines/validation`` turns them into suites."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Filled:
    """No value is null and, for strings and lists, none is empty."""

    column: str


@dataclass(frozen=True)
class Between:
    """A number, or the length of a string or list, is within [low, high]."""

    column: str
    low: float | None = None
    high: float | None = None
    of: str = "value"  # what is compared: "value" or "length"


@dataclass(frozen=True)
class Unique:
    """No value occurs twice in all files of the border."""

    column: str


@dataclass(frozen=True)
class OneOf:
    """A value, or every element of a list, is one of these."""

    column: str
    values: tuple[object, ...]


@dataclass(frozen=True)
class SameLength:
    """Two list columns have the same length in every row."""

    first: str
    second: str


@dataclass(frozen=True)
class PointsInto:
    """Every element of ``references`` is -1 or the position of an element of ``items``."""

    references: str
    items: str


@dataclass(frozen=True)
class PresentWhen:
    """An element of ``references`` is 0 or more if and only if the same element of ``kinds`` is one of ``values``."""

    references: str
    kinds: str
    values: tuple[int, ...]


@dataclass(frozen=True)
class DisjointSplits:
    """No value of ``column`` is in two splits."""

    column: str


@dataclass(frozen=True)
class EitherOr:
    """Exactly one of two columns is not null."""

    first: str
    second: str


Rule = Filled | Between | Unique | OneOf | SameLength | PointsInto | PresentWhen | DisjointSplits | EitherOr
HASH_ID: tuple[Rule, ...] = (
    Filled("id"),
    Unique("id"),
    Between("id", 16, 16, of="length"),
)  # for an id of 16 hex digits
