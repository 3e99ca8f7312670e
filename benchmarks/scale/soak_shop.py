"""The shop of `soak.py`: a table that changes, two versions of a model, and two places for its texts."""

from __future__ import annotations

import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.result_file import ROOT
from benchmarks.scale import soak_command
from benchmarks.scale.soak_command import Ended, allsaid

DISK, STORE = "disk", "object store"
MODEL = "shop"
BUCKET = "shop"
ROWS = 24  # of the first table
TRAINING_ROWS = 40
KEEP = 3  # nightly runs on disk
SMALL = ("hidden=8", "epochs=1", "width=2", "max_tokens=20", "score_texts=1")  # a model that is trained in seconds


@dataclass
class Shop:
    """A folder with all that nightly runs need; the working folder of all commands."""

    work: Path
    rows: list[list[str]] = field(default_factory=list)
    unused: list[list[str]] = field(default_factory=list)
    header: list[str] = field(default_factory=list)
    champion: int = 1

    @property
    def table(self) -> Path:
        return self.work / "catalogue.csv"

    def outputs(self, place: str) -> tuple[str, str]:
        """Return the output folders of the data set and of the texts."""
        base = f"s3://{BUCKET}" if place == STORE else "disk"
        return f"{base}/data", f"{base}/texts"

    def write_table(self) -> None:
        stream = StringIO()
        csv.writer(stream).writerows([self.header, *self.rows])
        self.put_table(stream.getvalue())

    def put_table(self, content: str) -> None:
        """Replace the table in one step, as a careful export does."""
        new = self.table.with_suffix(".new")
        new.write_text(content, newline="")
        new.replace(self.table)

    def table_now(self) -> str:
        return self.table.read_bytes().decode()

    def change(self, rng: Random) -> dict[str, int]:
        """Add, change and remove rows; return how many of each."""
        removed = [self.rows.pop(rng.randrange(len(self.rows))) for _ in range(rng.randint(0, 2))]
        changed = rng.sample(range(len(self.rows)), rng.randint(0, 3))
        price = self.header.index("price_eur")
        for row in changed:
            self.rows[row][price] = f"{rng.randint(500, 9999) / 100:.2f}"
        added = [self.unused.pop(0) for _ in range(rng.randint(0, 3))]
        self.rows += added
        self.unused += removed
        self.write_table()
        return {"added": len(added), "changed": len(changed), "removed": len(removed)}

    def write_config(self, name: str, outputs: tuple[str, str], model: str) -> str:
        """Write CONFIG of `allsaid nightly`; return its name."""
        shared = {"input": self.table.name, "keep_snapshots": KEEP}
        config = {
            "ingest": {"source": "records", "mapping": "mapping.yaml", "output": outputs[0], **shared},
            "generate": {"model": model, "output": outputs[1], "gate": ["errors=1"], **shared},
        }
        (self.work / name).write_text(json.dumps(config))  # JSON is YAML
        return name

    def run(self, *words: str, **more: Any) -> Ended:
        """Run a command of Allsaid; its report is one JSON object."""
        return soak_command.run(allsaid("--log-format", "json", *words), self.work / "command.log", **more)

    def nightly(self, place: str, *beam: str, **more: Any) -> Ended:
        config = self.write_config(f"{place.split()[-1]}.yaml", self.outputs(place), f"models:/{MODEL}@champion")
        return self.run("nightly", config, *beam, **more)

    def promote(self) -> None:
        """Make the other version the champion, in a process of its own."""
        other = 3 - self.champion
        must(self.run_aside("promote", MODEL, str(other)))
        self.champion = other

    def run_aside(self, *words: str) -> Ended:
        """Run a command while another one is stopped."""
        return soak_command.run(allsaid("--log-format", "json", *words), self.work / "aside.log")

    def call(self, function: Callable[[], object]) -> Any:
        """Call a function in a process of its own; return its result, which is JSON.

        Clients of a store and of MLflow start threads, and a process with threads is not safely forked.
        """

        def answer() -> None:
            print(json.dumps({"result": function()}))

        return must(soak_command.run(answer, self.work / "aside.log")).answer("result")


def must(ended: Ended) -> Ended:
    assert ended.code == 0, ended.output
    return ended


def open_shop(work: Path, seed: int) -> Shop:
    """Make the folder: the table, and two versions of a model in a tracking server of its own."""
    work.mkdir(parents=True)
    for name in ("disk", "tmp"):
        (work / name).mkdir()
    os.chdir(work)
    os.environ |= {"MLFLOW_TRACKING_URI": f"sqlite:///{work}/mlflow.db", "TMPDIR": str(work / "tmp")}
    tempfile.tempdir = None  # was looked up before
    os.environ |= {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
    (work / "mapping.yaml").write_bytes((ROOT / "samples" / "products.yaml").read_bytes())
    with (ROOT / "samples" / "products.csv").open(newline="") as file:
        header, *rows = csv.reader(file)
    Random(seed).shuffle(rows)
    shop = Shop(work, rows[:TRAINING_ROWS], rows[ROWS:], header)
    shop.write_table()
    data = ("--input", shop.table.name, "--mapping", "mapping.yaml", "--output", "training-data")
    must(shop.run("ingest", "records", *data))
    for version in (1, 2):
        settings = [word for setting in (*SMALL, f"seed={version}") for word in ("--set", setting)]
        names = ("--name", MODEL, "--run-dir", f"training-{version}")
        must(shop.run("train", "table", "--data", "training-data", *names, *settings))
    must(shop.run("promote", MODEL, "1"))
    del shop.rows[ROWS:]
    shop.write_table()
    return shop


def make_bucket() -> None:
    import boto3

    boto3.client("s3").create_bucket(Bucket=BUCKET)


def temporary(work: Path) -> Sequence[str]:
    """Return what is in the folder for temporary files."""
    return sorted(path.name for path in (work / "tmp").iterdir())


def fill(folder: Path, filler: Path, free: int) -> None:
    """Fill the small file system but for some bytes."""
    room = shutil.disk_usage(folder).free - free
    with (folder / filler.name).open("wb") as file:
        file.write(bytes(max(room, 0)))


@contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    """Mount a small file system of its own at the folder."""
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", folder], capture_output=True)
    if mounted.returncode:
        raise SystemExit(
            "A full disk needs a small file system of its own. Run the soak test as root, where it can mount one."
        )
    try:
        yield
    finally:
        subprocess.run(["umount", folder], check=True)


@contextmanager
def object_store() -> Iterator[str]:
    """Start the object store; return its address, which the environment has, too."""
    command = [sys.executable, "-m", "benchmarks.scale.soak_store"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True, cwd=ROOT) as server:
        assert server.stdout is not None and server.stdin is not None
        address = server.stdout.readline().strip()
        os.environ.update(AWS_ENDPOINT_URL=address, AWS_ACCESS_KEY_ID="soak", AWS_SECRET_ACCESS_KEY="soak")
        os.environ.update(AWS_DEFAULT_REGION="us-east-1", no_proxy="127.0.0.1")
        try:
            yield address
        finally:
            server.stdin.close()
