"""Events of `allsaid.lineage` in OpenLineage's format; this module loads its client."""

from __future__ import annotations

from datetime import UTC, datetime
from importlib import metadata
from math import isfinite
from typing import TYPE_CHECKING, Any  # Any: JSON

from openlineage.client import event_v2, facet_v2

if TYPE_CHECKING:
    from allsaid.gates import Check
    from allsaid.lineage_data import Data, Run, RunName

VERSION = metadata.version("allsaid")
event_v2.set_producer(f"urn:allsaid:{VERSION}")


def event(run: Run, state: str, message: str, trace: str) -> event_v2.RunEvent:
    """Return the event of a run's new state; message, trace: of the error."""
    facets: dict[str, facet_v2.RunFacet] = {
        "processing_engine": facet_v2.processing_engine_run.ProcessingEngineRunFacet(VERSION, "Allsaid")
    }
    if run.parent is not None:
        facets["parent"] = _parent(run.parent, run.root or run.parent)
    if message:
        facets["errorMessage"] = facet_v2.error_message_run.ErrorMessageRunFacet(message, "python", trace or None)
    return event_v2.RunEvent(
        eventType=event_v2.RunState[state],
        eventTime=datetime.now(UTC).isoformat(),
        run=event_v2.Run(run.name.run, facets),
        job=event_v2.Job(run.name.namespace, run.name.job),
        inputs=[_input(data) for data in run.reads.values()],
        outputs=[_output(data) for data in run.writes.values()],
    )


def _parent(parent: RunName, root: RunName) -> facet_v2.parent_run.ParentRunFacet:
    kinds = facet_v2.parent_run
    return kinds.ParentRunFacet(
        kinds.Run(parent.run),
        kinds.Job(parent.namespace, parent.job),
        kinds.Root(kinds.RootRun(root.run), kinds.RootJob(root.namespace, root.job)),
    )


def _input(data: Data) -> event_v2.InputDataset:
    counts = facet_v2.input_statistics_input_dataset.InputStatisticsInputDatasetFacet(data.rows, fileCount=data.files)
    facets: dict[str, facet_v2.InputDatasetFacet] = {} if data.rows is None else {"inputStatistics": counts}
    return event_v2.InputDataset(data.namespace, data.name, facets, facets=_facets(data))


def _output(data: Data) -> event_v2.OutputDataset:
    counts = facet_v2.output_statistics_output_dataset.OutputStatisticsOutputDatasetFacet(
        data.rows, fileCount=data.files
    )
    facets: dict[str, facet_v2.OutputDatasetFacet] = {} if data.rows is None else {"outputStatistics": counts}
    return event_v2.OutputDataset(data.namespace, data.name, facets, facets=_facets(data))


def _facets(data: Data) -> dict[str, Any]:
    """Return the facets of data that is read or written: its version, its columns, its checks."""
    # The client types assertions as facets of inputs; consumers read them of outputs, too.
    facets: dict[str, Any] = {}
    if data.version:
        facets["version"] = facet_v2.dataset_version_dataset.DatasetVersionDatasetFacet(data.version)
    if data.columns:
        kinds = facet_v2.schema_dataset
        columns = [kinds.SchemaDatasetFacetFields(name, kind) for name, kind in data.columns]
        facets["schema"] = kinds.SchemaDatasetFacet(columns)
    if checks := [_assertion(check) for check in data.checks if isfinite(check.limit)]:
        facets["dataQualityAssertions"] = facet_v2.data_quality_assertions_dataset.DataQualityAssertionsDatasetFacet(
            checks
        )
    return facets


def _assertion(check: Check) -> facet_v2.data_quality_assertions_dataset.Assertion:
    figure = check.figure
    return facet_v2.data_quality_assertions_dataset.Assertion(
        assertion=figure.gate,
        success=check.passed,
        severity="error",
        description=figure.what,
        expected=f"{'at least' if figure.is_least else 'at most'} {check.limit:g}",
        actual=f"{figure.value:g}",
    )
