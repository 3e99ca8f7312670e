"""Units of one dimension are compared by their size."""

from __future__ import annotations

from decimal import Decimal

import pytest
from cases import cases

from allsaid.language.units import other_spellings, ratio


@cases
def test_a_unit_in_another(one: str, other: str, size: str) -> None:
    assert ratio(tuple(one.split()), tuple(other.split())) == Decimal(size)


@pytest.mark.parametrize(("one", "other"), [("kg", "m"), ("€", "$"), ("wh", "mah"), ("kg", "persons")])
def test_units_that_cannot_be_compared(one: str, other: str) -> None:
    assert ratio((one,), (other,)) is None


@pytest.mark.parametrize(
    ("written", "other"),
    [
        ("3 min", "three minutes"),
        ("3 - 4 min", "three to four minutes"),
        ("3 to 4 minutes", "3 – 4 min"),
        ("27 €", "27 euros"),
        ("90 ° c", "90 degrees"),
    ],
)
def test_an_amount_in_other_words(written: str, other: str) -> None:
    assert tuple(other.split()) in other_spellings(tuple(written.split()))


@pytest.mark.parametrize("written", ["3", "min", "tin min", "3 tins", "100 kg of 5 g", "2 x 3 m"])
def test_other_words_are_no_amount(written: str) -> None:
    assert other_spellings(tuple(written.split())) == ()


def test_other_units_and_numbers_are_not_meant() -> None:
    found = other_spellings(("3", "-", "4", "min"))
    assert ("3", "minutes") not in found and ("4", "to", "3", "min") not in found
    assert not any("hours" in words for words in found)
