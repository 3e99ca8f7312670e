"""Units of one dimension are compared by their size."""

from __future__ import annotations

from decimal import Decimal

import pytest
from cases import cases

from allsaid.language.units import ratio


@cases
def test_a_unit_in_another(one: str, other: str, size: str) -> None:
    assert ratio(tuple(one.split()), tuple(other.split())) == Decimal(size)


@pytest.mark.parametrize(("one", "other"), [("kg", "m"), ("€", "$"), ("wh", "mah"), ("kg", "persons")])
def test_units_that_cannot_be_compared(one: str, other: str) -> None:
    assert ratio((one,), (other,)) is None
