"""Rules -> Great Expectations: small derived columns, one suite for each border, outcomes in words.

The pandas engine can't compare lists, so for every rule about lists Arrow and numpy derive a numeric column (a length,
a count of bad elements), which the expectations check. Only these columns are kept, so memory grows with the number of
rows, not with the texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from allsaid.imports import without
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

with without("sqlalchemy", "botocore", "google.oauth2", "google.cloud"):  # for data in databases and clouds
    import great_expectations as gx
    import great_expectations.expectations as gxe
    from great_expectations.data_context.types.base import (
        DataContextConfig,
        InMemoryStoreBackendDefaults,
        ProgressBarsConfig,
    )
    from great_expectations.render.renderer import ValidationResultsPageRenderer
    from great_expectations.render.view import DefaultJinjaPageView

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


def words(rule: Rule) -> str:
    """Return a rule as a short sentence, for the terminal and the pages."""
    match rule:
        case Filled(column):
            return f"{column} is never empty"
        case Between(column, low, high, of):
            what = f"the length of {column}" if of == "length" else column
            if low is None:
                return f"{what} is at most {high}"
            if high is None:
                return f"{what} is at least {low}"
            return f"{what} is {low}" if low == high else f"{what} is from {low} to {high}"
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


def derive(batch: pa.RecordBatch, rules: Sequence[Rule]) -> pd.DataFrame:
    """Return the derived columns that the expectations check, one row for each row of ``batch``."""
    columns: dict[str, Any] = {}
    for rule in rules:
        columns.update(_derived(rule, batch))
    return pd.DataFrame(columns, index=range(batch.num_rows))


def _derived(rule: Rule, batch: pa.RecordBatch) -> dict[str, Any]:
    match rule:
        case Filled(column) | Between(column, of="length"):
            return {_length(column): _lengths(batch[column])}
        case SameLength(first, second):
            return {_length(name): _lengths(batch[name]) for name in (first, second)}
        case OneOf(column, values):
            return {_strangers(column): _count_strangers(batch[column], values)}
        case PointsInto(references, items):
            return {_lost(references): _count_lost(batch[references], _lengths(batch[items]))}
        case PresentWhen(references, kinds, values):
            return {_astray(references): _count_astray(batch[references], batch[kinds], values)}
        case EitherOr(first, second):
            return {_present(first, second): _count_present(batch[first], batch[second])}
        case Between(column) | Unique(column) | DisjointSplits(column):
            return {column: batch[column].to_pandas()}


def _length(column: str) -> str:
    return f"{column}: length"


def _strangers(column: str) -> str:
    return f"{column}: values out of the list"


def _lost(references: str) -> str:
    return f"{references}: positions that do not exist"


def _astray(references: str) -> str:
    return f"{references}: items without a mention, mentions without an item"


def _present(first: str, second: str) -> str:
    return f"{first}, {second}: how many are there"


def _shared(column: str) -> str:
    return f"{column}: in two splits"


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


def _count_strangers(column: pa.Array, values: tuple[object, ...]) -> np.ndarray:
    is_list = pa.types.is_list(column.type)
    flat = column.flatten() if is_list else column
    bad = ~pc.is_in(flat, value_set=pa.array(values, flat.type)).to_numpy(zero_copy_only=False)
    return _count_in_rows(bad, _lengths(column)) if is_list else bad.astype(np.int64)


def _count_present(*columns: pa.Array) -> np.ndarray:
    return sum(column.is_valid().to_numpy(zero_copy_only=False).astype(np.int64) for column in columns)


def _numbers(column: pa.Array) -> np.ndarray:
    """Return the elements of all rows; a null becomes -2, which is no reference and no kind."""
    return pc.fill_null(column.flatten(), -2).to_numpy(zero_copy_only=False).astype(np.int64)


def _count_lost(references: pa.Array, items: np.ndarray) -> np.ndarray:
    lengths, flat = _lengths(references), _numbers(references)
    return _count_in_rows((flat < -1) | (flat >= np.repeat(items, lengths)), lengths)


def _count_astray(references: pa.Array, kinds: pa.Array, values: tuple[int, ...]) -> np.ndarray:
    """Count bad elements; rows of different lengths count 0, since SameLength reports them."""
    is_equal = _lengths(references) == _lengths(kinds)
    references, kinds = references.filter(pa.array(is_equal)), kinds.filter(pa.array(is_equal))
    counts = np.zeros(len(is_equal), np.int64)
    bad = (_numbers(references) >= 0) != np.isin(_numbers(kinds), values)
    counts[is_equal] = _count_in_rows(bad, _lengths(references))
    return counts


def _expectation(rule: Rule) -> gxe.Expectation:
    sentence = words(rule)
    match rule:
        case Filled(column):
            return gxe.ExpectColumnValuesToBeBetween(column=_length(column), min_value=1, description=sentence)
        case Between(column, low, high, of):
            name = _length(column) if of == "length" else column
            return gxe.ExpectColumnValuesToBeBetween(column=name, min_value=low, max_value=high, description=sentence)
        case Unique(column):
            return gxe.ExpectColumnValuesToBeUnique(column=column, description=sentence)
        case OneOf(column):
            return _none_of(_strangers(column), sentence)
        case SameLength(first, second):
            return gxe.ExpectColumnPairValuesToBeEqual(
                column_A=_length(first), column_B=_length(second), description=sentence
            )
        case PointsInto(references):
            return _none_of(_lost(references), sentence)
        case PresentWhen(references):
            return _none_of(_astray(references), sentence)
        case DisjointSplits(column):
            return _none_of(_shared(column), sentence)
        case EitherOr(first, second):
            return gxe.ExpectColumnValuesToBeBetween(
                column=_present(first, second), min_value=1, max_value=1, description=sentence
            )


def _none_of(count: str, sentence: str) -> gxe.Expectation:
    return gxe.ExpectColumnValuesToBeBetween(column=count, min_value=0, max_value=0, description=sentence)


def _add_shared(frame: pd.DataFrame, rules: Sequence[Rule]) -> pd.DataFrame:
    """Add the column for DisjointSplits, which needs all rows: 1 if the row's value is in two splits."""
    for rule in rules:
        if isinstance(rule, DisjointSplits):
            pairs = frame[[rule.column, SPLIT]].drop_duplicates()
            shared = pairs[rule.column][pairs[rule.column].duplicated()]
            frame = frame.assign(**{_shared(rule.column): frame[rule.column].isin(shared).astype(np.int64)})
    return frame


