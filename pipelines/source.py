"""The base class of sources: a source cuts its input into shards and yields the result of each record of a shard.

A source gets further abilities by the methods of a protocol of this module, such as :class:`Surveying`. Sources are
pure Python; nothing that they import loads Beam.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Container, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import PurePosixPath
from typing import Any, ClassVar, Protocol, runtime_checkable

from allsaid.storage.streams import with_content
from schemas.borders import BY_NAME
from schemas.checks.json_value import JsonValue
from schemas.checks.rules import Rule
from schemas.checks.table import row_of
from schemas.runs.deferred import Deferred
from schemas.runs.manifest import Manifest
from schemas.runs.rejected import Rejected

FILES_ALONE = 64  # with up to this many files, each file has a shard
SHARDS = 256  # at most, if there are more files: they are small, so a shard has several
KEY_BYTES = 8  # size of a key of `Counting`
Settings = Any  # Any: each source has its own frozen dataclass of settings


@dataclass(frozen=True)
class Shard:
    """A part of the input that one worker reads."""

    files: tuple[str, ...]  # all files that are read; rows and messages name the first
    first: int = 0  # the first record, in the source's own count
    last: int | None = None  # the record after the last one; None: to the end
    encoding: str = ""  # of the first file, if the source detects it while planning
    decimals: tuple[tuple[str, str], ...] = ()  # column -> the mark before decimals, detected while planning

    @property
    def file(self) -> str:
        return self.files[0]


def shards_of(paths: Sequence[str]) -> list[Shard]:
    """Return one shard for each file; if there are many files, shards of several files, by a hash of their names."""
    if len(paths) <= FILES_ALONE:
        return [Shard((path,)) for path in paths]
    groups: dict[int, list[str]] = defaultdict(list)
    for path in paths:  # by name, so that a new file changes one shard only
        groups[blake2b(PurePosixPath(path).name.encode(), digest_size=1).digest()[0] % SHARDS].append(path)
    return [Shard(tuple(files)) for _, files in sorted(groups.items())]


class RecordFault(Exception):
    """A record is rejected; ``reason`` is a short fixed name, the message a sentence on what is wrong."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason, self.detail = reason, detail


@dataclass(frozen=True)
class KeptRecord:
    """A record that is kept; read = kept + rejected."""

    split: str  # train, dev or test
    rows: Mapping[str, Sequence[Any]]  # border -> rows, objects of the border's dataclass; one row of the first border
    figures: Mapping[str, int] = field(default_factory=dict)  # whole numbers; the manifest has their mean and spread
    words: Mapping[str, Sequence[str]] = field(default_factory=dict)  # vocabulary -> words of this record


@dataclass(frozen=True)
class RejectedFigures:
    """Figures of a rejected record, to be added to those of kept records."""

    figures: Mapping[str, int]


@dataclass(frozen=True)
class ParsedRow:
    """A parsed row of a record, kept or rejected; it is neither counted nor part of the fingerprint."""

    border: str
    row: object


@dataclass(frozen=True)
class SharedRow:
    """A row of the whole data set, such as a restaurant of the table; it is not counted."""

    border: str
    row: object


@dataclass(frozen=True)
class Unreadable:
    """A sentence on a part of the input that could not be read at all."""

    sentence: str


Result = KeptRecord | Deferred | Rejected | RejectedFigures | ParsedRow | SharedRow | Unreadable


@dataclass(frozen=True)
class Handling:
    """Two sections of the data set's card: how a source cleans its dump, and how it splits it."""

    cleaning: str
    splits: str


BY_HASH = (
    "By a hash of the content: the same content always falls into the same part, and no record moves to another part "
    "because a further file is read."
)
AS_GIVEN = "As the corpus gives them; its `valid` is `dev` here."


@dataclass(frozen=True)
class NoSettings:
    """The settings of a source that has none."""


class Source(ABC):
    """One kind of input. A subclass declares what its records become and reads them; see docs/add-a-source.md.

    The docstring of the subclass is the help of `allsaid ingest NAME`; its last paragraph begins with "Example: ".
    Further abilities are methods of the protocols below, such as :class:`Deferring` for duplicates.
    """

    borders: ClassVar[Sequence[str]]  # the tables of its rows; rows of the first table are counted as kept
    handling: ClassVar[Handling]
    settings: ClassVar[type] = NoSettings  # a frozen dataclass: all that the content of a data set depends on
    rules: ClassVar[Mapping[str, Sequence[Rule]]] = {}  # border -> rules that replace the border's own
    is_table: ClassVar[bool] = False  # whether its records are rows of a user's table, most of which must be usable
    options: ClassVar[Mapping[str, str]] = {}  # settings with an option of their own, `--shard-bytes` -> its help
    sample: ClassVar[Mapping[str, str]] = {}  # a small input: file -> content; a setting's file has the setting's name

    def plan(self, paths: Sequence[str], settings: Settings) -> Sequence[Shard]:
        """Cut the input into shards, by default one for each file; ``paths`` are sorted files.

        Raises UserError for files of another kind.
        """
        return shards_of(with_content(paths))

    @abstractmethod
    def read(self, shard: Shard, settings: Settings) -> Iterator[Result]:
        """Yield the result of every record of a shard, in order; a bad record is Rejected, never an exception."""

    def place_of(self, file: str, offset: int) -> str:
        """Return a record's place in words that a user understands; by default, ``offset`` is in bytes."""
        return f"{file}, byte {offset:,}"

    def finish(self, deferred: Deferred, split: str, phrases: Sequence[frozenset[tuple[str, str]]]) -> KeptRecord:
        """Return a deferred record; raise RecordFault if joining its phrases makes it unusable.

        ``phrases``: the pairs of words that each pass joins.
        """
        return resume(deferred, split)


