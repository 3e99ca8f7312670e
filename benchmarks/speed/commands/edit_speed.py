"""Time and memory of the system `edit` on a data set of recipes.

    python -m benchmarks.speed.commands.edit_speed --model DIR --data DIR [--rows 200]

Measures, each in a process of its own: loading the prototypes, whose files are mapped into memory; building them again
from the training part of the data set of ``--data``; and the edits for rows of its test part, with the checker. Seconds
are processor seconds, since other work on the machine does not change them. Memory is the largest resident size of the
process, of which the mapped files are a part. Writes ``benchmarks/results/edit_speed.json``.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from allsaid.decoding.measured import Measured
from allsaid.decoding.write import write as write_texts
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.prototypes.prototypes import Prototypes
from allsaid.modeling.saved.model_folder import load
from batch_infer.proof.judges import judge_of
from benchmarks.result_file import RESULTS, ROOT, write

RESULT = RESULTS / "edit_speed.json"


def loading(model: Path, data: DataSet, rows: int) -> dict[str, Any]:
    seconds = time.process_time()
    prototypes = Prototypes.load(model)
    prototypes.index.weights.sum()  # reads the lists of all terms
    return {"seconds": time.process_time() - seconds, "prototypes": len(prototypes)}


def building(model: Path, data: DataSet, rows: int) -> dict[str, Any]:
    lexicon = load(model).lexicon
    seconds = time.process_time()
    Prototypes.build(data.tables("train"), lexicon, data.manifest.source)
    return {"seconds": time.process_time() - seconds}


def editing(model: Path, data: DataSet, rows: int) -> dict[str, Any]:
    bundle = load(model)
    judge = judge_of(bundle)
    first, *others = islice(data.examples("test"), rows + 1)
    search = bundle.config.search
    write_texts(bundle, [first], search, measure=Measured(judge.measure))  # loads what the first row needs
    seconds = time.process_time()
    for row in others:
        write_texts(bundle, [row], search, measure=Measured(judge.measure))
    return {"seconds": time.process_time() - seconds, "rows": len(others), "width": search.width}


PARTS: dict[str, Callable[[Path, DataSet, int], dict[str, Any]]] = {
    "loading": loading,
    "building": building,
    "editing": editing,
}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--rows", type=int, default=200)
    parser.add_argument("--part", choices=PARTS, help="measure only this, and print it")
    given = parser.parse_args(arguments)
    if given.part:
        found = PARTS[given.part](given.model, DataSet(given.data), given.rows)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(json.dumps({**found, "seconds": round(found["seconds"], 2), "memory_mb": round(memory)}))
        return
    results = {part: _in_a_process(part, given) for part in PARTS}
    results["editing"]["seconds_per_text"] = round(results["editing"]["seconds"] / results["editing"]["rows"], 4)
    write(RESULT, results)


def _in_a_process(part: str, given: argparse.Namespace) -> dict[str, Any]:
    options = ["--model", str(given.model), "--data", given.data, "--rows", str(given.rows), "--part", part]
    command = [sys.executable, "-m", "benchmarks.speed.commands.edit_speed", *options]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    print(part, found)
    return found


if __name__ == "__main__":
    main()
