"""How long commands take that do little: what they load is most of it.

    git worktree add ../peer cbb6d1b
    python -m benchmarks.speed.commands.command_times --peer ../peer

Each command runs in a fresh process, in turns with the same command of another checkout under the same interpreter, so
that what else the machine does weighs on both. Each checkout has a data set, a model folder and a registry (SQLite) of
its own, made of the samples before. The first round is not counted. Writes medians to
``benchmarks/results/command_times.json``.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from benchmarks.result_file import RESULTS, ROOT, write

ROWS = 5
INGEST = ("ingest", "mealmaster", "--input", "{dumps}", "--output")
TRAIN = ("train", "checklist-sample", "--set", "epochs=1", "--data", "{data}", "--run-dir")
REGISTERED = "models:/times/1"
# What is measured. {dumps} is a glob; {data} and {model} were made before; {new} is a folder that is not there yet.
COMMANDS = {
    "help": ("--help",),
    "generate --help": ("generate", "--help"),
    "path": ("path", "{data}"),
    "history": ("history", "{data}"),
    "ingest": (*INGEST, "{new}"),
    "validate": ("validate", "{data}"),
    "generate": ("generate", "--model", "{model}", "--input", "{rows}", "--output", "{new}"),
    "generate from the registry": ("generate", "--model", REGISTERED, "--input", "{rows}", "--output", "{new}"),
}
# As on a user's machine, the first run of a command leaves compiled modules for the next.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


class Checkout:
    """A checkout and the folder of what its commands read and write."""

    def __init__(self, root: Path, work: Path) -> None:
        self.root, self.work, self._new = root, work, 0
        work.mkdir()
        lines = (root / "samples" / "agendas.jsonl").read_text().splitlines(keepends=True)
        (work / "rows.jsonl").write_text("".join(lines[:ROWS]))
        self.run((*INGEST, "{data}"))
        self.run((*TRAIN, str(work / "run"), "--tracking", "offline"))
        self.run((*TRAIN, str(work / "registered"), "--name", "times"), is_tracked=True)

    def run(self, words: Sequence[str], is_tracked: bool = False) -> tuple[float, float]:
        """Return the seconds of a command, and those of all its processes' work; is_tracked: with the registry."""
        self._new += 1
        places = {
            "dumps": self.root / "samples" / "*.mmf*",
            "data": self.work / "data",
            "model": self.work / "run" / "model",
            "rows": self.work / "rows.jsonl",
            "new": self.work / f"new-{self._new}",
        }
        arguments = [word.format_map(places) for word in words]
        begun = time.monotonic()
        command = subprocess.Popen(
            [sys.executable, "-m", "allsaid", *arguments],
            cwd=self.work,
            env=ENVIRONMENT
            | {"PYTHONPATH": str(self.root)}
            | ({"MLFLOW_TRACKING_URI": f"sqlite:///{self.work}/mlflow.db"} if is_tracked else {}),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        _, status, used = os.wait4(command.pid, 0)
        seconds = time.monotonic() - begun
        command.returncode = os.waitstatus_to_exitcode(status)
        if command.returncode:
            raise RuntimeError(f"{self.root}: allsaid {' '.join(arguments)} ended with {command.returncode}.")
        return seconds, used.ru_utime + used.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", type=Path, required=True, help="the checkout to compare with")
    parser.add_argument("--runs", type=int, default=5, help="that are counted, of each command and checkout")
    parser.add_argument("--output", type=Path, default=RESULTS / "command_times.json", help="the JSON file to write")
    arguments = parser.parse_args()
    peer = arguments.peer.resolve()
    commands = {}
    with tempfile.TemporaryDirectory() as folder:
        sides = {"here": Checkout(ROOT, Path(folder, "here")), "peer": Checkout(peer, Path(folder, "peer"))}
        for name, words in COMMANDS.items():
            rounds = [
                {side: checkout.run(words, REGISTERED in words) for side, checkout in sides.items()}
                for _ in range(arguments.runs + 1)
            ][1:]
            commands[name] = {
                side: {
                    "seconds": round(median(one[side][0] for one in rounds), 2),
                    "cpu_seconds": round(median(one[side][1] for one in rounds), 2),
                }
                for side in sides
            }
            print(name, commands[name], flush=True)
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=peer, check=True, capture_output=True, text=True
    )
    machine = {"cores": os.cpu_count(), "python": platform.python_version(), "machine": platform.machine()}
    write(arguments.output, {"peer": commit.stdout.strip(), "machine": machine, "commands": commands})


if __name__ == "__main__":
    main()
