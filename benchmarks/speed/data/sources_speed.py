"""Records per second of the ingest with one and with two processes; beside it the same functions without Beam.

    python -m benchmarks.speed.data.sources_speed --data ../shared/data

Peers, all in fresh processes and measured in turn: a plain loop over the source's functions that writes the same rows,
and the same functions as tasks of datatrove's local executor (``pip install -e '.[bench]'``). The real records of each
source are repeated under new ids until the plain loop takes ``--seconds``. What a peer takes for one small shard is
its start-up; rates stand with it and without it. Writes ``benchmarks/results/sources_speed.json``.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from allsaid.console import show_table
from benchmarks.result_file import RESULTS, ROOT, write
from benchmarks.speed.data.speed_inputs import SOURCES, Input, make
from benchmarks.watched import cpu_seconds

RESULT = RESULTS / "sources_speed.json"
PEERS = ("plain", "beam_1", "beam_2", "datatrove_1", "datatrove_2")
TINY = 20  # records of the input that tells the start-up
FIRST = 400  # records of the first guess at the plain loop's rate
MAX_GROWTH = 20  # of an input, from one guess at the plain loop's rate to the next
WANTED = {"beam_1 / plain": "at most 1.15", "beam_1 / beam_2": "at least 1.7", "beam_n / datatrove_n": "at most 1"}


def command(peer: str, source: str, given: Input, folder: Path) -> list[str]:
    name, _, workers = peer.partition("_")
    if name != "beam":
        script = str(ROOT / "benchmarks" / "speed" / "speed_peers.py")
        settings = json.dumps(given.settings)
        return [sys.executable, script, name, workers or "1", source, str(folder), settings, *given.paths]
    arguments = [word for path in given.paths for word in ("--input", path)]
    arguments += [word for key, value in given.settings.items() for word in ("--set", f"{key}={value}")]
    arguments += ["--direct_num_workers", workers]
    if workers != "1":
        arguments += ["--direct_running_mode", "multi_processing"]
    return [sys.executable, "-m", "allsaid", "ingest", source, *arguments, "--output", str(folder)]


def measured(peer: str, source: str, given: Input) -> dict[str, Any]:
    """One run in a fresh process and a fresh folder: its seconds, and how many records it read and kept."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "out"
        begun, before = time.monotonic(), cpu_seconds()
        done = subprocess.run(
            command(peer, source, given, folder), cwd=ROOT, env=environment, capture_output=True, text=True
        )
        seconds, cpu = time.monotonic() - begun, cpu_seconds() - before
        if done.returncode:
            raise SystemExit(f"{peer} failed on {source} with code {done.returncode}:\n{done.stderr[-2000:]}")
        if peer.startswith("beam"):
            manifest = json.loads((folder / "manifest.json").read_text())
            found = {"shards": len(manifest["shards"]), "read": manifest["read"], "kept": manifest["kept"]}
        else:
            found = json.loads(done.stdout.splitlines()[-1])
    return {"seconds": seconds, "cpu": cpu, **found}


def fitting(source: str, arguments: argparse.Namespace, folder: Path) -> Input:
    """An input on which the plain loop has about as many seconds of processor time to work as are asked for."""
    startup = measured("plain", source, make(source, arguments.data, folder / "start", TINY, 1))["cpu"]
    records, number = FIRST, 0
    while True:
        guess = make(source, arguments.data, folder / f"guess-{number}", records, arguments.shards)
        done = measured("plain", source, guess)
        work = max(done["cpu"] - startup, 0.1)
        if work > arguments.seconds / 4:
            break
        records, number = int(done["read"] * min(arguments.seconds / 2 / work, MAX_GROWTH)), number + 1
    records = int(done["read"] * arguments.seconds / work)
    return make(source, arguments.data, folder / "input", records, arguments.shards)


