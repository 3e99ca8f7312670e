"""Texts of an output of `allsaid generate`, and whether they have a certificate; for the scripts that judge them.

Texts of other systems are written as such an output.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from batch_infer.proof.judge import Judge
from batch_infer.proof.summary import text_files
from schemas.example import Example


def read_texts(output: Path) -> list[dict[str, Any]]:
    """Return the first text of each row."""
    rows = [row for path in text_files(str(output)) for row in pq.read_table(path).to_pylist()]
    return [row for row in rows if not row["text_number"]]


def write_texts(output: Path, rows: Sequence[Example], texts: Sequence[Sequence[str]], judge: Judge) -> None:
    """Write a text (tokens) of each row as an output that `read_texts` reads."""
    lines = [
        {"id": row.id, "goal": row.goal, "agenda": list(row.agenda), "text": judge.publish(words, row)}
        | {"text_number": 0, "error": None if words else "no text"}
        for row, words in zip(rows, texts, strict=True)
    ]
    (output / "texts").mkdir(parents=True)
    pq.write_table(pa.Table.from_pylist(lines), output / "texts" / "part-00000.parquet")


def has_certificates(text: dict[str, Any]) -> bool:
    """Whether an output has the column `certified`."""
    return text.get("certified") is not None


def is_certified(text: dict[str, Any]) -> bool:
    """Whether a text is certified. Outputs without the column `certified`: whether nothing is missing or extra."""
    return bool(text["certified"]) if has_certificates(text) else not has_fault(text)


def has_fault(text: dict[str, Any]) -> bool:
    """Whether the row has no text, or its text has a missing or an extra value."""
    return bool(text["error"] or text["missing"] or text["extra_count"] or not text["text"])
