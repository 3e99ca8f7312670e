"""Texts a second that `allsaid prove` proves, and the memory it needs, on rows of cleaned E2E.

    python -m benchmarks.speed.commands.prove_speed --work DIR [--data-root ../shared/data] [--rows 20000 100000]
    python -m benchmarks.speed.commands.prove_speed --work DIR --memory 1000000

The test part's rows and texts by people are repeated, under new ids, to the numbers of rows in ``--rows``; the texts
are in another order than the rows. Each number is proven by the mapping in ``benchmarks/corpora/e2e.yaml`` with one
process, the largest with two as well. Processor seconds are those of the whole command, which are told apart from
seconds since other work on the machine does not change them. Writes ``benchmarks/results/prove_speed.json``.

``--memory ROWS`` proves that many rows by one process, and nothing else. It writes the memory during the run to
``benchmarks/results/prove_memory.json``.
"""

from __future__ import annotations

import argparse
import csv
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from benchmarks.corpora.prove_people import PARTS, mapping_of, read
from benchmarks.result_file import RESULTS, ROOT, write
from benchmarks.watched import sampled, watched
from schemas.act import parse_agenda_line

RESULT, MEMORY = RESULTS / "prove_speed.json", RESULTS / "prove_memory.json"
MAPPING = ROOT / "benchmarks" / "corpora" / "e2e.yaml"
ONE, TWO = ("--direct_running_mode=in_memory",), ("--direct_running_mode=multi_processing", "--direct_num_workers=2")
STRIDE = 7919  # between the rows of two texts in a row; no multiple of the numbers of rows


def make(pairs: list[tuple[dict[str, str], str]], rows: int, folder: Path) -> None:
    """Write a table of so many rows, its mapping, and their texts in another order."""
    folder.mkdir(parents=True)
    columns = [column.name for column in mapping_of("e2e").columns]
    (folder / "mapping.yaml").write_text("id: id\n" + MAPPING.read_text(encoding="utf-8"), encoding="utf-8")
    with (folder / "rows.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ["id", "kind", *columns], restval="")
        writer.writeheader()
        for number, (cells, _) in enumerate(islice(cycle(pairs), rows)):
            writer.writerow({"id": f"r{number}", "kind": "restaurant"} | cells)
    with (folder / "texts.csv").open("w", encoding="utf-8", newline="") as file:
        writer_of_texts = csv.writer(file)
        writer_of_texts.writerow(("id", "text"))
        for place in range(rows):
            number = place * STRIDE % rows
            writer_of_texts.writerow((f"r{number}", pairs[number % len(pairs)][1]))


def measure(
    folder: Path,
    rows: int,
    name: str,
    beam: tuple[str, ...],
    sample: Callable[[float, Sequence[int]], None] | None = None,
) -> dict[str, Any]:
    output = str(folder / name)
    given = ("--input", "rows.csv", "--mapping", "mapping.yaml", "--output", output)
    found = watched([sys.executable, "-m", "allsaid", "prove", "texts.csv", *given, *beam], folder, sample=sample)
    rates = {"texts_per_second": rows / found["seconds"], "texts_per_cpu_second": rows / found["cpu_seconds"]}
    return {"rows": rows, **{key: round(rate, 1) for key, rate in rates.items()}, **found}


def memory(pairs: list[tuple[dict[str, str], str]], rows: int, folder: Path) -> dict[str, Any]:
    """Prove a number of rows by one process; return its figures, and its memory (MB) at 21 moments of the run."""
    samples: list[float] = []
    make(pairs, rows, folder)
    found = measure(folder, rows, "one", ONE, lambda _, processes: samples.append(sampled(processes[0])[1]))
    return {**found, "megabytes": [samples[place * (len(samples) - 1) // 20] for place in range(21)]}


def pairs_of(data_root: Path) -> Iterator[tuple[dict[str, str], str]]:
    pairs, _ = read(data_root / PARTS["e2e"]["test"], mapping_of("e2e"))
    for pair in pairs:
        slots = [parse_agenda_line(line) for line in pair.lines]
        yield {slot.slot: slot.value for slot in slots}, pair.text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=lambda path: Path(path).absolute(), required=True)
    parser.add_argument("--data-root", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--rows", type=int, nargs="+", default=[20_000, 100_000])
    parser.add_argument("--memory", type=int, metavar="ROWS")
    parser.add_argument("--result", type=Path, default=RESULT)
    given = parser.parse_args()
    pairs = list(pairs_of(given.data_root))
    if given.memory:
        write(MEMORY, memory(pairs, given.memory, given.work / str(given.memory)))
        return
    found = {"one process": [], "two processes": []}
    for rows in sorted(given.rows):
        folder = given.work / str(rows)
        make(pairs, rows, folder)
        found["one process"].append(measure(folder, rows, "one", ONE))
        print(found["one process"][-1], flush=True)
    found["two processes"].append(measure(folder, rows, "two", TWO))
    print(found["two processes"][-1], flush=True)
    write(given.result, {"processors": os.cpu_count(), **found})


if __name__ == "__main__":
    main()
