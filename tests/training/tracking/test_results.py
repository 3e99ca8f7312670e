"""What a tracking database says of runs."""

from __future__ import annotations

import shutil
from pathlib import Path

import mlflow
import pytest

from training.tracking.results import LOSS, Server


@pytest.mark.parametrize(
    ("minutes", "took"),
    [
        ((0, 1, 3), 3),
        ((0, 1, 3, 60, 61.5), 4.5),  # cut off, and gone on with
        ((7,), 20),  # one loss: as long as the run
        ((), 20),
    ],
)
def test_a_training_took_the_time_between_its_losses(
    minutes: tuple[float, ...], took: float, tmp_path: Path, empty_database: Path
) -> None:
    shutil.copy(empty_database, tmp_path / "mlflow.db")
    server = Server(f"sqlite:///{tmp_path}/mlflow.db")
    run = server.client.create_run("0", start_time=60_000).info.run_id
    losses = [mlflow.entities.Metric(LOSS, 1.0, int(60_000 * at), step) for step, at in enumerate(minutes)]
    server.client.log_batch(run, losses)
    server.client.set_terminated(run, end_time=21 * 60_000)
    assert server.training_minutes(run) == pytest.approx(took)
