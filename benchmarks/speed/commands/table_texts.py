"""What a text of a user's table costs, search and proof together, beside the code of an earlier commit.

    python -m benchmarks.speed.commands.table_texts --model DIR --work DIR --before CHECKOUT [--rows 600] [--rounds 3]

``--before``: a checkout of commit 3ead8aa (`git worktree add`). ``--model``: a Checklist of the sample table
(`allsaid train table`). Both write texts for its rows under new ids, in turn, a process for each round; times are those
of the processor, without the start of Python and of the job (that of few rows is taken off), and both must write the
same bytes. Writes ``benchmarks/results/table_texts.json``.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks.result_file import RESULTS, ROOT, write
from benchmarks.scale.growth import enlarge

RESULT = RESULTS / "table_texts.json"
FEW = 20  # rows that take the start of a job, and next to nothing else
INSIDE = """
import glob, hashlib, json, sys, time
from batch_infer.job import generate
from batch_infer.options.generate import GenerateOptions
model, table, output, beam, *limits = sys.argv[1:]
seconds = []
for limit in map(int, limits):
    begun, folder = time.process_time(), f"{output}-{limit}"
    generate.run(GenerateOptions(model, table, folder, width=int(beam) or None, limit=limit))
    seconds.append(time.process_time() - begun)
data = b"".join(open(path, "rb").read() for path in sorted(glob.glob(f"{folder}/texts/*")))
print(json.dumps({"seconds": seconds, "bytes": hashlib.sha256(data).hexdigest()}))
"""
BEAMS = {"the model's own beam": 0, "greedy": 1}


def measure(code: Path, given: argparse.Namespace, table: Path, output: Path, beam: int) -> dict[str, Any]:
    """Processor seconds of a job of few rows, of a second one and of one of all; the texts' hash."""
    limits = (str(FEW), str(FEW + 1), str(given.rows))  # the first one pays for what Python loads
    command = [sys.executable, "-c", INSIDE, str(given.model), str(table), str(output), str(beam), *limits]
    environment = os.environ | {"PYTHONPATH": str(code), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, cwd=given.work, env=environment, check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--model", "--work", "--before"):
        parser.add_argument(name, type=lambda path: Path(path).absolute(), required=True)
    parser.add_argument("--rows", type=int, default=600)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--result", type=Path, default=RESULT)
    given = parser.parse_args()
    given.work.mkdir(parents=True)
    table = enlarge(given.work / "rows.csv", given.rows)
    found = {}
    for name, beam in BEAMS.items():
        rates: dict[str, list[float]] = {"before": [], "now": []}
        written = set()
        for turn in range(given.rounds):
            for which, code in (("before", given.before), ("now", ROOT)):
                done = measure(code, given, table, given.work / f"{which}-{beam}-{turn}", beam)
                written.add(done["bytes"])
                rates[which].append((given.rows - FEW - 1) / (done["seconds"][2] - done["seconds"][1]))
        assert len(written) == 1, "the two write different texts"
        medians = {which: round(statistics.median(each), 1) for which, each in rates.items()}
        found[name] = medians | {"times": round(medians["now"] / medians["before"], 2)}
        print(name, found[name], flush=True)
    facts = {"processors": os.cpu_count(), "rows": given.rows, "rounds": given.rounds}
    write(given.result, facts | {"texts a processor second": found})


if __name__ == "__main__":
    main()
