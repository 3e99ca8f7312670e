"""What the batch job reads and writes: agendas as JSON lines, and the rows of its texts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

pa.array([0])  # Arrow's first array decides whether it uses pandas, as it must for nanoseconds; a job hides pandas


def write_lines(path: Path, rows: list[Any]) -> Path:
    path.write_text("".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows))
    return path


def read(output: Path) -> list[dict[str, Any]]:
    return [row for path in sorted((output / "texts").iterdir()) for row in pq.read_table(path).to_pylist()]
