"""A cluster of `deploy/flink` as its user starts it, and commands that run there while processes are killed."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from as_process import ALLSAID
from dumps import cookbook, dump

ROOT = Path(__file__).resolve().parents[3]
SAMPLES = ROOT / "samples"
FOLDER = ROOT / "build" / "flink"
SECONDS = 1800  # that a job or the start of a cluster may take on a busy machine
FILES = 8  # that an input is cut into
VICTIMS = ("Python worker", "TaskManager")
JOB_MANAGER, JOB_SERVER = "StandaloneSession", "FlinkJobServerDriver"  # in the command lines of these processes
MODELS = {"generate": "table", "generate, pointing": "latent-table", "generate, box": "table-nlm"}  # a job of each kind
SMALL = ("hidden=8", "epochs=1", "width=2", "max_tokens=20", "score_texts=1")  # of the model


@dataclass(frozen=True)
class Flink:
    launcher: subprocess.Popen[str]
    options: tuple[str, ...]  # of Beam, that lead there

    def task_managers(self) -> list[int]:
        return children(self.launcher.pid, "TaskManagerRunner")

    def java(self) -> list[int]:
        """All processes that the launcher has started."""
        return children(self.launcher.pid, "java")

    def workers(self) -> list[int]:
        """The Python workers of all TaskManagers."""
        return [worker for manager in self.task_managers() for worker in children(manager, "worker.py")]

    def kill(self, word: str) -> None:
        """Kill the process of the launcher with this word in its command line."""
        os.kill(children(self.launcher.pid, word)[0], signal.SIGKILL)

    @contextmanager
    def unwatched(self) -> Iterator[None]:
        """While the block runs nobody looks after the processes, as on most clusters."""
        self.launcher.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.launcher.send_signal(signal.SIGCONT)


@dataclass(frozen=True)
class Kill:
    what: str
    after_seconds: float  # since the job's start
    marks: int  # of finished work, at that moment


@dataclass(frozen=True)
class Done:
    seconds: float
    first_seconds: float  # until a first piece of work was finished; 0.0: none was looked for, or seen
    kills: list[Kill]


def children(parent: int, word: str) -> list[int]:
    """The processes that another one has started, with a word in their command lines."""
    listed = subprocess.run(["ps", "-wweo", "pid=,ppid=,args="], check=True, capture_output=True, text=True).stdout
    lines = [line.split(maxsplit=2) for line in listed.splitlines()]
    return [int(line[0]) for line in lines if int(line[1]) == parent and word in line[-1]]


@contextmanager
def flink(task_managers: int) -> Iterator[Flink]:
    """A cluster while the block runs; it is asked to end as a service is."""
    command = [sys.executable, "-m", "deploy.flink", "up", "--task-managers", str(task_managers)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as launcher:
        try:
            assert launcher.stdout is not None
            options = FOLDER / "options"
            while launcher.poll() is None and not launcher.stdout.readline().startswith("--environment_options"):
                pass
            assert launcher.poll() is None, "The cluster did not start; see build/flink/state/logs."
            yield Flink(launcher, tuple(options.read_text().split()))
        finally:
            launcher.terminate()


def run(
    command: Sequence[str], flink: Flink | None, marks: Callable[[], int] | None = None, kill: bool = False
) -> Done:
    """Run `allsaid`, on a cluster if there is one.

    ``marks`` counts the pieces of work that are done. With ``kill`` the job loses a Python worker after the first of
    them, and a TaskManager once another worker has begun. Workers that an earlier job has left idle count for none.
    """
    idle = set(flink.workers()) if flink else set[int]()
    begun, first, before = time.monotonic(), 0.0, set[int]()
    kills: list[Kill] = []
    with subprocess.Popen([ALLSAID, *command, *(flink.options if flink else ())]) as job:
        while job.poll() is None:
            now = time.monotonic() - begun
            assert now < SECONDS
            time.sleep(0.2)
            if marks is None or not marks():
                continue
            first = first or now
            if flink is None or not kill or len(kills) == 2:
                continue
            workers = set(flink.workers()) - idle
            victims = flink.task_managers() if kills and workers - before else sorted(workers)[: not kills]
            if victims:
                os.kill(victims[0], signal.SIGKILL)
                kills.append(Kill(VICTIMS[len(kills)], round(time.monotonic() - begun, 1), marks()))
                before = before or workers
    assert job.returncode == 0, command
    return Done(round(time.monotonic() - begun, 1), round(first, 1), kills)


@dataclass(frozen=True)
class Ended:
    """A command that lost its cluster."""

    code: int
    seconds: float  # from the loss to the end
    told: str


def lose(command: Sequence[str], flink: Flink, victim: str, done: Callable[[], int]) -> Ended:
    """Run `allsaid` on a cluster which loses the process ``victim`` once ``done`` counts any finished work."""
    with subprocess.Popen([ALLSAID, *command, *flink.options], stderr=subprocess.PIPE, text=True) as job:
        while not done():
            assert job.poll() is None, job.communicate()[1]
            time.sleep(0.1)
        flink.kill(victim)
        begun = time.monotonic()
        told = job.communicate(timeout=SECONDS)[1]
    return Ended(job.returncode, time.monotonic() - begun, told)


def write_inputs(folder: Path, rows: int) -> None:
    """Dumps of recipes, and the rows of the sample table under new ids, each in several files."""
    recipes = cookbook()
    with (SAMPLES / "products.csv").open(newline="") as stream:
        header, *products = csv.reader(stream)
    for number in range(FILES):
        (folder / f"recipes-{number}.mmf").write_bytes(dump(recipes[number::FILES]))
        with (folder / f"products-{number}.csv").open("w", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow(header)
            for row in range(number, rows, FILES):
                cells = products[row % len(products)]
                writer.writerow([f"{cells[0]}-{row // len(products)}", *cells[1:]])


def train(folder: Path, configs: Iterable[str] = MODELS.values()) -> None:
    """A small model of the sample table by each configuration, in ``folder``/CONFIGURATION/model."""
    table = ("--input", str(SAMPLES / "products.csv"), "--mapping", str(SAMPLES / "products.yaml"))
    run(["ingest", "records", *table, "--output", str(folder / "products")], None)
    small = [word for setting in SMALL for word in ("--set", setting)]
    for config in configs:
        names = ["--data", str(folder / "products"), "--name", "products", "--run-dir", str(folder / config)]
        run(["train", config, *names, "--tracking", "offline", *small], None)


@dataclass(frozen=True)
class Job:
    """A command of the two that Beam runs, but for its ``--output``."""

    words: tuple[str, ...]
    marks: str  # glob below the output of what tells that pieces of work are finished
    files: str  # glob below the output of the data; `{run}` stands for the published run

    def finished(self, output: Path) -> int:
        return sum(1 for _ in output.glob(self.marks))

    def data(self, output: Path) -> dict[str, bytes]:
        """The bytes of the files that came out, by their names."""
        seen = output / "current" if (output / "current").exists() else output
        return {str(path.relative_to(seen)): path.read_bytes() for path in sorted(seen.glob(self.files))}


def jobs(folder: Path) -> dict[str, Job]:
    """The jobs over the inputs of :func:`write_inputs` and the model of :func:`train`."""
    mapping = ("--mapping", str(SAMPLES / "products.yaml"))
    table = ("--input", str(folder / "products-*.csv"))
    read, data = "runs/*/staged/*.read", "[!s]*/**/*.parquet"
    return {
        "ingest mealmaster": Job(("ingest", "mealmaster", "--input", str(folder / "recipes-*.mmf")), read, data),
        "ingest records": Job(("ingest", "records", *table, *mapping), read, data),
        **{
            name: Job(("generate", "--model", str(folder / config / "model"), *table), "done/*.json", "*/*.parquet")
            for name, config in MODELS.items()
        },
    }