class Suites:
    """Suites of expectations, one for each border, in memory (an ephemeral context writes no project)."""

    def __init__(self) -> None:
        config = DataContextConfig(
            store_backend_defaults=InMemoryStoreBackendDefaults(init_temp_docs_sites=False),
            progress_bars=ProgressBarsConfig(globally=False),
        )
        self._source = gx.get_context(mode="ephemeral", project_config=config).data_sources.add_pandas("allsaid")

    def check(self, border: str, frame: pd.DataFrame, rules: Sequence[Rule], place: str) -> tuple[list[Outcome], str]:
        """Check ``frame``: the columns of :func:`derive` for all rows, and SPLIT if a rule compares splits.

        ``place``: the format of a row's place, with the frame's columns in braces: "{part} row {row}". Returns the
        outcome of each rule and Great Expectations' own page (HTML, with external links).
        """
        frame = _add_shared(frame, rules)
        asset = self._source.add_dataframe_asset(border)
        batch = asset.add_batch_definition_whole_dataframe(border).get_batch({"dataframe": frame})
        suite = gx.ExpectationSuite(border, expectations=[_expectation(rule) for rule in rules])
        # Without index columns, which would make the library build a dictionary for every failing row
        # (a minute for 100,000); it returns the first row numbers at once.
        wanted = {"result_format": "SUMMARY", "partial_unexpected_count": PLACES}
        result = batch.validate(suite, result_format=wanted)
        page = DefaultJinjaPageView().render(ValidationResultsPageRenderer().render(result))
        return [_outcome(border, outcome, frame, place) for outcome in result.results], page


def _outcome(border: str, result: Any, frame: pd.DataFrame, place: str) -> Outcome:
    said = result.expectation_config.description
    if result.exception_info.get("raised_exception"):
        raise RuntimeError(f"Great Expectations could not check '{said}': {result.exception_info}")
    rows = result.result["partial_unexpected_index_list"][:PLACES]
    named = tuple(place.format_map(frame.iloc[row]) for row in rows)
    return Outcome(border, said, result.result["element_count"], result.result["unexpected_count"], named)
