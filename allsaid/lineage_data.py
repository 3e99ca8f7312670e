"""A run in progress and the data that it reads and writes, as events of OpenLineage report them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from allsaid.gates import Check

if TYPE_CHECKING:
    from openlineage.client import OpenLineageClient


@dataclass(frozen=True)
class Data:
    """A data set, a table, a file of texts or a model; a field that is not known is empty or None."""

    namespace: str
    name: str
    version: str = ""
    columns: tuple[tuple[str, str], ...] = ()  # names and types
    rows: int | None = None
    files: int | None = None
    checks: tuple[Check, ...] = ()  # of the gates


@dataclass(frozen=True)
class RunName:
    namespace: str  # of the job
    job: str
    run: str  # UUID


@dataclass
class Run:
    """A run in progress."""

    name: RunName
    client: OpenLineageClient
    parent: RunName | None
    root: RunName | None  # of all runs above it
    reads: dict[tuple[str, str], Data] = field(default_factory=dict)  # by namespace and name
    writes: dict[tuple[str, str], Data] = field(default_factory=dict)
