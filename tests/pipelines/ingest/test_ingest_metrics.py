"""Beam's metrics of an ingest, next to its manifest, and the files that it reports as its lineage."""

from __future__ import annotations

from pathlib import Path

import pytest
from dumps import cookbook, dump, recipe
from pipeline_results import Pipelines

from pipelines import metrics
from pipelines.ingest import runner
from pipelines.ingest.request import Request
from pipelines.ingest.run import run
from pipelines.sources.mealmaster.source import Settings

BAD = recipe("Empty pot", ["1|c|Water"], "Boil the water in the pot and pour it over whatever is at hand today.")


@pytest.mark.parametrize("options", [("in_memory", "1"), ("multi_processing", "2")], ids=["one process", "two"])
def test_metrics_of_an_ingest(options: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pipelines = Pipelines(monkeypatch, runner)
    for number, recipes in enumerate(([*cookbook(range(40)), BAD], cookbook(range(35, 70)))):
        (tmp_path / f"{number}.mmf").write_bytes(dump(recipes))
    inputs, output = [str(tmp_path / "*.mmf")], tmp_path / "data"
    mode, workers = options
    beam_args = f"--direct_running_mode={mode}", f"--direct_num_workers={workers}"
    manifest = run(Request("mealmaster", inputs, str(output), Settings(), beam_args))
    assert manifest.rejected_total > 1 and manifest.read == 76
    assert pipelines.counters() == {
        metrics.RECORDS_READ: manifest.read,
        metrics.RECORDS_KEPT: manifest.kept,
        metrics.RECORDS_REJECTED: manifest.rejected_total,
    }
    folder = output / "runs" / manifest.run
    written = {str(folder / entry["path"]) for entries in manifest.files.values() for entry in entries}
    assert pipelines.lineage() == ({str(tmp_path / "0.mmf"), str(tmp_path / "1.mmf")}, written)
