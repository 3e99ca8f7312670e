"""Beam's options: what is asked for again and again is made once."""

from __future__ import annotations

import pickle

from apache_beam.options.pipeline_options import DirectOptions

from pipelines.ingest.runner import pipeline_options


def test_a_view_of_the_options_is_made_once_and_shares_their_values() -> None:
    options = pipeline_options(["--direct_num_workers=2"])
    direct = options.view_as(DirectOptions)
    assert options.view_as(DirectOptions) is direct
    direct.direct_num_workers = 3
    assert options.get_all_options()["direct_num_workers"] == 3
    sent = pickle.loads(pickle.dumps(options))
    assert sent.view_as(DirectOptions).direct_num_workers == 3
