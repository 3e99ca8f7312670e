"""Time and memory of the WikiBio ingest at full size, and at a tenth of it, with two processes.

    python -m benchmarks.scale.wikibio_full --input ../shared/data/wikibio

The corpus has 728,321 boxes, of which few are at hand: the boxes found below ``--input`` are repeated in turn under new
ids until there are as many. A plain loop over the source's functions, without Beam and without writing, is measured in
the same run. Writes ``benchmarks/results/wikibio_full.json``.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import count, cycle, islice
from pathlib import Path
from typing import Any

from benchmarks.result_file import RESULTS, ROOT, write
from benchmarks.watched import watched

RESULT = RESULTS / "wikibio_full.json"
SIZES = {"train": 582_659, "valid": 72_831, "test": 72_831}  # 728,321 boxes in 80, 10 and 10 %
LOOP = """
import gc, sys, time
from allsaid.storage.paths import expand
from pipelines.sources.wikibio.source import Settings, WikiBio
gc.set_threshold(50_000)  # as the workers of the ingest do
begun, boxes = time.monotonic(), 0
for shard in WikiBio().plan(expand(sys.argv[1:]).paths, Settings()):
    for result in WikiBio().read(shard, Settings()):
        boxes += 1
print(boxes / (time.monotonic() - begun))
"""
Lines = tuple[bytes, bytes, bytes]  # of .box, .sent and .nb, the second one several


def real_boxes(root: Path) -> list[Lines]:
    """All boxes of the corpora in the official layout below a folder, which have one sentence each."""
    found: list[Lines] = []
    for box in sorted(root.rglob("*.box")):
        lines = [box.with_suffix(f".{kind}").read_bytes().splitlines(True) for kind in ("sent", "nb")]
        found += zip(box.read_bytes().splitlines(True), *lines, strict=True)
    if any(number.strip() != b"1" for _, _, number in found):
        raise SystemExit("This script knows boxes of one sentence each only.")
    return found


def enlarge(boxes: list[Lines], folder: Path, divisor: int) -> int:
    """Write a corpus of the full size over ``divisor``; gives its number of boxes."""
    source, ids, total = cycle(boxes), count(1), 0
    for split, size in SIZES.items():
        (folder / split).mkdir(parents=True)
        size //= divisor
        total += size
        with (
            (folder / split / f"{split}.box").open("wb") as box,
            (folder / split / f"{split}.sent").open("wb") as sent,
            (folder / split / f"{split}.nb").open("wb") as nb,
            (folder / split / f"{split}.id").open("wb") as numbers,
        ):
            for number, lines in zip(islice(ids, size), source, strict=False):
                for stream, line in zip((box, sent, nb), lines, strict=True):
                    stream.write(line)
                numbers.write(b"%d\n" % number)
    return total


def measured(corpus: Path, output: Path, workers: int) -> dict[str, Any]:
    """One run of the command: seconds, the peak of each process that took part, and what it counted."""
    command = [sys.executable, "-m", "allsaid", "ingest", "wikibio", "--input", str(corpus), "--output", str(output)]
    if workers > 1:
        command += ["--direct_num_workers", str(workers), "--direct_running_mode", "multi_processing"]
    found = watched(command, ROOT)
    manifest = json.loads((output / "manifest.json").read_text())
    return {
        "processes": workers,
        **found,
        "boxes_per_second": round(manifest["read"] / found["seconds"]),
        **{name: manifest[name] for name in ("read", "kept", "rejected", "splits", "losses")},
    }


def loop_speed(corpus: Path) -> int:
    """Boxes per second of the source's functions in a plain loop."""
    done = subprocess.run(
        [sys.executable, "-c", LOOP, str(corpus)], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True
    )
    return round(float(done.stdout))


def cases(boxes: list[Lines], divisors: list[int], workers: int) -> Iterator[dict[str, Any]]:
    for divisor in divisors:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            total = enlarge(boxes, folder / "corpus", divisor)
            case = {"boxes": total, **measured(folder / "corpus", folder / "out", workers)}
            if case["read"] != total or case["kept"] != total:
                raise SystemExit(f"Of {total} boxes {case['read']} were read and {case['kept']} kept.")
            yield case | {"plain_loop_boxes_per_second": loop_speed(folder / "corpus")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--input", type=Path, required=True, help="folder with corpora in the official layout")
    parser.add_argument("--divisors", type=int, nargs="+", default=[10, 1], help="parts of the full size to measure")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--output", type=Path, default=RESULT, help="the JSON file to write")
    arguments = parser.parse_args()
    found = []
    for case in cases(real_boxes(arguments.input), arguments.divisors, arguments.processes):
        found.append(case)
        print(json.dumps(case), flush=True)
    machine = {"cores": os.cpu_count(), "python": platform.python_version(), "machine": platform.machine()}
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    write(arguments.output, {"machine": machine, "cases": found})


if __name__ == "__main__":
    main()
