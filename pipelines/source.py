"""What a dump's module offers to the wiring: shares of the input, and what became of each record in them.

A source is a module with ``Settings`` (a frozen dataclass), ``BORDERS`` (the names of the borders that it writes, the
one whose rows are counted as kept first), ``plan`` and ``read``. It is pure Python: no Beam.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from schemas.rejected import Rejected


@dataclass(frozen=True)
class Share:
    """A part of the input that one worker reads on its own."""

    files: tuple[str, ...]  # all that is read; rows and messages name the first
    first: int = 0  # the record it begins with, in the source's own count
    last: int | None = None  # the record after its last; None: to the end
    encoding: str = ""  # of the first file, where the source finds one while planning

    @property
    def file(self) -> str:
        return self.files[0]


class RecordFault(Exception):
    """A record that is not kept; ``reason`` is a short fixed name, the message a sentence with what is wrong."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason, self.detail = reason, detail


@dataclass(frozen=True)
class Kept:
    """A record that is kept: read = kept + rejected counts these."""

    split: str  # train, dev or test
    rows: Mapping[str, Sequence[Any]]  # border -> dataclass rows; exactly one of the first border
    figures: Mapping[str, int] = field(default_factory=dict)  # whole numbers; the manifest tells mean and spread
    words: Mapping[str, Sequence[str]] = field(default_factory=dict)  # vocabulary -> words of this record


@dataclass(frozen=True)
class Found:
    """What was found in a record that is rejected; it adds up with the figures of those that are kept."""

    figures: Mapping[str, int]


@dataclass(frozen=True)
class Shared:
    """A row that belongs to the whole data set, such as a restaurant of the table; it is not counted."""

    border: str
    row: Any


@dataclass(frozen=True)
class Lost:
    """A sentence about what could not be read at all."""

    sentence: str


Result = Kept | Rejected | Found | Shared | Lost


class Source(Protocol):
    """The module of one dump."""

    @property
    def BORDERS(self) -> Sequence[str]: ...

    @property
    def Settings(self) -> type: ...

    def plan(self, paths: Sequence[str], settings: Any) -> Sequence[Share]:
        """Cut the input into shares; ``paths`` are sorted files. Raises UserError for what is no such dump."""
        ...

    def read(self, share: Share, settings: Any) -> Iterator[Result]:
        """Every record of a share, in its order: kept or rejected, with no exception for a bad one."""
        ...


@runtime_checkable
class Surveying(Protocol):
    """The module of a dump whose records depend on the whole of it: every share is surveyed before."""

    @property
    def BORDERS(self) -> Sequence[str]: ...

    @property
    def Settings(self) -> type: ...

    def plan(self, paths: Sequence[str], settings: Any) -> Sequence[Share]: ...

    def survey(self, share: Share, settings: Any) -> Counter[Any]:
        """What of this share matters to others."""
        ...

    def read(self, share: Share, settings: Any, surveyed: Counter[Any]) -> Iterator[Result]:
        """As :meth:`Source.read`, knowing the sum of all surveys."""
        ...
