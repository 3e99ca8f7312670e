"""The folder that nightly runs begin with."""

from __future__ import annotations

from pathlib import Path

import pytest
from fault_worlds import Worlds
from night_shop import NEW, write_config, write_table

from pipelines.datasets import snapshot


@pytest.fixture
def shop(worlds: Worlds, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with a table, its mapping, a model that knows it, and what a night is asked for."""
    monkeypatch.chdir(tmp_path)
    worlds.copy("model", tmp_path)
    snapshot.store("data").remove(snapshot.published("data").run)
    Path("data/manifest.json").unlink()
    Path("data/current").unlink()
    Path("data/history.parquet").unlink()
    write_table(NEW)
    write_config()
