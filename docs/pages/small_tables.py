"""The figures of docs/small-tables.md."""

from __future__ import annotations

from allsaid import markdown
from pages.results import paragraph
from training.fitting.expectations import CERTIFIED


def expected() -> str:
    """The share of rows with a certified text, by the size of the training part."""
    rows = [[f"{size:,}", f"{low}" if low == high else f"{low} to {high}"] for size, (low, high) in CERTIFIED.items()]
    told = paragraph(
        """
        These shares are a calibration by the rate of known forms (`training/fitting/expectations.py`); a measurement of
        the certificate itself is to replace them.
        """
    )
    return f"{markdown.table(['training texts', '% of rows with a certified text'], rows)}\n\n{told}"
