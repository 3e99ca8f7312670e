"""How fast a night takes over the texts of rows that have not changed, the fixed start told apart.

    python -m benchmarks.speed.commands.nights --model DIR --table few.csv --work DIR [--result FILE]

The table is searched once, greedily and a few words a text, since only the taking over is measured. Then a night takes
all of it over, one takes over its first tenth (the difference of the two is the rate, the rest the start), and in one a
hundredth of the rows has changed. Times are those of the processor, in one process.
"""

from __future__ import annotations

import argparse
import csv
import os
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from batch_infer.job import generate
from batch_infer.options.generate import GenerateOptions
from benchmarks import result_file

RESULT = result_file.RESULTS / "nights.json"


def night(given: argparse.Namespace, table: Path, name: str, previous: str | None) -> dict[str, Any]:
    """One run's rows and its processor seconds."""
    output = str(given.work / name)
    begun = time.process_time()
    request = GenerateOptions(given.model, str(table), output, width=1, max_tokens=given.max_tokens, previous=previous)
    summary = asdict(generate.run(request))
    seconds = round(time.process_time() - begun, 2)
    print(name, seconds, flush=True)
    return {key: summary[key] for key in ("input_rows", "taken_over", "searched")} | {"seconds": seconds}


def write(path: Path, rows: list[list[str]]) -> Path:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    return path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True)
    parser.add_argument("--table", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--max-tokens", type=int, default=3)
    parser.add_argument("--result", type=Path, default=RESULT)
    given = parser.parse_args()
    given.work.mkdir(parents=True)
    with given.table.open(newline="") as file:
        header, *rows = csv.reader(file)
    first = str(given.work / "first")
    runs = {"first": night(given, given.table, "first", None)}
    tenth = write(given.work / "tenth.csv", [header, *rows[: len(rows) // 10]])
    runs["a tenth"] = night(given, tenth, "tenth", first)
    runs["unchanged"] = night(given, given.table, "unchanged", first)
    name = header.index("name")
    changed = [
        [*row[:name], f"{row[name]} Plus", *row[name + 1 :]] if not n % 100 else row for n, row in enumerate(rows)
    ]
    runs["a hundredth changed"] = night(given, write(given.work / "changed.csv", [header, *changed]), "changed", first)
    whole, part = runs["unchanged"], runs["a tenth"]
    assert whole["taken_over"] == len(rows)
    assert runs["a hundredth changed"]["searched"] == -(-len(rows) // 100), "exactly the changed rows are searched"
    a_row = (whole["seconds"] - part["seconds"]) / (whole["taken_over"] - part["taken_over"])
    result_file.write(
        given.result,
        {
            "processors": os.cpu_count(),
            "words a text": given.max_tokens,
            "runs": runs,
            "rows taken over a second": round(1 / a_row),
            "start, seconds": round(part["seconds"] - a_row * part["taken_over"], 2),
        },
    )


if __name__ == "__main__":
    main()
