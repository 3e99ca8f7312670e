"""The class of a source: it cuts its input into shards, and reads what became of each record of a shard.

A source may have further abilities: it has the methods of a protocol of this module, such as :class:`Surveying`. It is
pure Python: nothing that it imports loads Beam.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import PurePosixPath
from typing import Any, ClassVar, Protocol, runtime_checkable

from allsaid.storage.streams import with_content
from schemas.borders import BY_NAME
from schemas.checks.rules import Rule
from schemas.checks.table import row_of
from schemas.runs.manifest import Manifest
from schemas.runs.rejected import Rejected
from schemas.runs.waiting import Waiting

FILES_ALONE = 64
SHARDS = 256  # of more files than these: small ones are read in groups
KEY_BYTES = 8  # of a key of `Counting`


@dataclass(frozen=True)
class Shard:
    """A part of the input that one worker reads on its own."""

    files: tuple[str, ...]  # all that is read; rows and messages name the first
    first: int = 0  # the record it begins with, in the source's own count
    last: int | None = None  # the record after its last; None: to the end
    encoding: str = ""  # of the first file, where the source finds one while planning

    @property
    def file(self) -> str:
        return self.files[0]


def shards_of(paths: Sequence[str]) -> list[Shard]:
    """A shard for each file, or for a fixed part of the names where the files are many and so probably small."""
    if len(paths) <= FILES_ALONE:
        return [Shard((path,)) for path in paths]
    groups: dict[int, list[str]] = defaultdict(list)
    for path in paths:  # by name, so that a new file changes one shard only
        groups[blake2b(PurePosixPath(path).name.encode(), digest_size=1).digest()[0] % SHARDS].append(path)
    return [Shard(tuple(files)) for _, files in sorted(groups.items())]


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
class Parsed:
    """A row of a record as it stood in the dump, whatever becomes of the record; neither counted nor fingerprinted."""

    border: str
    row: Any


@dataclass(frozen=True)
class Shared:
    """A row that belongs to the whole data set, such as a restaurant of the table; it is not counted."""

    border: str
    row: Any


@dataclass(frozen=True)
class Lost:
    """A sentence about what could not be read at all."""

    sentence: str


Result = Kept | Waiting | Rejected | Found | Parsed | Shared | Lost


@dataclass(frozen=True)
class Handling:
    """What a source does with its dump, in sentences for a data set's card."""

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
    """One kind of input. A subclass says what its records become and reads them; docs/add-a-source.md has an example.

    The docstring of the subclass is the help of `allsaid ingest NAME`; its last paragraph begins with "Example: ".
    Further abilities are methods of the protocols below, such as :class:`Awaiting` for duplicates.
    """

    borders: ClassVar[Sequence[str]]  # the tables that its rows belong to; rows of the first one are counted as kept
    handling: ClassVar[Handling]
    settings: ClassVar[type] = NoSettings  # a frozen dataclass: what decides on the content of a data set
    rules: ClassVar[Mapping[str, Sequence[Rule]]] = {}  # border -> rules that take the place of the border's own
    options: ClassVar[Mapping[str, str]] = {}  # settings with an option of their own, `--shard-bytes` -> its help

    def plan(self, paths: Sequence[str], settings: Any) -> Sequence[Shard]:
        """Cut the input into shards, by default one a file; ``paths`` are sorted files.

        Raises UserError for files that are not of this kind.
        """
        return shards_of(with_content(paths))

    @abstractmethod
    def read(self, shard: Shard, settings: Any) -> Iterator[Result]:
        """Yield the result of every record of a shard, in its order; a bad record is Rejected, never an exception."""


@runtime_checkable
class Surveying(Protocol):
    """A source whose records depend on others of any shard: every shard is surveyed before."""

    def survey(self, shard: Shard, settings: Any) -> Counter[Any]:
        """What of this shard matters to others."""
        ...

    def read(self, shard: Shard, settings: Any, surveyed: Counter[Any] | None = None) -> Iterator[Result]:
        """As :meth:`Source.read`, knowing the sum of all surveys."""
        ...


