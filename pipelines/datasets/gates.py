"""Quality gates: limits that a data set must keep in order to be published."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any

from allsaid.settings import number
from schemas.errors import UserError
from schemas.runs.manifest import Manifest


class GateBroken(UserError):
    """What was reached, a data set's manifest or the summary of texts, breaks a quality gate."""

    exit_code = 2

    def __init__(self, message: str, reached: Any) -> None:
        super().__init__(message)
        self.reached = reached


@dataclass(frozen=True)
class Gates:
    """The largest values that are no fault; by default a run may lose a tenth of the rows, and all else passes."""

    rejected: float = number(1.0, 0, 1)  # share of the records read that is rejected
    lost: float = number(0.1, 0, 1)  # share of the rows kept that is missing against the last published run
    drift: float = number(inf, 0)  # change of a figure's mean against the last run, as a share of that
    unknown: float = number(1.0, 0, 1)  # share of the dev part's words that training does not know, by vocabulary


def broken(manifest: Manifest, last: Manifest | None, gates: Gates) -> list[str]:
    """A sentence for each limit that the run breaks."""
    sentences = []
    share = manifest.rejected_total / max(manifest.read, 1)
    if share > gates.rejected:
        sentences.append(
            f"The share of records rejected is {share:.1%} (of {manifest.read:,}); the gate 'rejected' allows "
            f"{gates.rejected:.1%}."
        )
    if last is not None and manifest.kept < last.kept * (1 - gates.lost):
        lost = 1 - manifest.kept / last.kept
        sentences.append(
            f"The rows kept, {manifest.kept:,}, are {lost:.1%} fewer than the {last.kept:,} of run {last.run}; "
            f"the gate 'lost' allows {gates.lost:.1%}. Where that is right, publish it with --gate lost=1."
        )
    if last is not None:
        sentences += _drifted(means(manifest), means(last), gates)
    for name, vocabulary in manifest.statistics["vocabularies"].items():
        if vocabulary["unknown share"] > gates.unknown:
            sentences.append(
                f"{vocabulary['unknown share']:.1%} of the dev part's words ({name}) are not in the training part; "
                f"the gate 'unknown' allows {gates.unknown:.1%}."
            )
    return sentences


def _drifted(now: dict[str, float], before: dict[str, float], gates: Gates) -> list[str]:
    """Means that changed too much; one that was 0, or is there in one of the runs only, changed beyond any share."""
    found = []
    for name in sorted(now.keys() | before.keys()):
        old, new = before.get(name, 0.0), now.get(name, 0.0)
        if abs(new - old) > gates.drift * abs(old):
            found.append(
                f"The mean of '{name}' went from {old:g} to {new:g}; the gate 'drift' allows {gates.drift:.1%}."
            )
    return found


def means(manifest: Manifest) -> dict[str, float]:
    """The mean of each figure over all splits."""
    figures = manifest.statistics["figures"].get("all", {})
    return {name: figure["mean"] for name, figure in figures.items()}
