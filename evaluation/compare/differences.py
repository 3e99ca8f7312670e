"""How far the perplexities of a table's systems are from the first one's, document by document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evaluation.measures import bootstrap
from evaluation.tasks.documents import SURPRISES
from training.metrics.figures import Figure
from training.tracking.results import Server

Columns = Mapping[str, Mapping[str, Sequence[float]]]  # by figure: "nats" and "words" of each document


def sentences(server: Server, figures: Sequence[Figure], runs: Mapping[str, str]) -> list[str]:
    """One for each system but the first; none where the runs, by the systems' labels, hold no surprises."""
    if not all(SURPRISES in server.files(run) for run in runs.values()):
        return []
    first, *others = (server.document(run, SURPRISES) for run in runs.values())
    base, *labels = runs
    shown = [figure for figure in figures if figure.key in first]
    return [
        f"{label} less {base}, in brackets the 95% bootstrap interval over the same documents: "
        + ", ".join(f"{figure.short} {_difference(theirs, first, figure.key)}" for figure in shown)
        + "."
        for label, theirs in zip(labels, others, strict=True)
    ]


def _difference(theirs: Columns, first: Columns, key: str) -> str:
    columns: list[Any] = [one[key][name] for one in (theirs, first) for name in ("nats", "words")]
    value, interval = bootstrap.of_perplexity_difference(*columns)
    return f"{value:+.2f} [{interval.low:+.2f}, {interval.high:+.2f}]"
