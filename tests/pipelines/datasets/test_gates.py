"""Gates on a data set beside the one before: how far a mean may drift."""

from __future__ import annotations

from dataclasses import replace

import pytest
from small_manifest import EMPTY

from pipelines.datasets.gates import DataGates, measure
from schemas.runs.manifest import Manifest


def means(**values: float) -> Manifest:
    figures = {"all": {name: {"mean": value} for name, value in values.items()}}
    return replace(EMPTY, read=9, kept=9, statistics={"figures": figures, "vocabularies": {}})


@pytest.mark.parametrize(
    ("before", "now", "changed"),
    [
        ({"tokens": 10.0}, {"tokens": 10.9}, ""),
        ({"tokens": 10.0}, {"tokens": 11.1}, "'tokens' went from 10 to 11.1"),
        ({"tokens": 0.0}, {"tokens": 0.0}, ""),
        ({"tokens": 0.0}, {"tokens": 0.1}, "'tokens' went from 0 to 0.1"),
        ({"tokens": 1.0, "items": 2.0}, {"tokens": 1.0}, "'items' went from 2 to 0"),
        ({"tokens": 1.0}, {"tokens": 1.0, "items": 2.0}, "'items' went from 0 to 2"),
    ],
)
def test_drift(before: dict[str, float], now: dict[str, float], changed: str) -> None:
    figures = [*measure(means(**now), means(**before))]
    sentences = DataGates(drift=0.1).broken(figures)
    assert len(sentences) == bool(changed) and changed in "".join(sentences)
    assert DataGates().broken(figures) == []
