"""Beam's options: what is asked for again and again is made once."""

from __future__ import annotations

import pickle
from pathlib import Path

import apache_beam
import pytest
from apache_beam.options.pipeline_options import DirectOptions

from pipelines.ingest.runner import make_pipeline, pipeline_options, worker_faults
from schemas.errors import UserError


def test_options_are_viewed_once() -> None:
    options = pipeline_options(["--direct_num_workers=2"])
    direct = options.view_as(DirectOptions)
    assert options.view_as(DirectOptions) is direct
    direct.direct_num_workers = 3
    assert options.get_all_options()["direct_num_workers"] == 3
    sent = pickle.loads(pickle.dumps(options))
    assert sent.view_as(DirectOptions).direct_num_workers == 3


def test_a_file_that_workers_do_not_find_is_told_in_a_sentence(tmp_path: Path) -> None:
    options = pipeline_options(["--runner=PortableRunner", "--job_endpoint=embed", "--environment_type=LOOPBACK"])
    path = tmp_path / "recipes.mmf"
    with (
        pytest.raises(UserError, match=f"^A worker finds no {path}. Workers read and write by the same paths"),
        worker_faults(options),
        make_pipeline(options) as pipeline,
    ):
        pipeline | apache_beam.Create([path]) | apache_beam.Map(Path.read_bytes)


def test_a_worker_that_beam_finds_gone_is_told_in_a_sentence() -> None:
    options = pipeline_options(["--direct_running_mode=multi_processing"])
    told = r"^A worker process died, perhaps because memory ran out\. .*--direct_num_workers"
    with pytest.raises(UserError, match=told), worker_faults(options):
        raise RuntimeError("Channel closed prematurely.")
