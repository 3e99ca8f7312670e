"""The result of the pipeline that a job runs: its metrics and its lineage."""

from __future__ import annotations

from types import ModuleType

import apache_beam
import pytest
from apache_beam.metrics.cells import DistributionResult
from apache_beam.metrics.metric import Lineage, MetricsFilter

from pipelines.ingest import runner
from pipelines.metrics import NAMESPACE


class Pipelines:
    """All pipelines made from now on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, user: ModuleType) -> None:
        """user: the module that makes them."""
        self._made: list[apache_beam.Pipeline] = []
        make = runner.make_pipeline

        def keep(options: object) -> apache_beam.Pipeline:
            self._made.append(make(options))
            return self._made[-1]

        monkeypatch.setattr(user, "make_pipeline", keep)

    def counters(self) -> dict[str, int]:
        """Return the counters of the last pipeline, each summed over the steps."""
        found: dict[str, int] = {}
        for metric in self._query()["counters"]:
            found[metric.key.metric.name] = found.get(metric.key.metric.name, 0) + metric.committed
        return found

    def distribution(self, name: str) -> DistributionResult:
        (found,) = (metric for metric in self._query()["distributions"] if metric.key.metric.name == name)
        return found.committed

    def lineage(self) -> tuple[set[str], set[str]]:
        """Return the paths of the local files that are sources and sinks of the last pipeline."""
        metrics, local = self._made[-1].result.metrics(), "filesystem:localhost."
        sources, sinks = (Lineage.query(metrics, label) for label in (Lineage.SOURCE, Lineage.SINK))
        assert all(name.startswith(local) for name in sources | sinks)
        return {name.removeprefix(local) for name in sources}, {name.removeprefix(local) for name in sinks}

    def _query(self) -> dict[str, list]:
        return self._made[-1].result.metrics().query(MetricsFilter().with_namespace(NAMESPACE))
