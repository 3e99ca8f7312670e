"""Inputs of the speed benchmark: the real records of a source, repeated under new ids, in several files."""

from __future__ import annotations

import csv
import gzip
import io
import json
import tarfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count, islice
from pathlib import Path
from typing import Any

from allsaid.storage.streams import open_dump
from benchmarks.result_file import ROOT
from benchmarks.scale.wikibio_full import SIZES, enlarge, real_boxes
from pipelines.sources.dstc2.archive import CallList, RawCall, scan
from pipelines.sources.mealmaster import dump as mealmaster

SAMPLES = ROOT / "samples"
BOXES_PER_SHARD = 10_000  # the source's own setting
BANNER = "#" * 20 + "\n"  # RNNLG's files begin with five such lines


@dataclass(frozen=True)
class Input:
    """What `allsaid ingest` is given."""

    paths: list[str]
    settings: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Corpus:
    """The records of a source, and how a file of some of them is written."""

    read: Callable[[Path, int], Iterator[Any]]  # data folder, number of the repetition -> records under its ids
    write: Callable[[Path, int, Iterable[Any]], None]  # folder, number of the file, its records
    shared: tuple[str, ...] = ()  # further files of the input, below the data folder
    settings: dict[str, Any] = field(default_factory=dict)


def make(source: str, data: Path, folder: Path, records: int, shards: int) -> Input:
    """Write an input of so many records in so many files (of WikiBio in three, which the source cuts)."""
    folder.mkdir(parents=True)
    if source == "wikibio":
        enlarge(real_boxes(data / "wikibio"), folder, max(1, sum(SIZES.values()) // records))
        return Input([str(folder)], {"boxes_per_shard": min(BOXES_PER_SHARD, -(-records // shards))})
    corpus = CORPORA[source]
    repeated = (record for number in count() for record in corpus.read(data, number))
    for number in range(shards):
        corpus.write(folder, number, islice(repeated, records * (number + 1) // shards - records * number // shards))
    return Input([str(folder), *(str(data / name) for name in corpus.shared)], corpus.settings)


def recipes(data: Path, number: int) -> Iterator[bytes]:
    """Records of the flattened library, which is large enough: a repetition would be dropped as duplicates."""
    if number:
        raise SystemExit("The Meal-Master library has no more records. Give less --seconds.")
    for path in sorted((data / "mealmaster").glob("nyc-*.mmf.gz")):
        with open_dump(str(path))[1] as stream:
            for raw in mealmaster.split_records(stream):
                yield raw.header + b"\r\n" + raw.body + b"MMMMM\r\n\r\n"


def write_recipes(folder: Path, number: int, records: Iterable[bytes]) -> None:
    with gzip.open(folder / f"library-{number:02}.mmf.gz", "wb", compresslevel=6) as stream:
        stream.writelines(records)


def json_recipes(data: Path, number: int) -> Iterator[bytes]:
    """An id is made of title, ingredients and directions: each repetition has titles of its own."""
    for path in sorted((data / "allrecipes").glob("*.jsonl.gz")):
        with gzip.open(path) as stream:
            for line in stream:
                if number:
                    recipe = json.loads(line)
                    recipe["title"] += f" {number}"
                    line = json.dumps(recipe, ensure_ascii=False).encode() + b"\n"
                yield line


def write_json_recipes(folder: Path, number: int, records: Iterable[bytes]) -> None:
    with gzip.open(folder / f"allrecipes-{number:02}.jsonl.gz", "wb", compresslevel=6) as stream:
        stream.writelines(records)


def calls(data: Path, number: int) -> Iterator[tuple[str, RawCall]]:
    """Calls with their splits; each repetition has sessions of its own."""
    archive = str(data / "dstc2" / "dstc2_traindev.tar.gz")
    lists = [entry for entry in scan([archive]) if isinstance(entry, CallList)]
    splits = {folder: one.split for one in lists for folder in one.folders}
    for entry in scan([archive]):
        if isinstance(entry, RawCall):
            split = splits[entry.folder]
            entry.folder += f"-{number}" if number else ""
            yield split, entry


def write_calls(folder: Path, number: int, records: Iterable[tuple[str, RawCall]]) -> None:
    """An archive as the official one: calls, then the lists of their splits."""
    lists: dict[str, list[str]] = {}
    with tarfile.open(folder / f"calls-{number:02}.tar.gz", "w:gz", compresslevel=6) as archive:
        for split, call in records:
            lists.setdefault(split, []).append(call.folder)
            for name, content in call.parts.items():
                _add(archive, f"data/{call.folder}/{name}.json", content or b"")
        for split, folders in lists.items():
            _add(archive, f"scripts/config/dstc2_{split}.flist", "".join(f"{one}\n" for one in folders).encode())


def _add(archive: tarfile.TarFile, name: str, content: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size = len(content)
    archive.addfile(member, io.BytesIO(content))


def acts(data: Path, number: int) -> Iterator[list[str]]:
    """An id is made of the file's name, the entry, and how often it stood in the file before: always a new one."""
    for path in sorted((data / "rnnlg" / "original").glob("*/*.json")):
        text = path.read_text()
        yield from json.loads(text[text.index("[") :])


def write_acts(folder: Path, number: int, records: Iterable[list[str]]) -> None:
    """Of five files three are for training and one each for the other splits, as in the corpus."""
    split = ("train", "train", "train", "valid", "test")[number % 5]
    (folder / f"{split}-{number:02}.json").write_text(BANNER * 5 + json.dumps(list(records), indent=4) + "\n")


def products(data: Path, number: int) -> Iterator[list[str]]:
    """Rows of the sample table, the header first in each file; each repetition has article numbers of its own."""
    with (SAMPLES / "products.csv").open(newline="") as stream:
        for row in islice(csv.reader(stream), 1, None):
            yield [f"{row[0]}-{number}", *row[1:]]


def write_products(folder: Path, number: int, records: Iterable[list[str]]) -> None:
    with (SAMPLES / "products.csv").open(newline="") as stream:
        header = next(csv.reader(stream))
    with (folder / f"products-{number:02}.csv").open("w", newline="") as stream:
        csv.writer(stream).writerows([header, *records])


CORPORA = {
    "mealmaster": Corpus(recipes, write_recipes),
    "allrecipes": Corpus(json_recipes, write_json_recipes),
    "dstc2": Corpus(calls, write_calls, ("dstc2/restaurant-db.json",)),
    "dialogue-acts": Corpus(acts, write_acts),
    "records": Corpus(products, write_products, settings={"mapping": str(SAMPLES / "products.yaml")}),
}
SOURCES = ("mealmaster", "allrecipes", "dstc2", "wikibio", "dialogue-acts", "records")