@runtime_checkable
class Surveying(Protocol):
    """A source whose records depend on others in any shard: all shards are surveyed before any is read."""

    def survey(self, shard: Shard, settings: Settings) -> Counter[Hashable]:
        """Return counts of this shard that other shards depend on."""
        ...

    # Any: each source counts keys of its own type.
    def read(self, shard: Shard, settings: Settings, surveyed: Counter[Any] | None = None) -> Iterator[Result]:
        """Read as :meth:`Source.read`, given the sum of all surveys."""
        ...


@runtime_checkable
class Counting(Protocol):
    """A source whose records depend on the keys of earlier records in their file, also in other shards of it."""

    def keys(self, shard: Shard, settings: Settings, among: Container[bytes] | None) -> Iterator[bytes]:
        """Yield a key of KEY_BYTES for each counted record whose key is in ``among``; None: for each record."""
        ...

    def read(self, shard: Shard, settings: Settings, before: Mapping[bytes, int] | None = None) -> Iterator[Result]:
        """Read as :meth:`Source.read`, given how often each key counts in earlier shards of its file."""
        ...


@dataclass(frozen=True)
class Steps:
    """The steps after all shards are read; each field is named after the setting that turns it on.

    These settings affect only these steps, so that no shard is read again if one of them changes.
    """

    dev_share: float  # share of the content hashes
    test_share: float
    duplicates: bool = True  # of equal records, keep only the record with the smallest id
    guard: bool = True  # drop training records whose title is too similar to a title of dev or test
    phrase_threshold: float = 0
    phrase_min_count: int = 0
    phrase_passes: int | None = None  # passes of word2phrase over the training part's names; None: no phrases


@dataclass(frozen=True)
class DedupReasons:
    """The reasons with which records are rejected for their similarity to others."""

    duplicate: str  # "same_directions"
    title: str  # of the guard: "same_title"


@runtime_checkable
class Deferring(Protocol):
    """A source whose records may be deferred until the whole corpus is read: for duplicates, the guard, and phrases."""

    @property
    def dedup_reasons(self) -> DedupReasons: ...

    def steps(self, settings: Settings) -> Steps | None:
        """Return the steps that the settings turn on, if any; then :meth:`Source.read` yields deferred records."""
        ...

    def finish(self, deferred: Deferred, split: str, phrases: Sequence[frozenset[tuple[str, str]]]) -> KeptRecord:
        """Return the record that was deferred."""
        ...


def defer(
    kept: KeptRecord, same: str, title: Sequence[str], head: bytes, found: Mapping[str, int] | None = None
) -> Deferred:
    """Defer a complete record that may still be a duplicate, or too similar to a record of dev or test.

    ``same``: the hash that duplicates share. ``found``: figures of the record that count even if it is rejected.
    """
    row = next(iter(kept.rows.values()))[0]
    record = json.dumps({"rows": kept.rows, "figures": kept.figures, "words": kept.words}, default=vars)
    place = row.file, row.offset
    return Deferred(row.id, row.content_hash, same, [*title], [], record, *place, head, json.dumps(dict(found or {})))


def resume(deferred: Deferred, split: str) -> KeptRecord:
    """Return the record that :func:`defer` deferred."""
    record = json.loads(deferred.record)
    rows: dict[str, list[Any]] = {
        border: [row_of(BY_NAME[border].row, row) for row in found] for border, found in record["rows"].items()
    }
    return KeptRecord(split, rows, record["figures"], record["words"])


@runtime_checkable
class Copying(Protocol):
    """A source with files among its settings that belong to its data sets."""

    def copied(self, shards: Sequence[Shard], settings: Settings) -> Mapping[str, str]:
        """Return the text files of the run: name in the run's folder -> text."""
        ...


@dataclass(frozen=True)
class Findings:
    """A source's report on a finished run, in addition to its counts."""

    figures: Mapping[str, JsonValue]  # for the command's JSON
    lines: Sequence[tuple[str, object]]  # rows of the command's table: name, value
    sentences: Sequence[str]  # warnings, each with its remedy


def sum_figures(manifest: Manifest, names: Sequence[str]) -> Findings:
    """Return findings with the sums of figures over all kept records."""
    kept = [manifest.statistics["figures"][split] for split in manifest.splits]
    sums = {name: sum(figures[name]["sum"] for figures in kept) for name in names}
    return Findings(sums, [*sums.items()], ())


@runtime_checkable
class Reporting(Protocol):
    """A source that reports more on a finished run than its counts."""

    def report(self, manifest: Manifest, folder: str) -> Findings:
        """Return the findings on a run; ``folder`` is the run's."""
        ...
