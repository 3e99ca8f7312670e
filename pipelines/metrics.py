"""Beam metrics and lineage of the steps of all jobs; docs/cluster.md describes them.

Outside of a pipeline, as on the trial page, these functions change nothing.
"""

from __future__ import annotations

import pipelines.beam  # noqa: F401  before Beam itself

# isort: split
from collections.abc import Iterable, Mapping

from apache_beam.io.filesystems import FileSystems
from apache_beam.metrics import Metrics, monitoring_infos
from apache_beam.metrics.cells import BoundedTrieData
from apache_beam.portability.api import metrics_pb2

from allsaid.storage.paths import absolute

NAMESPACE = "allsaid"
# Counters of an ingest.
RECORDS_READ, RECORDS_KEPT, RECORDS_REJECTED = "records_read", "records_kept", "records_rejected"
# Counters of texts and their rows.
ROWS_READ, SEARCHED, PROVEN, REUSED, ERRORS = "rows_read", "searched", "proven", "reused", "error"
UNCERTIFIED, EXTRA = "uncertified", "extra"
ROW_MICROSECONDS = "row_microseconds"  # a distribution, which Beam has of whole numbers only


def _united(*payloads: bytes) -> bytes:
    """Return the lineage of two worker processes as one."""
    first, second = (BoundedTrieData.from_proto(metrics_pb2.BoundedTrie.FromString(payload)) for payload in payloads)
    return bytes(first.combine(second).to_proto().SerializeToString())


# Beam's local runner adds up the metrics of its worker processes, but keeps the lineage of one of them only.
monitoring_infos._KNOWN_COMBINERS.setdefault(monitoring_infos.BOUNDED_TRIE_TYPE, _united)


def count(counts: Mapping[str, float]) -> None:
    """Increase counters, each by a whole number."""
    for name, number in counts.items():
        Metrics.counter(NAMESPACE, name).inc(round(number))


def time_rows(rows: int, seconds: float) -> None:
    """Record the time of rows that were made together, which took ``seconds`` in all: for each the mean."""
    distribution = Metrics.distribution(NAMESPACE, ROW_MICROSECONDS)
    for _ in range(rows):
        distribution.update(round(seconds / rows * 1e6))


def report_sources(paths: Iterable[str]) -> None:
    """Report files as sources of the pipeline."""
    for path in paths:
        FileSystems.report_source_lineage(absolute(path))


def report_sinks(paths: Iterable[str]) -> None:
    """Report files as sinks of the pipeline."""
    for path in paths:
        FileSystems.report_sink_lineage(absolute(path))
