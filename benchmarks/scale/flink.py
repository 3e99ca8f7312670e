"""Jobs on a Flink cluster of this machine, with one TaskManager and two, and with processes killed in mid-job.

    python -m benchmarks.scale.flink --work DIR [--rows 20000] [--result FILE]

Each job runs locally in one process, on one TaskManager, on two, and on two with a Python worker and a TaskManager
killed; all must write the same bytes. Seconds are those of the clock: a cluster waits for its processes. Of these
``first_seconds`` went by before a first piece of work was done: the job's own start, which no TaskManager shortens.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import xml.etree.ElementTree
from collections.abc import Iterator
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from benchmarks.result_file import RESULTS, ROOT, write

sys.path[:0] = [str(ROOT / "tests" / "support" / folder) for folder in ("servers", "")]

from flink_jobs import MODELS, Job, flink, jobs, run, train, write_inputs  # noqa: E402 - needs the path above

RESULT = RESULTS / "flink.json"
WANTED = 1.6  # times as fast on two TaskManagers as on one
TIMED = ("ingest mealmaster", "ingest records", "generate")  # a model of another kind differs in its own seconds alone


def versions() -> dict[str, str]:
    space = {"": "http://maven.apache.org/POM/4.0.0"}
    pom = xml.etree.ElementTree.parse(ROOT / "deploy" / "flink" / "pom.xml")
    jars = {
        one.findtext("artifactId", "", space): one.findtext("version", "", space)
        for one in pom.iterfind("dependencies/dependency", space)
    }
    java = subprocess.run(["java", "-version"], capture_output=True, text=True, check=True).stderr.splitlines()[0]
    return {"java": java, "apache-beam": version("apache-beam"), **jars}


WAYS = {"local": (0, False), "two, killed": (2, True), "two": (2, False), "one": (1, False)}  # TaskManagers, kills


def measure(given: argparse.Namespace) -> Iterator[dict[str, dict[str, Any]]]:
    """By job: seconds of each way to run it, and what was killed when; given back after each way, for it takes long."""
    found: dict[str, dict[str, Any]] = {name: {} for name in TIMED}
    written: dict[str, dict[str, bytes]] = {}
    for way, (managers, kills) in WAYS.items():
        for name, done, data in _run_all(given.work, way, managers, kills):
            assert written.setdefault(name, data) == data != {}, f"{name}: other bytes than locally ({way})"
            assert len(done["kills"]) == 2 * kills
            found[name][way] = done
            print(way, name, done, flush=True)
        yield found


def _run_all(work: Path, way: str, managers: int, kills: bool) -> list[tuple[str, dict[str, Any], dict[str, bytes]]]:
    timed = [(name, job) for name, job in jobs(work).items() if name in TIMED]
    if not managers:
        return [_run_one(work, way, name, job, None, False) for name, job in timed]
    with flink(managers) as cluster:
        return [_run_one(work, way, name, job, cluster, kills) for name, job in timed]


def _run_one(
    work: Path, way: str, name: str, job: Job, cluster: Any, kills: bool
) -> tuple[str, dict[str, Any], dict[str, bytes]]:
    output = work / way / name
    done = run([*job.words, "--output", str(output)], cluster, lambda: job.finished(output), kills)
    return name, asdict(done), job.data(output)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--result", type=Path, default=RESULT)
    given = parser.parse_args()
    given.work.mkdir(parents=True)
    write_inputs(given.work, given.rows)
    train(given.work, [MODELS["generate"]])
    begun = os.getloadavg()[0]
    for found in measure(given):
        machine = {
            "processors": os.cpu_count(),
            "load at start and end": [round(begun, 1), round(os.getloadavg()[0], 1)],
        }
        asked = {"rows of the table": given.rows, "wanted, two against one": WANTED}
        write(given.result, {"versions": versions(), **machine, **asked, "jobs": found})


if __name__ == "__main__":
    main()
