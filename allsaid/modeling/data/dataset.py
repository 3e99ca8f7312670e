"""A published data set, and the order of its examples in training."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Protocol, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.fs as pafs
import yaml

from allsaid import lineage
from allsaid.storage.parquet import open_parquet
from schemas.act import Act
from schemas.borders import BY_NAME
from schemas.checks.table import check_schema, from_table
from schemas.dialogue import NO_FOLD, Dialogue
from schemas.errors import UserError
from schemas.example import SPLITS, Example
from schemas.offer import OFFER, Offer
from schemas.phrase import PHRASE
from schemas.runs.manifest import MANIFEST_NAME, MAPPING_NAME, Manifest

T = TypeVar("T")

DEV_ONE_IN = 10  # the dev part is one in this many of the dialogues outside the fold
POOL = 50  # batches whose texts are sorted by length together


class DataSet:
    """A published data set, in a folder or an object store."""

    def __init__(self, where: str, fold: int = NO_FOLD) -> None:
        """fold: its dialogues are the test part, the other dialogues train and dev; other tables keep their splits."""
        self.where, self._fold = where, fold
        self.address = where if "://" in where else str(Path(where).absolute())
        try:
            self._files, self._root = pafs.FileSystem.from_uri(self.address)
            with self._files.open_input_stream(f"{self._root}/{MANIFEST_NAME}") as stream:
                text = stream.read().decode()
        except (OSError, pa.ArrowException) as fault:
            manifest = f"{where.rstrip('/')}/{MANIFEST_NAME}"
            raise UserError(
                f"{where} holds no data set ({manifest} can't be read). Run `allsaid ingest` first."
            ) from fault
        self.manifest = Manifest.from_json(text, f"{where}/{MANIFEST_NAME}")

    @property
    def lineage_input(self) -> lineage.Data:
        """Describe the data set as the input of a run."""
        manifest = self.manifest
        return lineage.data(self.address, manifest.fingerprint, BY_NAME[manifest.unit].schema, manifest.kept)

    @property
    def borders(self) -> frozenset[str]:
        """Return the names of the borders (tables, `schemas.borders`) that have files: "examples", "acts", …."""
        return frozenset(border for border, files in self.manifest.files.items() if files)

    def of_fold(self, fold: int) -> DataSet:
        """Return the same data, with its dialogues split for cross-validation."""
        return self if fold == self._fold else DataSet(self.where, fold)

    def tables(self, split: str, border: str = "examples") -> Iterator[pa.Table]:
        """Yield the rows of one split of a border (a table), one file at a time; schemas are checked."""
        for path in self._paths(f"{border}/split={split}/"):
            yield self._read(path, BY_NAME[border].schema)

    def examples(self, split: str) -> Iterator[Example]:
        return rows_of_tables(self.tables(split), Example)

    def goals(self, split: str) -> Iterator[str]:
        for table in self.tables(split):
            yield from table.column("goal").to_pylist()

    def acts(self, split: str) -> Iterator[Act]:
        """Yield the acts of one split, in the order of its examples; none if the source is no dialogue."""
        return rows_of_tables(self.tables(split, "acts"), Act)

    def dialogues(self, split: str) -> Iterator[Dialogue]:
        """Yield the dialogues of a split.

        In cross-validation the fold is the test part, and a tenth of the other dialogues, by content, the dev part.
        """
        for part in SPLITS if self._fold != NO_FOLD else (split,):
            for dialogue in rows_of_tables(self.tables(part, "dialogues"), Dialogue):
                if self._fold == NO_FOLD or self._split_of(dialogue) == split:
                    yield dialogue

    def _split_of(self, dialogue: Dialogue) -> str:
        if dialogue.fold == self._fold:
            return "test"
        return "dev" if int(dialogue.content_hash, 16) % DEV_ONE_IN == 0 else "train"

    def offers(self) -> list[Offer]:
        """Return the things that the dialogues talk about, in the order of their table's rows; [] without a table."""
        tables = (self._read(path, OFFER) for path in self._paths("offers/"))
        return sorted(rows_of_tables(tables, Offer), key=lambda offer: offer.row)

    def phrases(self) -> pa.Table:
        """Return the phrase table, which generation applies to its input; empty if the source merges no phrases."""
        paths = self._paths("phrases.parquet")
        return self._read(paths[0], PHRASE) if paths else PHRASE.empty_table()

    def mapping(self) -> str:
        """Return the mapping of a user's table as YAML; "" for any other source."""
        path = f"{self._root}/runs/{self.manifest.run}/{MAPPING_NAME}"
        if self._files.get_file_info(path).type == pafs.FileType.NotFound:
            return ""
        with self._files.open_input_stream(path) as stream:
            return bytes(stream.read()).decode()

    def language(self) -> str:
        """Return the language code of the texts according to a user's mapping, or ""."""
        code = (yaml.safe_load(self.mapping()) or {}).get("language", "")
        return code if isinstance(code, str) else ""

    def _paths(self, prefix: str) -> list[str]:
        paths = (entry["path"] for entries in self.manifest.files.values() for entry in entries)
        return sorted(path for path in paths if path.startswith(prefix))

    def _read(self, path: str, schema: pa.Schema) -> pa.Table:
        where = f"{self._root}/runs/{self.manifest.run}/{path}"
        try:
            with self._files.open_input_file(where) as source, open_parquet(source) as parquet:
                check_schema(parquet.schema_arrow, schema, f"{self.where}/{path}")
                return parquet.read(use_threads=False)
        except (OSError, pa.ArrowInvalid) as fault:
            raise UserError(f"{self.where}: cannot read {path} of the published run ({fault}).") from fault


def rows_of_tables(tables: Iterable[pa.Table], row_type: type[T]) -> Iterator[T]:
    """Yield the rows of some tables as dataclasses, converted a thousand at a time."""
    for table in tables:
        for batch in table.to_batches(max_chunksize=1000):
            yield from from_table(batch, row_type)


class Identified(Protocol):
    @property
    def id(self) -> str: ...


Sampled = TypeVar("Sampled", bound=Identified)


def fixed_sample(examples: Iterable[Sampled], count: int | None) -> list[Sampled]:
    """Return the ``count`` examples with the smallest ids, or all; they don't depend on the order of the files."""
    return sorted(examples, key=lambda example: example.id)[:count]


def epoch_order(lengths: np.ndarray, batch_size: int, seed: int, epoch: int) -> list[np.ndarray]:
    """Return the row numbers of each batch of an epoch: a pure function of its arguments, so that a run can be resumed.

    Texts of similar length share a batch. The batches and their order change with the epoch.
    """
    chance = np.random.default_rng([seed, epoch])
    order = chance.permutation(len(lengths))
    batches: list[np.ndarray] = []
    for start in range(0, len(order), POOL * batch_size):
        pool = order[start : start + POOL * batch_size]
        pool = pool[np.argsort(lengths[pool], kind="stable")]
        batches += [pool[first : first + batch_size] for first in range(0, len(pool), batch_size)]
    return [batches[position] for position in chance.permutation(len(batches))]


def sorted_order(lengths: np.ndarray, batch_size: int) -> list[np.ndarray]:
    """Return the row numbers of each batch for scoring: by length, always the same."""
    order = np.argsort(lengths, kind="stable")
    return [order[first : first + batch_size] for first in range(0, len(order), batch_size)]
