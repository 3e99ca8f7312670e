"""Units of one dimension are compared by their size."""

from __future__ import annotations

from decimal import Decimal

import pytest

from allsaid.language.units import ratio


@pytest.mark.parametrize(
    ("one", "other", "size"),
    [
        ("kg", "g", "1000"),
        ("kilos", "kg", "1"),
        ("hours", "minutes", "60"),
        ("pounds", "£", "1"),
        ("cents", "€", "0.01"),
        ("square metres", "m²", "1"),
        ("sq ft", "square metres", "0.09290304"),
        ("cubic metre", "litres", "1000"),
        ("mw", "w", "0.001"),
    ],
)
def test_a_unit_in_another(one: str, other: str, size: str) -> None:
    assert ratio(tuple(one.split()), tuple(other.split())) == Decimal(size)


@pytest.mark.parametrize(("one", "other"), [("kg", "m"), ("€", "$"), ("wh", "mah"), ("kg", "persons")])
def test_units_that_cannot_be_compared(one: str, other: str) -> None:
    assert ratio((one,), (other,)) is None
