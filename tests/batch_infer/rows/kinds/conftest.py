"""The table of shelves, its data set, and a model that has learned from it."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from small_shelves import MAPPING, write_shelves

from pipelines.ingest import run as ingest
from pipelines.sources.records.source import Settings
from training.options import TrainOptions
from training.runs import start


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table, its mapping, the data set of both, and a model that knows them."""
    folder = tmp_path_factory.mktemp("shop")
    write_shelves(folder / "shelves.csv")
    (folder / "shelves.yaml").write_text(yaml.safe_dump(MAPPING, sort_keys=False))
    ingest.run(
        ingest.Request(
            "records",
            [str(folder / "shelves.csv")],
            str(folder / "data"),
            Settings(mapping=str(folder / "shelves.yaml")),
        )
    )
    settings = ["epochs=8", "hidden=24", "batch_size=4", "learning_rate=0.02", "average=0.9", "score_texts=1"]
    start.train(
        TrainOptions(
            config="table",
            data=str(folder / "data"),
            set=tuple(settings),
            run_dir=folder / "run",
            name="shelves",
            tracking="offline",
        )
    )
    (folder / "shelves.yaml").unlink()
    return folder
