"""The models that tests of the batch job share."""

from __future__ import annotations

from pathlib import Path

import pytest
from in_process import allsaid
from tiny_model import save_tiny_model

SAMPLES = Path(__file__).parents[3] / "samples"
CLAIMS = "claims: {allowed: [a small workshop], forbidden: [easy to carry]}\n"


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_model(tmp_path_factory.mktemp("model"))


@pytest.fixture(scope="session")
def assembled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sample table's mapping, with claims, its data set and a run of the model that assembles."""
    folder = tmp_path_factory.mktemp("assembled")
    (folder / "mapping.yaml").write_text((SAMPLES / "products.yaml").read_text(encoding="utf-8") + CLAIMS)
    given = ("--input", str(SAMPLES / "products.csv"), "--mapping", str(folder / "mapping.yaml"))
    in_memory = "--direct_running_mode=in_memory"
    assert allsaid("ingest", "records", *given, "--output", str(folder / "data"), in_memory) == 0
    place = ("--run-dir", str(folder / "run"), "--tracking", "offline")
    assert allsaid("train", "assemble", "--data", str(folder / "data"), *place) == 0
    return folder
