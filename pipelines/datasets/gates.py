"""Quality gates of data sets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

from allsaid.console import counted
from allsaid.gates import Gates, Measured
from allsaid.settings import number
from schemas.runs.manifest import Manifest
from schemas.runs.rejected import NO_TEXT

_PUBLISH = "If that is right, publish it with --gate lost=1."


@dataclass(frozen=True)
class DataGates(Gates):
    """The highest allowed values; by default a run may lose a tenth of the rows, and all other gates are open."""

    rejected: float = number(1.0, 0, 1)  # share of the records read that is rejected
    # Share of the rows of the last published run that is missing; in a first run of a user's table, share of the rows
    # read that is rejected for one reason, other than that they have no text yet.
    lost: float = number(0.1, 0, 1)
    drift: float = number(inf, 0)  # relative change of a figure's mean since the last published run
    unknown: float = number(1.0, 0, 1)  # share of the dev part's words that training lacks, by vocabulary


def measure(manifest: Manifest, last: Manifest | None, is_table: bool = False) -> Iterator[Measured]:
    """Yield the figures that gates limit; ``last`` is the manifest of the last published run.

    ``is_table``: whether the records are rows of a user's table.
    """
    rejected = manifest.rejected_total / max(manifest.read, 1)
    yield Measured("rejected", rejected, f"The share of records rejected is {rejected:.1%} (of {manifest.read:,})")
    if is_table and last is None:
        reason, rows = most_rejected(manifest, but=NO_TEXT)
        what = f"{rows:,} of {counted(manifest.read, 'record')} are rejected as {reason}"
        yield Measured("lost", rows / max(manifest.read, 1), what, advice=_PUBLISH)
    if last is not None:
        lost = (last.kept - manifest.kept) / max(last.kept, 1)
        yield Measured(
            "lost",
            lost,
            f"The rows kept, {manifest.kept:,}, are {lost:.1%} fewer than the {last.kept:,} of run {last.run}",
            advice=_PUBLISH,
        )
        yield from _drift(means(manifest), means(last))
    for name, vocabulary in manifest.statistics["vocabularies"].items():
        unknown = vocabulary["unknown share"]
        yield Measured(
            "unknown", unknown, f"{unknown:.1%} of the dev part's words ({name}) are not in the training part"
        )


def most_rejected(manifest: Manifest, but: str = "") -> tuple[str, int]:
    """Return the reason, other than ``but``, for which most records could not be read, and their number."""
    found = [(reason, rows) for reason, rows in manifest.rejected.get("read", {}).items() if reason != but]
    return max(found, key=lambda one: one[1], default=("", 0))


def _drift(now: dict[str, float], before: dict[str, float]) -> Iterator[Measured]:
    """Yield the change of each mean; a mean that was 0, or that only one of the runs has, changed without bound."""
    for name in sorted(now.keys() | before.keys()):
        old, new = before.get(name, 0.0), now.get(name, 0.0)
        change = abs(new - old) / abs(old) if old else inf if new else 0.0
        yield Measured("drift", change, f"The mean of '{name}' went from {old:g} to {new:g}")


def means(manifest: Manifest) -> dict[str, float]:
    """Return the mean of each figure over all splits."""
    figures = manifest.statistics["figures"].get("all", {})
    return {name: figure["mean"] for name, figure in figures.items()}
