"""The folder that tests of proofs begin with."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_proof import GOOD, MAPPING, ROWS, write


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A folder with a table, its mapping, and good texts."""
    write(tmp_path / "table.csv", ROWS)
    write(tmp_path / "texts.csv", GOOD)
    (tmp_path / "mapping.yaml").write_text(MAPPING, encoding="utf-8")
    return tmp_path
