"""Texts of an output of `allsaid generate`, and whether they have a certificate; for the scripts that judge them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from batch_infer.proof.summary import text_files


def read_texts(output: Path) -> list[dict[str, Any]]:
    """Return the first text of each row."""
    rows = [row for path in text_files(str(output)) for row in pq.read_table(path).to_pylist()]
    return [row for row in rows if not row["text_number"]]


def has_certificates(text: dict[str, Any]) -> bool:
    """Whether an output has the column `certified`."""
    return text.get("certified") is not None


def is_certified(text: dict[str, Any]) -> bool:
    """Whether a text is certified. Outputs without the column `certified`: whether nothing is missing or extra."""
    return bool(text["certified"]) if has_certificates(text) else not has_fault(text)


def has_fault(text: dict[str, Any]) -> bool:
    """Whether the row has no text, or its text has a missing or an extra value."""
    return bool(text["error"] or text["missing"] or text["extra_count"] or not text["text"])