def of_source(source: str, arguments: argparse.Namespace) -> dict[str, Any]:
    """Medians of all peers on one source, with the rates and ratios that follow."""
    with tempfile.TemporaryDirectory() as name:
        given = fitting(source, arguments, Path(name))
        tiny = make(source, arguments.data, Path(name) / "tiny", TINY, 1)
        runs: dict[str, list[dict[str, Any]]] = {peer: [] for peer in PEERS}
        starts: dict[str, list[dict[str, Any]]] = {peer: [] for peer in PEERS}
        load = os.getloadavg()[0]
        for _ in range(arguments.repeats):
            for peer in PEERS:
                starts[peer].append(measured(peer, source, tiny))
                runs[peer].append(measured(peer, source, given))
    counts = {(run["read"], run["kept"]) for found in runs.values() for run in found}
    if len(counts) > 1:
        raise SystemExit(f"The peers differ in the records of {source} that they read and keep: {sorted(counts)}.")
    read, kept = counts.pop()
    seconds, startup = medians(runs, "seconds"), medians(starts, "seconds")
    work = {peer: seconds[peer] - startup[peer] for peer in PEERS}
    cpu, cpu_start = medians(runs, "cpu"), medians(starts, "cpu")
    used = {peer: cpu[peer] - cpu_start[peer] for peer in PEERS}
    return {
        "records": read,
        "kept": kept,
        "shards": runs["plain"][0]["shards"],
        "load_before": round(load, 2),
        "seconds": rounded(seconds, 2),
        "startup_seconds": rounded(startup, 2),
        "cpu_seconds_without_startup": rounded(used, 2),
        "records_per_second": rounded({peer: read / work[peer] for peer in PEERS}, 1),
        "records_per_second_with_startup": rounded({peer: read / seconds[peer] for peer in PEERS}, 1),
        "ratios": rounded(ratios(work), 3),
        "ratios_with_startup": rounded(ratios(seconds), 3),
        "ratios_of_cpu_seconds": rounded(ratios(used), 3),
    }


def medians(runs: dict[str, list[dict[str, Any]]], what: str) -> dict[str, float]:
    return {peer: median(run[what] for run in found) for peer, found in runs.items()}


def ratios(seconds: dict[str, float]) -> dict[str, float]:
    return {
        "beam_1 / plain": seconds["beam_1"] / seconds["plain"],
        "beam_1 / beam_2": seconds["beam_1"] / seconds["beam_2"],
        "beam_1 / datatrove_1": seconds["beam_1"] / seconds["datatrove_1"],
        "beam_2 / datatrove_2": seconds["beam_2"] / seconds["datatrove_2"],
    }


def rounded(values: dict[str, float], digits: int) -> dict[str, float]:
    return {name: round(value, digits) for name, value in values.items()}


def show(found: dict[str, dict[str, Any]]) -> None:
    names = list(next(iter(found.values()))["ratios"])
    for key in ("records_per_second", "startup_seconds"):
        rows = [
            (source, f"{one['records']:,}", *(f"{one[key][peer]:,}" for peer in PEERS)) for source, one in found.items()
        ]
        show_table(key.replace("_", " "), ("source", "records", *PEERS), rows)
    rows = [(source, *(one["ratios"][name] for name in names)) for source, one in found.items()]
    show_table("seconds without start-up", ("source", *names), rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data", help="folder of the dumps")
    parser.add_argument("--source", choices=SOURCES, action="append", help="only this one; repeatable")
    parser.add_argument("--seconds", type=float, default=60, help="what the plain loop takes without its start-up")
    parser.add_argument("--shards", type=int, default=16, help="files of the input")
    parser.add_argument("--repeats", type=int, default=1, help="runs of each peer, of which the median counts")
    parser.add_argument(
        "--output", type=Path, default=RESULT, help="the JSON file; what it says of other sources stays"
    )
    arguments = parser.parse_args()
    if importlib.util.find_spec("datatrove") is None:
        raise SystemExit("datatrove is not installed. Install it with the other peers: pip install -e '.[bench]'.")
    found = json.loads(arguments.output.read_text())["sources"] if arguments.output.exists() else {}
    for source in arguments.source or SOURCES:
        found[source] = of_source(source, arguments)
        print(json.dumps({source: found[source]}), flush=True)
    show(found)
    machine = {"cores": os.cpu_count(), "python": platform.python_version(), "machine": platform.machine()}
    result = {"machine": machine, "repeats": arguments.repeats, "wanted": WANTED, "sources": found}
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    write(arguments.output, result)


if __name__ == "__main__":
    main()
