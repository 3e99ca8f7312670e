"""Beam's metrics of a job, next to what its rows say, and the files that it reports as its lineage."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from batch_tables import read
from fault_worlds import Worlds
from pipeline_results import Pipelines

from batch_infer.job import generate, prove, run
from batch_infer.options.generate import GenerateOptions
from batch_infer.options.job import TextGates
from batch_infer.options.prove import ProveOptions
from pipelines import metrics

HERE = ("--direct_running_mode=in_memory",)
BAD = "x1,,Fir,oak,12,no,The oak chair Fir is 12 cm wide and never folds."  # no sort, so no text


@pytest.fixture
def shop(worlds: Worlds, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory: a table of chairs, one row at fault, and a model of it."""
    worlds.copy("model", tmp_path)
    monkeypatch.chdir(tmp_path)
    with Path("chairs.csv").open("a") as table:
        table.write(f"{BAD}\n")
    return tmp_path


def of_rows(rows: list[dict[str, Any]]) -> dict[str, int]:
    """Return the counts that the metrics must have by the written rows."""
    return {
        metrics.ROWS_READ: len(rows),
        metrics.ERRORS: sum(row["error"] is not None for row in rows),
        metrics.UNCERTIFIED: sum(row["certified"] is False for row in rows),
        metrics.EXTRA: sum(row["extra_count"] or 0 for row in rows),
    }


def test_metrics_of_generated_texts(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pipelines = Pipelines(monkeypatch, run)
    generate.run(GenerateOptions("chairs", "chairs.csv", "first", beam_args=HERE, rows_per_file=20))
    rows, counters = read(shop / "first"), pipelines.counters()
    written = of_rows(rows)
    assert (written[metrics.ROWS_READ], written[metrics.ERRORS]) == (61, 1)
    assert counters == written | {metrics.SEARCHED: 60, metrics.PROVEN: 60, metrics.REUSED: 0}
    times = pipelines.distribution(metrics.ROW_MICROSECONDS)
    assert times.count == 61 and 0 < times.min <= times.mean <= times.max
    texts = {str(path) for path in (shop / "first" / "texts").iterdir()}
    assert len(texts) > 1 and pipelines.lineage() == ({str(shop / "chairs.csv")}, texts)

    lines = Path("chairs.csv").read_text().replace(",41,", ",47,").splitlines()
    Path("chairs.csv").write_text("\n".join(lines) + "\n")
    generate.run(GenerateOptions("chairs", "chairs.csv", "second", beam_args=HERE, previous="first"))
    counters = pipelines.counters()
    assert counters == of_rows(read(shop / "second")) | {
        metrics.SEARCHED: 1,
        metrics.PROVEN: 1,
        metrics.REUSED: 59,
    }
    assert pipelines.distribution(metrics.ROW_MICROSECONDS).count == 2  # the row at fault is read again


def test_metrics_of_submitted_texts(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pipelines = Pipelines(monkeypatch, run)
    Path("texts.csv").write_text(
        "nr,said\nc0,The red chair Alder is 40 cm wide. It has a laptop sleeve.\nc1,A chair.\n"
    )
    options = ProveOptions(
        "chairs.csv", "proof", model="chairs", texts="texts.csv", gate=TextGates(errors=1), beam_args=HERE
    )
    prove.run(options)
    written = of_rows(read(shop / "proof"))
    assert written[metrics.ERRORS] == 59 and written[metrics.UNCERTIFIED] == 2
    assert pipelines.counters() == written | {metrics.SEARCHED: 0, metrics.PROVEN: 2, metrics.REUSED: 0}
