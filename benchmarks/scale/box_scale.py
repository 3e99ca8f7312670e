"""Time and memory of a tenth of an epoch of Table NLM on a corpus of WikiBio's full size, and on a tenth of it.

    python -m benchmarks.scale.box_scale --input ../shared/data/wikibio

The corpus has 728,321 boxes, of which few are at hand: these, English and German, are repeated in turn under new ids,
so that vocabulary and texts are those of the few, but arrays, order and memory those of the whole. The training is a
plain `python -m training table-nlm`, which is stopped after a tenth of its batches; its memory is read as it goes.
Seconds are processor time of one thread, since the machine may have other work. Writes
``benchmarks/results/box_scale.json``.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.result_file import RESULTS, ROOT, write
from benchmarks.scale.wikibio_full import Lines, enlarge, real_boxes
from training.configs import load_config

RESULT = RESULTS / "box_scale.json"
SETTINGS = ("text_cutoff=1", "field_cutoff=100", "sample_texts=0", "best_by=loss", "log_steps=1")
SHARE = 10  # a tenth of an epoch is trained
READINGS = 20  # of memory, in equal parts of the batches


def ingest(corpus: Path, folder: Path) -> int:
    """Make a data set of the corpus; gives the number of its training examples."""
    command = [sys.executable, "-m", "allsaid", "ingest", "wikibio", "--input", str(corpus), "--output", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    found = json.loads((folder / "manifest.json").read_text())
    return int(found["splits"]["train"])


def train(data: Path, run: Path, batches: int) -> dict[str, Any]:
    """Train so many batches and stop; what was read of memory and time on the way."""
    settings = [part for one in SETTINGS for part in ("--set", one)]
    command = [sys.executable, "-m", "training", "table-nlm", "--data", str(data), "--run-dir", str(run)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    running = subprocess.Popen(
        [*command, "--tracking", "offline", *settings], cwd=ROOT, env=environment, stdout=subprocess.DEVNULL
    )
    marks = [1, *(batches * part // READINGS for part in range(1, READINGS + 1))]
    found: list[dict[str, float]] = []
    spool = run / "spool.jsonl"
    while len(found) < len(marks) and running.poll() is None:
        if steps(spool) >= marks[len(found)]:
            found.append({"batch": steps(spool), **reading(running.pid)})
        time.sleep(0.5)
    if running.poll() is not None:
        raise SystemExit(f"The training ended by itself with code {running.returncode}.")
    running.send_signal(signal.SIGTERM)
    running.wait()
    first, last = found[0], found[-1]
    return {
        "seconds_to_first_batch": first["seconds"],
        "seconds_a_batch": round((last["seconds"] - first["seconds"]) / (last["batch"] - first["batch"]), 4),
        "readings": found,
    }


def steps(spool: Path) -> int:
    """The last step that a run has recorded."""
    if not spool.exists():
        return 0
    with spool.open("rb") as file:
        file.seek(max(0, spool.stat().st_size - 4096))
        lines = file.read().splitlines()
    for line in reversed(lines):
        try:
            step = json.loads(line).get("step")
        except ValueError:
            continue
        if step:
            return int(step)
    return 0


def reading(process: int) -> dict[str, float]:
    """Memory in megabytes, without files that are mapped, and processor seconds of a process."""
    status = dict(line.split(":", 1) for line in Path(f"/proc/{process}/status").read_text().splitlines())
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    ticks = int(fields[11]) + int(fields[12])
    return {
        "megabytes": round(int(status["RssAnon"].split()[0]) / 1024),
        "seconds": round(ticks / os.sysconf("SC_CLK_TCK"), 1),
    }


def cases(boxes: list[Lines], divisors: list[int]) -> Iterator[dict[str, Any]]:
    config = load_config("table-nlm", SETTINGS)
    for divisor in divisors:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            total = enlarge(boxes, folder / "corpus", divisor)
            examples = ingest(folder / "corpus", folder / "data")
            whole = -(-examples // config.data.batch_size)
            case = train(folder / "data", folder / "run", max(READINGS, whole // SHARE))
            hours = whole * case["seconds_a_batch"] / 3600
            yield {"boxes": total, "train": examples, "batches": whole, "hours_an_epoch": round(hours, 2), **case}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--input", type=Path, required=True, help="folder with corpora in the official layout")
    parser.add_argument("--divisors", type=int, nargs="+", default=[10, 1], help="parts of the full size to measure")
    parser.add_argument("--output", type=Path, default=RESULT, help="the JSON file to write")
    arguments = parser.parse_args()
    found = []
    for case in cases(real_boxes(arguments.input), arguments.divisors):
        found.append(case)
        print(json.dumps(case), flush=True)
    write(arguments.output, {"settings": list(SETTINGS), "cases": found})


if __name__ == "__main__":
    main()
