"""What the cutting of a large table costs, and the memory of what reads it, by the file's size.

    python -m benchmarks.scale.table_shards [--megabytes 64 256 1024] [--shard-megabytes 4]

A block of products under ids of their own is repeated, as CSV (nearly all rows with quotes, some of several lines), and
at the largest size as CSV without a quote, as JSON lines and as Parquet, too. Each figure is of a fresh process, in
seconds of processor time and megabytes of resident memory at its peak: what the launcher does once for a file (its
encoding, the places of the shards), and what a worker does for one shard in the middle (the ids of all rows, then all
of the reading). Beside them stands a CSV file of at least four shards that is read at once. Writes
``benchmarks/results/table_shards.json``.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from allsaid.console import show_table
from benchmarks.result_file import RESULTS, ROOT, write
from pipelines.sources.records.source import Records, Settings
from pipelines.sources.records.tables.cuts import cut_table
from pipelines.sources.records.tables.rows import look

RESULT = RESULTS / "table_shards.json"
MAPPING = ROOT / "samples" / "products.yaml"
KINDS = ("quoted.csv", "plain.csv", "lines.jsonl", "groups.parquet")
GROUP = 5000  # rows of a row group
BLOCK = 20_000  # rows that are repeated: more than a shard of 4 MB has
MEGABYTE = 1_000_000


def products(number: int) -> list[dict[str, str]]:
    """Products, each under an id of its own, the text of every fifth with line breaks."""
    with (ROOT / "samples" / "products.csv").open(newline="") as stream:
        given = list(csv.DictReader(stream))
    rows = [dict(given[place % len(given)], sku=f"P-{place}") for place in range(number)]
    for row in rows[::5]:
        row["description"] = row["description"].replace(". ", ".\n")
    return rows


def make(path: Path, size: int) -> None:
    """Repeat a block of rows until the file has about so many bytes."""
    rows = products(BLOCK)
    if path.suffix == ".parquet":
        table = pa.Table.from_pylist(rows)
        with path.open("wb") as stream, pq.ParquetWriter(stream, table.schema, compression="none") as writer:
            while stream.tell() < size:
                writer.write_table(table, GROUP)
        return
    text = io.StringIO(newline="")
    if path.suffix == ".jsonl":
        text.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    elif path.name.startswith("plain"):
        text.writelines(
            ",".join(" ".join(cell.split()).replace(",", "").replace('"', "") for cell in row.values()) + "\n"
            for row in rows
        )
    else:
        csv.DictWriter(text, rows[0], lineterminator="\n").writerows(rows)
    block = text.getvalue().encode()
    with path.open("wb") as stream:
        if path.suffix == ".csv":
            stream.write(",".join(rows[0]).encode() + b"\n")
        while stream.tell() < size:
            stream.write(block)


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    begun = time.process_time()
    found = work()
    return found, time.process_time() - begun


def figures(seconds: float, size: int) -> dict[str, float]:
    return {
        "cpu_seconds": round(seconds, 2),
        "megabytes_per_cpu_second": round(size / MEGABYTE / seconds, 2),
        "peak_megabytes": peak(),
    }


def peak() -> float:
    """This process's own, which `resource` would give together with that of the process that started it."""
    lines = Path("/proc/self/status").read_text().splitlines()
    (kibibytes,) = (line.split()[1] for line in lines if line.startswith("VmHWM:"))
    return round(int(kibibytes) * 1024 / MEGABYTE, 1)


def launcher(path: str, shard_bytes: int) -> dict[str, Any]:
    """Of one file: how its encoding and columns are found, and where it is cut."""
    size = Path(path).stat().st_size
    layout, looking = timed(lambda: look(path))
    shards, cutting = timed(lambda: cut_table(path, layout, shard_bytes))
    return {
        "bytes": size,
        "shards": len(shards),
        "encoding": figures(looking, size),
        "cutting": figures(cutting, size),
    }


def worker(path: str, shard_bytes: int) -> dict[str, Any]:
    """Of the shard in the middle, or of the only one: its ids, then the reading of its rows."""
    from pipelines.ingest.job import Job  # with Beam, which a launcher's figures are without
    from pipelines.ingest.keys import keys_of

    settings = Settings(mapping=str(MAPPING), shard_bytes=shard_bytes)
    shards = Records().plan([path], settings)
    shard = shards[len(shards) // 2]
    size = (shard.last or Path(path).stat().st_size) - shard.first
    job = Job("records", "", (replace(shard, last=shard.last or size),), settings, (None,))
    start = peak()
    found, seconds = timed(lambda: sum(len(keys) for _, (_, keys) in keys_of(0, job)) // 8)
    ids = figures(seconds, size)
    records, seconds = timed(lambda: sum(1 for _ in Records().read(shard, settings)))
    reading = figures(seconds, size)
    return {"rows": records, "different_ids": found, "peak_megabytes_before": start, "ids": ids, "reading": reading}


def fresh(what: str, path: Path, shard_bytes: int) -> dict[str, Any]:
    """What a process of its own finds."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, __file__, "--measure", what, str(path), str(shard_bytes)]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def measured(sizes: list[int], shard_bytes: int) -> dict[str, Any]:
    found: dict[str, Any] = {"files": []}
    cases = [(KINDS[0], size) for size in sizes] + [(kind, max(sizes)) for kind in KINDS[1:]]
    with tempfile.TemporaryDirectory() as folder:
        for kind, size in cases:
            make(path := Path(folder) / kind, size * MEGABYTE)
            case = {"kind": kind, "megabytes": size, "launcher": fresh("launcher", path, shard_bytes)}
            if kind == KINDS[0]:
                case["worker"] = fresh("worker", path, shard_bytes)
            found["files"].append(case)
            print(json.dumps(case), flush=True)
            path.unlink()
        make(path := Path(folder) / KINDS[0], shard_bytes * 4)
        found["at_once"] = fresh("worker", path, shard_bytes * 100)
    return found


def show(files: list[dict[str, Any]]) -> None:
    rows = [
        (
            case["kind"],
            case["megabytes"],
            case["launcher"]["shards"],
            *(case["launcher"][what]["megabytes_per_cpu_second"] for what in ("encoding", "cutting")),
            case["launcher"]["cutting"]["peak_megabytes"],
            case["worker"]["reading"]["peak_megabytes"] if "worker" in case else "",
        )
        for case in files
    ]
    columns = ("file", "MB", "shards", "encoding, MB/s", "cutting, MB/s", "launcher's peak, MB", "worker's peak, MB")
    show_table("megabytes per second of processor time", columns, rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, nargs="+", default=[64, 256, 1024], help="sizes of the files")
    parser.add_argument("--shard-megabytes", type=float, default=4, help="what a shard has at least")
    parser.add_argument("--measure", nargs=3, help=argparse.SUPPRESS)
    parser.add_argument("--output", type=Path, default=RESULT, help="the JSON file")
    arguments = parser.parse_args()
    if arguments.measure:
        what, path, shard_bytes = arguments.measure
        print(json.dumps({"launcher": launcher, "worker": worker}[what](path, int(shard_bytes))))
        return
    shard_bytes = int(arguments.shard_megabytes * MEGABYTE)
    found = measured(arguments.megabytes, shard_bytes)
    show(found["files"])
    machine = {"cores": os.cpu_count(), "python": platform.python_version(), "machine": platform.machine()}
    write(arguments.output, {"machine": machine, "shard_bytes": shard_bytes, **found})


if __name__ == "__main__":
    main()
