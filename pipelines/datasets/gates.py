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
    """The highest allowed values; by default a run may lose a tenth of the rows, and nothing else is limited."""

    rejected: float = number(1.0, 0, 1)  # rejected records, as a share of those read
    # How many fewer rows are kept than in the last published run, as a share of that run's. For a user's table, also
    # the share of rows rejected for any one reason, minus the last run's share; rows without a text don't count.
    lost: float = number(0.1, 0, 1)
    drift: float = number(inf, 0)  # relative change of a figure's mean since the last published run
    unknown: float = number(1.0, 0, 1)  # share of the dev part's words that the training part lacks, by vocabulary


def measure(manifest: Manifest, last: Manifest | None, is_table: bool = False) -> Iterator[Measured]:
    """Yield the figures that gates limit; ``last`` is the manifest of the last published run.

    ``is_table``: whether the records are rows of a user's table.
    """
    rejected = manifest.rejected_total / max(manifest.read, 1)
    yield Measured("rejected", rejected, f"The share of records rejected is {rejected:.1%} (of {manifest.read:,})")
    lost = [*(_rejected(manifest, last) if is_table else ()), *(_fewer(manifest, last) if last else ())]
    if lost:
        yield max(lost, key=lambda figure: figure.value)
    if last is not None:
        yield from _drift(means(manifest), means(last))
    for name, vocabulary in manifest.statistics["vocabularies"].items():
        unknown = vocabulary["unknown share"]
        yield Measured(
            "unknown", unknown, f"{unknown:.1%} of the dev part's words ({name}) are not in the training part"
        )


def _rejected(manifest: Manifest, last: Manifest | None) -> Iterator[Measured]:
    """Yield, for each reason, the share of rows rejected for it, minus the last run's share."""
    before = last.rejected.get("read", {}) if last else {}
    for reason, rows in manifest.rejected.get("read", {}).items():
        if reason != NO_TEXT:
            usual = before.get(reason, 0) / max(last.read, 1) if last else 0.0
            what = f"{rows:,} of {counted(manifest.read, 'record')} are rejected as {reason}"
            yield Measured("lost", rows / max(manifest.read, 1) - usual, what, advice=_PUBLISH)


def _fewer(manifest: Manifest, last: Manifest) -> Iterator[Measured]:
    """Yield how many fewer rows are kept than in the last run, as a share of that run's."""
    lost = (last.kept - manifest.kept) / max(last.kept, 1)
    what = f"The rows kept, {manifest.kept:,}, are {lost:.1%} fewer than the {last.kept:,} of run {last.run}"
    yield Measured("lost", lost, what, advice=_PUBLISH)


def _drift(now: dict[str, float], before: dict[str, float]) -> Iterator[Measured]:
    """Yield the relative change of each mean; infinite if it was 0 before and is not now. A mean a run lacks is 0."""
    for name in sorted(now.keys() | before.keys()):
        old, new = before.get(name, 0.0), now.get(name, 0.0)
        change = abs(new - old) / abs(old) if old else inf if new else 0.0
        yield Measured("drift", change, f"The mean of '{name}' went from {old:g} to {new:g}")


def means(manifest: Manifest) -> dict[str, float]:
    """Return the mean of each figure over all splits."""
    figures = manifest.statistics["figures"].get("all", {})
    return {name: figure["mean"] for name, figure in figures.items()}
