"""Rules as bounds of derived columns, and the rows that break them.

For a rule about lists, Arrow and NumPy derive a column of numbers: a length, or a count of bad elements. Only derived
columns stay in memory, so it grows with the number of rows, not with the texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from schemas.checks.rules import (
    Between,
    DisjointSplits,
    EitherOr,
    Filled,
    OneOf,
    PointsInto,
    PresentWhen,
    Rule,
    SameLength,
    Unique,
)

PLACES = 5  # failing rows that an outcome names
SPLIT = "split"  # a derived column for DisjointSplits, from a file's path


@dataclass(frozen=True)
class Outcome:
    """The outcome of one rule at one border."""

    border: str
    rule: str  # in words
    checked: int  # rows, or files for a rule about files
    failed: int
    places: tuple[str, ...] = ()  # the first few failures

    @property
    def passed(self) -> bool:
        return self.failed == 0


@dataclass(frozen=True)
class Bounds:
    """A derived column and the bounds of its values; nulls are within them."""

    column: str
    low: float | None = None
    high: float | None = None


def words(rule: Rule) -> str:
    """Return a rule as a short sentence, for the terminal and the pages."""
    match rule:
        case Filled(column):
            return f"{column} is never empty"
        case Between(column, low, high, of):
            subject = f"the length of {column}" if of == "length" else column
            if low is None:
                return f"{subject} is at most {high}"
            if high is None:
                return f"{subject} is at least {low}"
            return f"{subject} is {low}" if low == high else f"{subject} is from {low} to {high}"
        case Unique(column):
            return f"no {column} occurs twice"
        case OneOf(column, values):
            return f"{column} holds only {', '.join(map(str, values))}"
        case SameLength(first, second):
            return f"{first} and {second} have the same length"
        case PointsInto(references, items):
            return f"{references} holds -1 or positions in {items}"
        case PresentWhen(references, kinds, values):
            return f"{references} names an item exactly where {kinds} is {' or '.join(map(str, values))}"
        case DisjointSplits(column):
            return f"no {column} is in two splits"
        case EitherOr(first, second):
            return f"every row has either {first} or {second}"


def columns_of(rules: Sequence[Rule]) -> set[str]:
    """Return the columns that the rules read."""
    attributes = ("column", "first", "second", "references", "kinds", "items")
    return {getattr(rule, name) for rule in rules for name in attributes if hasattr(rule, name)}


def bounds_of(rule: Rule) -> Bounds:
    """Return the derived column that a rule is about, with bounds; for Unique, the column itself without bounds."""
    match rule:
        case Filled(column):
            return Bounds(f"{column}: length", 1)
        case Between(column, low, high, of):
            return Bounds(f"{column}: length" if of == "length" else column, low, high)
        case Unique(column):
            return Bounds(column)
        case OneOf(column):
            return Bounds(f"{column}: values out of the list", 0, 0)
        case SameLength(first, second):
            return Bounds(f"{first}, {second}: difference of lengths", 0, 0)
        case PointsInto(references):
            return Bounds(f"{references}: positions that do not exist", 0, 0)
        case PresentWhen(references):
            return Bounds(f"{references}: items without a mention, mentions without an item", 0, 0)
        case DisjointSplits(column):
            return Bounds(f"{column}: in two splits", 0, 0)
        case EitherOr(first, second):
            return Bounds(f"{first}, {second}: how many are there", 1, 1)


def derive(batch: pa.RecordBatch, rules: Sequence[Rule]) -> dict[str, pa.Array | np.ndarray]:
    """Return the derived columns, one row for each row of ``batch``; for DisjointSplits the column itself."""
    split = [rule for rule in rules if isinstance(rule, DisjointSplits)]
    columns = {bounds_of(rule).column: _derived(rule, batch) for rule in rules if rule not in split}
    return columns | {rule.column: batch[rule.column] for rule in split}


def _derived(rule: Rule, batch: pa.RecordBatch) -> pa.Array | np.ndarray:
    match rule:
        case Filled(column) | Between(column, of="length"):
            return _lengths(batch[column])
        case SameLength(first, second):
            return _lengths(batch[first]) - _lengths(batch[second])
        case OneOf(column, values):
            return _count_unlisted(batch[column], values)
        case PointsInto(references, items):
            return _count_dangling(batch[references], _lengths(batch[items]))
        case PresentWhen(references, kinds, values):
            return _count_mismatched(batch[references], batch[kinds], values)
        case EitherOr(first, second):
            present = (batch[column].is_valid().to_numpy(zero_copy_only=False) for column in (first, second))
            return sum(column.astype(np.int64) for column in present)
        case Between(column) | Unique(column) | DisjointSplits(column):
            return batch[column]


def _lengths(column: pa.Array) -> np.ndarray:
    """Return the elements of each list or bytes of each string; 0 for a null."""
    is_list = pa.types.is_list(column.type) or pa.types.is_large_list(column.type)
    lengths = pc.list_value_length(column) if is_list else pc.binary_length(column)
    return pc.fill_null(lengths, 0).to_numpy(zero_copy_only=False).astype(np.int64)


def _count_in_rows(bad: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Count each row's bad elements; ``bad`` has the elements of all rows, concatenated."""
    total = np.concatenate([[0], np.cumsum(bad)])
    ends = np.cumsum(lengths)
    return total[ends] - total[ends - lengths]


