"""The counts of every run of a data set (``DIR/history.parquet``), oldest first."""

from __future__ import annotations

from dataclasses import dataclass

from schemas.checks.table import versioned

PUBLISHED, ASIDE = "published", "aside"


@dataclass(frozen=True)
class Mean:
    name: str  # a figure, such as "tokens"
    value: float  # its mean over all records kept


@dataclass(frozen=True)
class RunCounts:
    """The counts of one run."""

    run: str  # name of its folder under runs/
    run_date: str  # as given by --run-date; "": none
    created: str  # UTC, ISO 8601
    status: str  # PUBLISHED, or ASIDE if a quality gate is broken
    read: int  # records read
    kept: int  # of these, kept
    rejected: int  # of these, rejected
    losses: int  # number of messages about input that could not be read at all
    shards: int  # parts of the input
    reused: int  # of these, taken from an earlier run
    seconds: float  # from start to publication
    means: list[Mean]  # means of figures over all records kept
    faults: list[str]  # one sentence for each broken gate
    fingerprint: str  # as in the manifest: equal data, equal fingerprint

    @property
    def title(self) -> str:
        """The run's date, if given, and the time when it was made."""
        return f"{self.run_date}, made {self.created}" if self.run_date else self.created


HISTORY = versioned("history", 1, RunCounts)
