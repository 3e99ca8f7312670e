"""Rules that data at a border must keep, as plain data; ``validate.py`` turns them into suites."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Filled:
    """No null and, for strings and lists, nothing empty."""

    column: str


@dataclass(frozen=True)
class Between:
    """A number within [low, high]; ``of`` is the value itself or a list's length."""

    column: str
    low: float | None = None
    high: float | None = None
    of: str = "value"  # "value", "length"


@dataclass(frozen=True)
class Unique:
    """No value twice, over all files of the border."""

    column: str


@dataclass(frozen=True)
class OneOf:
    """A value, or every element of a list, is one of these."""

    column: str
    values: tuple[object, ...]


@dataclass(frozen=True)
class SameLength:
    """Two list columns have as many elements in every row."""

    first: str
    second: str


@dataclass(frozen=True)
class PointsInto:
    """Every element of ``references`` is -1 or the position of an element of ``items``."""

    references: str
    items: str


@dataclass(frozen=True)
class PresentWhen:
    """``references`` is at least 0 exactly where ``kinds`` has one of ``values``."""

    references: str
    kinds: str
    values: tuple[int, ...]


@dataclass(frozen=True)
class DisjointSplits:
    """No value of ``column`` stands in two splits."""

    column: str


@dataclass(frozen=True)
class EitherOr:
    """Exactly one of two columns is not null."""

    first: str
    second: str


Rule = Filled | Between | Unique | OneOf | SameLength | PointsInto | PresentWhen | DisjointSplits | EitherOr
