"""Values of records in texts: what is given, what is extra, and which numbers no record supports."""

from __future__ import annotations

import pytest

from training.metrics.values import is_unsupported_number


@pytest.mark.parametrize(
    ("word", "unsupported"),
    [
        ("12", False),
        ("12mm", False),
        ("1,000", False),
        ("1000", False),
        ("8.5", False),
        ("8,50", False),
        ("-8.50", True),
        ("112", True),
        ("1.2", True),
        ("2", True),
        ("10-12", True),
        ("mm", False),
        ("SLOT_NAME_2", False),
    ],
)
def test_a_number_is_supported_by_the_line_that_holds_it(word: str, unsupported: bool) -> None:
    agenda = ["size=12 mm", "weight=1000", "price=8.50 EUR", "name"]
    assert is_unsupported_number(word, agenda) is unsupported
