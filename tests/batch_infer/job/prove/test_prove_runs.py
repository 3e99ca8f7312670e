"""The proof of the samples' texts by two worker processes, and what a tracking server gets of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from batch_tables import read
from mlflow.tracking import MlflowClient
from mlflow_server import MlflowServer

from batch_infer.job import prove
from batch_infer.options.prove import ProveOptions
from batch_infer.proof import summary
from batch_infer.rows import hashes
from pipelines.sources import cuts

SAMPLES = Path(__file__).parents[4] / "samples"
HERE = ("--direct_running_mode=in_memory",)
TWO_PROCESSES = ("--direct_running_mode=multi_processing", "--direct_num_workers=2")


def options(output: Path, beam_args: tuple[str, ...] = HERE, rows_per_file: int | None = None) -> ProveOptions:
    return ProveOptions(
        str(SAMPLES / "new_products.csv"),
        str(output),
        texts=str(SAMPLES / "new_texts.csv"),
        mapping=str(SAMPLES / "products.yaml"),
        rows_per_file=rows_per_file,
        beam_args=beam_args,
    )


@pytest.mark.slow
def test_two_processes_prove_what_one_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prove.run(options(tmp_path / "one", rows_per_file=2))
    monkeypatch.setattr(cuts, "SHARD_BYTES", 100)  # the table is large, and the workers survey it
    monkeypatch.setattr(hashes, "ROWS", 2)  # in a file of places, and its shard
    prove.run(options(tmp_path / "two", TWO_PROCESSES, rows_per_file=2))
    assert len(read(tmp_path / "one")) == 6
    assert [path.read_bytes() for path in sorted((tmp_path / "one" / "texts").iterdir())] == [
        path.read_bytes() for path in sorted((tmp_path / "two" / "texts").iterdir())
    ]


@pytest.mark.slow
def test_a_tracking_server_gets_the_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "server").mkdir()
    server = MlflowServer(tmp_path / "server")
    monkeypatch.setenv("MLFLOW_TRACKING_URI", server.uri)
    server.start()
    try:
        prove.run(options(tmp_path / "proof"))
        client = MlflowClient(server.uri)
        (run,) = client.search_runs([one.experiment_id for one in client.search_experiments()])
    finally:
        server.kill()
    found = summary.read(str(tmp_path / "proof"))
    assert run.data.metrics["texts"] == 6 and run.data.metrics["percent_given"] == found.percent_given < 100
    assert run.data.params["submitted"].endswith("new_texts.csv")
    (used,) = run.inputs.dataset_inputs
    assert (used.dataset.name, used.dataset.digest) == ("new_products.csv", found.input_fingerprint)
    assert (run.data.tags["system"], run.data.tags["output"]) == ("table", str(tmp_path / "proof"))
