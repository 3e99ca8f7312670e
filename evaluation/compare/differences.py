"""Differences between the perplexities of each system of a comparison and its first system, paired by document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from allsaid.proof.figures import Figure
from evaluation.measures import bootstrap
from evaluation.measures.bootstrap import Interval
from evaluation.tasks.documents import SURPRISALS_FILE
from training.tracking.results import Server

Differences = Mapping[str, tuple[float, Interval]]  # by figure, a system's value minus the first system's


def differences_to_first(server: Server, figures: Sequence[Figure], runs: Mapping[str, str]) -> dict[str, Differences]:
    """Return the differences of each system but the first; {} if a run has no surprisals by document.

    ``runs``: run ids by the systems' names, in the order of the comparison.
    """
    if not all(SURPRISALS_FILE in server.files(run) for run in runs.values()):
        return {}
    first, *others = (server.document(run, SURPRISALS_FILE) for run in runs.values())
    _, *names = runs
    keys = [figure.key for figure in figures if figure.key in first]
    return {
        name: {
            key: bootstrap.perplexity_difference(
                theirs[key]["nats"], theirs[key]["words"], first[key]["nats"], first[key]["words"]
            )
            for key in keys
        }
        for name, theirs in zip(names, others, strict=True)
    }


def sentence(figures: Sequence[Figure], label: str, base: str, differences: Differences) -> str:
    """Return a sentence with a system's differences to the first one."""
    heads = {figure.key: figure.short for figure in figures}
    shown = [
        f"{heads[key]} {value:+.2f} [{interval.low:+.2f}, {interval.high:+.2f}]"
        for key, (value, interval) in differences.items()
    ]
    return f"{label} minus {base}, in brackets the 95% bootstrap interval over the same documents: {', '.join(shown)}."