def _count_unlisted(column: pa.Array, values: tuple[object, ...]) -> np.ndarray:
    """Count each row's elements that are not among the values."""
    is_list = pa.types.is_list(column.type)
    flat = column.flatten() if is_list else column
    bad = ~pc.is_in(flat, value_set=pa.array(values, flat.type)).to_numpy(zero_copy_only=False)
    return _count_in_rows(bad, _lengths(column)) if is_list else bad.astype(np.int64)


def _numbers(column: pa.Array) -> np.ndarray:
    """Return the elements of all rows; a null becomes -2, which is no reference and no kind."""
    return pc.fill_null(column.flatten(), -2).to_numpy(zero_copy_only=False).astype(np.int64)


def _count_dangling(references: pa.Array, items: np.ndarray) -> np.ndarray:
    """Count each row's references to positions that do not exist."""
    lengths, flat = _lengths(references), _numbers(references)
    return _count_in_rows((flat < -1) | (flat >= np.repeat(items, lengths)), lengths)


def _count_mismatched(references: pa.Array, kinds: pa.Array, values: tuple[int, ...]) -> np.ndarray:
    """Count the references of a wrong kind, and kinds without a reference.

    A row whose two lists differ in length counts 0, since SameLength reports it.
    """
    is_equal = _lengths(references) == _lengths(kinds)
    references, kinds = references.filter(pa.array(is_equal)), kinds.filter(pa.array(is_equal))
    counts = np.zeros(len(is_equal), np.int64)
    bad = (_numbers(references) >= 0) != np.isin(_numbers(kinds), values)
    counts[is_equal] = _count_in_rows(bad, _lengths(references))
    return counts


def with_shared(table: pa.Table, rules: Sequence[Rule]) -> pa.Table:
    """Add the columns for DisjointSplits, which need all rows: 1 if the row's value is in two splits."""
    for rule in rules:
        if isinstance(rule, DisjointSplits):
            pairs = table.select([rule.column, SPLIT]).unify_dictionaries().group_by([rule.column, SPLIT]).aggregate([])
            shared = pc.is_in(table[rule.column], _several(pairs[rule.column])).cast(pa.int64())
            table = table.append_column(bounds_of(rule).column, shared)
    return table


def check(border: str, table: pa.Table, rules: Sequence[Rule], place: str) -> list[Outcome]:
    """Return the outcome of each rule for the derived columns of all rows (:func:`with_shared`).

    ``place``: the format of a row's place, with the table's columns in braces: "{part} row {row}".
    """
    outcomes = []
    for rule in rules:
        rows = pc.indices_nonzero(_breaks(rule, table))
        places = tuple(place.format_map(row) for row in table.take(rows[:PLACES]).to_pylist())
        outcomes.append(Outcome(border, words(rule), table.num_rows, len(rows), places))
    return outcomes


def added(before: Sequence[Outcome], more: Sequence[Outcome]) -> list[Outcome]:
    """Add the outcomes of further rows to the outcomes of earlier rows, if there are any."""
    if not before:
        return [*more]
    return [
        replace(
            old,
            checked=old.checked + new.checked,
            failed=old.failed + new.failed,
            places=(old.places + new.places)[:PLACES],
        )
        for old, new in zip(before, more, strict=True)
    ]


def _breaks(rule: Rule, table: pa.Table) -> pa.ChunkedArray:
    """Return whether each row breaks the rule; null where a value or a bound is missing."""
    bounds = bounds_of(rule)
    values = table[bounds.column]
    if isinstance(rule, Unique):
        return pc.is_in(values, _several(values.drop_null()))
    below = pc.less(values, pa.scalar(bounds.low, pa.float64()))
    return pc.or_kleene(below, pc.greater(values, pa.scalar(bounds.high, pa.float64())))


def _several(values: pa.ChunkedArray) -> pa.Array:
    """Return the values that occur more than once."""
    counts = values.value_counts()
    return counts.field("values").filter(pc.greater(counts.field("counts"), 1))
