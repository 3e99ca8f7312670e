"""A Flink cluster on this machine, for `allsaid ingest` and `allsaid generate`.

    python -m deploy.flink up --task-managers 2
    python -m deploy.flink run --task-managers 2 -- allsaid ingest mealmaster --input 'dumps/*' --output data

`up` prints the options that lead there, keeps them in build/flink/options, and runs until Ctrl-C. `run` starts a
cluster for one command, gives it these options, and ends with its exit code.
"""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from deploy.flink.cluster import Cluster, cluster
from deploy.flink.packages import ClusterError

FOLDER = Path("build") / "flink"  # of packages, settings and logs; commands run in the repository's root


def main() -> int:
    given = _given()
    signal.signal(signal.SIGTERM, _stop)
    signal.signal(signal.SIGINT, _stop)
    try:
        with cluster(FOLDER.resolve(), given.task_managers) as flink:
            return _up(flink) if given.what == "up" else _run(flink, given.command)
    except ClusterError as fault:
        print(f"Error: {fault}", file=sys.stderr)
        return 1


def _given() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m deploy.flink", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="what", required=True)
    up, run = commands.add_parser("up", help="until Ctrl-C"), commands.add_parser("run", help="for one command")
    for command in (up, run):
        command.add_argument("--task-managers", type=_count, default=2, metavar="N")
    run.add_argument("command", nargs="+", help="behind --, such as: allsaid generate …")
    return parser.parse_args()


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is no number of TaskManagers; give 1 or more")
    return int(text)


def _stop(number: int, _: object) -> None:
    sys.exit(128 + number)


def _up(flink: Cluster) -> NoReturn:
    options = FOLDER / "options"
    options.write_text(" ".join(flink.options) + "\n")
    print(f"Flink is up; its logs are in {flink.state / 'logs'}. Ctrl-C ends it. The options of a job are those of")
    print(f"    allsaid ingest mealmaster --input 'samples/*.mmf*' --output data $(cat {options})")
    print(*flink.options, sep="\n", flush=True)
    try:
        while True:
            flink.check()
            time.sleep(0.5)
    finally:
        options.unlink()


def _run(flink: Cluster, command: Sequence[str]) -> int:
    with subprocess.Popen([*command, *flink.options]) as job:
        try:
            while job.poll() is None:
                flink.check()
                time.sleep(0.2)
        except BaseException:
            job.terminate()
            raise
        return job.returncode


if __name__ == "__main__":
    sys.exit(main())
