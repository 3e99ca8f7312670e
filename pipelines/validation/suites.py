"""Rules -> Great Expectations: one suite for each border, outcomes in words, pages.

The pandas engine can't compare lists, so the expectations check the derived columns of ``rules.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import pyarrow as pa

from allsaid.imports import without
from pipelines.validation.rules import PLACES, Outcome, bounds_of, words
from schemas.checks.rules import Rule, Unique

# Hidden: for data in databases and clouds. Stand-ins: for expectations about distributions and their charts.
with without(
    "sqlalchemy",
    "botocore",
    "google.oauth2",
    "google.cloud",
    stand_ins={"scipy": {"stats": None}, "altair": {"Chart": None}},
):
    import great_expectations as gx
    import great_expectations.expectations as gxe
    from great_expectations.data_context.types.base import (
        DataContextConfig,
        InMemoryStoreBackendDefaults,
        ProgressBarsConfig,
    )
    from great_expectations.render.renderer import ValidationResultsPageRenderer
    from great_expectations.render.view import DefaultJinjaPageView


class Suites:
    """Suites of expectations, one for each border, in memory (an ephemeral context writes no project)."""

    def __init__(self) -> None:
        config = DataContextConfig(
            store_backend_defaults=InMemoryStoreBackendDefaults(init_temp_docs_sites=False),
            progress_bars=ProgressBarsConfig(globally=False),
        )
        self._source = gx.get_context(mode="ephemeral", project_config=config).data_sources.add_pandas("allsaid")

    def check(self, border: str, table: pa.Table, rules: Sequence[Rule], place: str) -> tuple[list[Outcome], str]:
        """Check like :func:`rules.check`; return also Great Expectations' own page (HTML, with external links)."""
        frame = table.to_pandas()
        asset = self._source.add_dataframe_asset(border)
        batch = asset.add_batch_definition_whole_dataframe(border).get_batch({"dataframe": frame})
        suite = gx.ExpectationSuite(border, expectations=[_expectation(rule) for rule in rules])
        # Without index columns, which would make the library build a dictionary for every failing row
        # (a minute for 100,000); it returns the first row numbers at once.
        wanted = {"result_format": "SUMMARY", "partial_unexpected_count": PLACES}
        result = batch.validate(suite, result_format=wanted)
        page = DefaultJinjaPageView().render(ValidationResultsPageRenderer().render(result))
        outcomes = [_outcome(border, each, frame, place) for each in result.results]  # grouped by column
        in_order = {words(rule): number for number, rule in enumerate(rules)}
        return sorted(outcomes, key=lambda outcome: in_order[outcome.rule]), page


def _expectation(rule: Rule) -> gxe.Expectation:
    bounds = bounds_of(rule)
    if isinstance(rule, Unique):
        return gxe.ExpectColumnValuesToBeUnique(column=bounds.column, description=words(rule))
    return gxe.ExpectColumnValuesToBeBetween(
        column=bounds.column, min_value=bounds.low, max_value=bounds.high, description=words(rule)
    )


def _outcome(border: str, result: Any, frame: pd.DataFrame, place: str) -> Outcome:  # Any: a class without types
    rule = result.expectation_config.description
    if result.exception_info.get("raised_exception"):
        raise RuntimeError(f"Great Expectations could not check '{rule}': {result.exception_info}")
    rows = result.result["partial_unexpected_index_list"][:PLACES]
    places = tuple(place.format_map(frame.iloc[row]) for row in rows)
    return Outcome(border, rule, result.result["element_count"], result.result["unexpected_count"], places)
