"""How far the perplexities of a table's systems are from the first one's, document by document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from allsaid.proof.figures import Figure
from evaluation.measures import bootstrap
from evaluation.measures.bootstrap import Interval
from evaluation.tasks.documents import SURPRISES
from training.tracking.results import Server

Columns = Mapping[str, Mapping[str, Sequence[float]]]  # by figure: "nats" and "words" of each document
Differences = Mapping[str, tuple[float, Interval]]  # by figure, a system's less the first one's


def measured(server: Server, figures: Sequence[Figure], runs: Mapping[str, str]) -> dict[str, Differences]:
    """Of each system but the first; ``runs`` by the systems' names. None where they hold no surprises."""
    if not all(SURPRISES in server.files(run) for run in runs.values()):
        return {}
    first, *others = (server.document(run, SURPRISES) for run in runs.values())
    _, *names = runs
    keys = [figure.key for figure in figures if figure.key in first]
    return {
        name: {key: _difference(theirs, first, key) for key in keys} for name, theirs in zip(names, others, strict=True)
    }


def _difference(theirs: Columns, first: Columns, key: str) -> tuple[float, Interval]:
    columns: list[Any] = [one[key][name] for one in (theirs, first) for name in ("nats", "words")]
    return bootstrap.of_perplexity_difference(*columns)


def sentence(figures: Sequence[Figure], label: str, base: str, found: Differences) -> str:
    """How far a system is from the first one."""
    heads = {figure.key: figure.short for figure in figures}
    shown = [
        f"{heads[key]} {value:+.2f} [{interval.low:+.2f}, {interval.high:+.2f}]"
        for key, (value, interval) in found.items()
    ]
    return f"{label} less {base}, in brackets the 95% bootstrap interval over the same documents: {', '.join(shown)}."
