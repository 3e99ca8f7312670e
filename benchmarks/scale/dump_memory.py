"""What the processes of an ingest hold of a large dump of recipes, by its size.

    python -m benchmarks.scale.dump_memory [--megabytes 100 1000] [--shard-megabytes 4]

The records of a sample dump are repeated, each under a title and with a direction of its own, in one plain file. Each
figure is of a fresh process, in seconds of processor time and megabytes of resident memory at its peak: the launcher,
which finds the places of the shards, and a worker with the shard in the middle, which it reads, guards against the
titles of all dev and test recipes of the file (taken to be those of every fifth), and writes. Writes
``benchmarks/results/dump_memory.json``.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
from array import array
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from benchmarks.result_file import RESULTS, ROOT, write
from benchmarks.scale.table_shards import MEGABYTE, figures, peak, timed
from pipelines.linking.splits import bag_key, triple_keys
from pipelines.source import Shard
from pipelines.sources.mealmaster.dump import split_records
from pipelines.sources.mealmaster.source import MealMaster, Settings

RESULT = RESULTS / "dump_memory.json"
SAMPLE = ROOT / "samples" / "mm-v805.mmf"
HELD_OUT = 5  # one recipe in so many is dev or test, by default
TITLED = re.compile(rb"(.*?Title: )([^\r\n]*)(.*)", re.DOTALL)
END = b".\r\n \r\nMMMMM\r\n\r\n"
PACKED = 1 << 16  # bytes of keys that come at once, as those of a shard do


def word(number: int) -> str:
    """A made-up word of its own for each number."""
    return "".join("bdfgklmnpr"[int(digit)] + "aeiou"[int(digit) % 5] for digit in f"{number:07}")


def make(path: Path, titles: Path, size: int) -> int:
    """Repeat the sample's records until the file has so many bytes; gives back how many there are.

    ``titles``: gets the guard's keys of those that are held out, as workers get them.
    """
    with SAMPLE.open("rb") as stream:
        texts = [raw.header + b"\r\n" + raw.body.rstrip() for raw in split_records(stream)]
    records = [match.groups() for text in texts if (match := TITLED.fullmatch(text))]
    with path.open("wb") as stream, titles.open("wb") as packed:
        for number in count():
            before, title, after = records[number % len(records)]
            own = word(number).encode()
            stream.write(b"".join((before, title, b" ", own, after, b"\r\n  Serve with ", own, END)))
            if number % HELD_OUT == 0:
                words = [*title.decode("cp437").lower().split(), own.decode()]
                array("q", [bag_key(words), *triple_keys(words)]).tofile(packed)
            if stream.tell() >= size:
                return number + 1
    raise AssertionError


def launcher(path: str, shard_bytes: int) -> dict[str, Any]:
    shards, seconds = timed(lambda: MealMaster().plan([path], Settings(shard_bytes=shard_bytes)))
    middle = shards[len(shards) // 2]
    cutting = figures(seconds, Path(path).stat().st_size)
    return {"shards": len(shards), "middle": [middle.first, middle.last], "cutting": cutting}


def worker(path: str, first: int, last: int) -> dict[str, Any]:
    from pipelines.ingest import corpus  # with Beam, which a launcher's figures are without
    from pipelines.ingest.job import Job
    from pipelines.ingest.shards import read_shard

    folder = Path(path).parent
    job = Job("mealmaster", str(folder / "run"), (Shard((path,), first, last),), Settings(), (None,))
    found: dict[str, Any] = {"peak_megabytes_before": peak()}
    report, seconds = timed(lambda: read_shard(0, job, Counter()))
    found |= {"records": report.read, "reading": figures(seconds, last - first)}
    chosen, seconds = timed(lambda: corpus.drop_guarded((0, {}), job, keys_of(folder / "titles")))
    found["guarding"] = figures(seconds, last - first)
    _, seconds = timed(lambda: list(corpus.write_part(chosen, job, [])))
    return found | {"writing": figures(seconds, last - first)}


def keys_of(packed: Path) -> Iterator[bytes]:
    with packed.open("rb") as stream:
        yield from iter(partial(stream.read, PACKED), b"")


def fresh(what: str, path: Path, *numbers: int) -> dict[str, Any]:
    """What a process of its own finds."""
    command = [sys.executable, __file__, "--measure", what, str(path), *map(str, numbers)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def measured(size: int, shard_bytes: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "recipes.mmf"
        recipes = make(path, Path(folder) / "titles", size * MEGABYTE)
        found = fresh("launcher", path, shard_bytes)
        middle = found.pop("middle")
        return {"megabytes": size, "recipes": recipes, "launcher": found, "worker": fresh("worker", path, *middle)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, nargs="+", default=[100, 1000], help="sizes of the files")
    parser.add_argument("--shard-megabytes", type=float, default=4, help="what a shard has at least")
    parser.add_argument("--measure", nargs="+", help=argparse.SUPPRESS)
    parser.add_argument("--output", type=Path, default=RESULT, help="the JSON file")
    arguments = parser.parse_args()
    if arguments.measure:
        what, path, *numbers = arguments.measure
        print(json.dumps({"launcher": launcher, "worker": worker}[what](path, *map(int, numbers))))
        return
    shard_bytes, files = int(arguments.shard_megabytes * MEGABYTE), []
    for size in arguments.megabytes:
        files.append(measured(size, shard_bytes))
        print(json.dumps(files[-1]), flush=True)
    machine = {"cores": os.cpu_count(), "python": platform.python_version(), "machine": platform.machine()}
    write(arguments.output, {"machine": machine, "shard_bytes": shard_bytes, "files": files})


if __name__ == "__main__":
    main()
