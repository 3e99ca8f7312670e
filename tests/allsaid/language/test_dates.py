"""Dates in their common forms are one date."""

from __future__ import annotations

import pytest
from cases import cases

from allsaid.language.dates import Date, find_dates, read_date
from allsaid.language.word_table import AS_WRITTEN, normalise

SEPTEMBER = Date(2018, 9, 11)


@cases
def test_a_date_in_any_form(written: str) -> None:
    date = read_date(normalise(written, AS_WRITTEN)[0])
    assert date is not None
    assert date.equals(SEPTEMBER)
    assert not date.equals(Date(2018, 9, 12))


@pytest.mark.parametrize("written", ["it may rain", "in march . 3 people", "24/7", "it marched 2018 miles", "2018"])
def test_what_is_no_date(written: str) -> None:
    assert [*find_dates(written.split())] == []


def test_a_date_without_its_day_is_another_date() -> None:
    ((start, end, date),) = find_dates(["out", "in", "september", "2018", "."])
    assert (start, end, date) == (2, 4, Date(2018, 9, 0))
    assert not date.equals(SEPTEMBER)