@runtime_checkable
class Counting(Protocol):
    """A source whose records depend on what stands before them in their file, also where that is in another shard."""

    def keys(self, shard: Shard, settings: Any, among: Container[bytes] | None) -> Iterator[bytes]:
        """A key of KEY_BYTES for each record that counts, and is ``among`` those asked for; None: also for others."""
        ...

    def read(self, shard: Shard, settings: Any, before: Mapping[bytes, int] | None = None) -> Iterator[Result]:
        """As :meth:`Source.read`, knowing how often each of its keys counts in the shards of its file before."""
        ...


@dataclass(frozen=True)
class Steps:
    """What is done when all shards are read; each is named as the setting that asks for it.

    A setting of such a name decides on no more than this, so that a shard need not be read again where it changes.
    """

    dev_share: float  # of the hashes of contents
    test_share: float
    duplicates: bool = True  # of records that are the same only the one with the smallest id is kept
    guard: bool = True  # training records go whose title is too near to one of dev or test
    phrase_threshold: float = 0
    phrase_min_count: int = 0
    phrase_passes: int | None = None  # of word2phrase over the training part's names; None: without a table of phrases


@dataclass(frozen=True)
class Alike:
    """What two records have in common, as the reasons of rejected rows."""

    duplicate: str  # "same_directions"
    title: str  # of what the guard compares: "same_title"


@runtime_checkable
class Awaiting(Protocol):
    """A source whose records may wait for the whole corpus: for duplicates, the guard, and phrases."""

    @property
    def alike(self) -> Alike: ...

    def steps(self, settings: Any) -> Steps | None:
        """What of this is asked for: then :meth:`Source.read` gives no record as kept, but as waiting; else None."""
        ...

    def finish(self, waiting: Waiting, split: str, phrases: Sequence[frozenset[tuple[str, str]]]) -> Kept:
        """A record that nothing speaks against; raises RecordFault where joining its phrases leaves it unusable.

        ``phrases``: the pairs of words that each pass joins.
        """
        ...


def hold(kept: Kept, same: str, title: Sequence[str], head: bytes, found: Mapping[str, int] | None = None) -> Waiting:
    """A record whose rows are made, but which may yet turn out to be a duplicate, or too near to one of dev or test.

    ``same``: the hash that duplicates shard; ``found``: those of its figures that count even if it goes.
    """
    row = next(iter(kept.rows.values()))[0]
    record = json.dumps({"rows": kept.rows, "figures": kept.figures, "words": kept.words}, default=vars)
    place = row.file, row.offset
    return Waiting(row.id, row.content_hash, same, [*title], [], record, *place, head, json.dumps(dict(found or {})))


def release(waiting: Waiting, split: str) -> Kept:
    """The record that :func:`hold` held."""
    held = json.loads(waiting.record)
    rows = {border: [row_of(BY_NAME[border].row, row) for row in found] for border, found in held["rows"].items()}
    return Kept(split, rows, held["figures"], held["words"])


@runtime_checkable
class Copying(Protocol):
    """A source with files among its settings that belong to what it makes."""

    def copied(self, settings: Any) -> Mapping[str, str]:
        """Name in the run's folder -> path of the text file that the run keeps a copy of."""
        ...


@dataclass(frozen=True)
class Findings:
    """What a source says of a finished run beside its counts."""

    figures: Mapping[str, Any]  # as the command prints them in JSON
    lines: Sequence[tuple[str, str]]  # of the command's table: what, how much
    sentences: Sequence[str]  # what looks wrong, each with its remedy


@runtime_checkable
class Reporting(Protocol):
    """A source that has more to say of a finished run than its counts."""

    def place_of(self, file: str, offset: int) -> str:
        """A record's place as people find it."""
        ...

    def report(self, manifest: Manifest, folder: str) -> Findings:
        """What stands out in a run; ``folder`` is the run's."""
        ...
