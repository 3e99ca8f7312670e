"""Measure the seconds from a new clone to the first proven text, for each version of Python.

    python -m benchmarks.speed.commands.new_machine --work DIR --python python3.11 python3.12 python3.13

A clone of this repository's last commit and a home folder without caches are made for each interpreter, in a folder of
``DIR`` that is not there yet. `make demo` runs there, with nothing of this environment but its paths to programs and
to certificates. Seconds until the set-up is done, until the first line about a text's proof, and until the end.
Writes ``benchmarks/results/new_machine.json``.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import time
from pathlib import Path

from benchmarks.result_file import RESULTS, ROOT, machine, write

KEPT = ("PATH", "LANG", "LD_LIBRARY_PATH", "PIP_CERT", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE")
READY, PROVEN = "Shop, 1 of 3", "has a wrong text"  # in the demo's lines


def measure(python: str, work: Path) -> dict[str, object]:
    """Run the demo with this interpreter on a machine that has nothing of Allsaid; remove what it installs."""
    version = subprocess.run(
        [python, "-c", "import platform; print(platform.python_version())"], check=True, capture_output=True, text=True
    ).stdout.strip()
    home, clone = work / f"home-{version}", work / f"allsaid-{version}"
    home.mkdir(parents=True)
    subprocess.run(["git", "clone", "-q", ROOT, clone], check=True)
    environment = {name: os.environ[name] for name in KEPT if name in os.environ} | {
        "HOME": str(home),
        "PYTHONUNBUFFERED": "1",
    }
    seconds: dict[str, float] = {}
    begun = time.monotonic()
    with subprocess.Popen(
        ["make", "demo", f"PYTHON={python}"],
        cwd=clone,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as running:
        assert running.stdout
        for line in running.stdout:
            print(line, end="", flush=True)
            for name, words in (("set up", READY), ("first proof", PROVEN)):
                if words in line:
                    seconds.setdefault(name, round(time.monotonic() - begun))
    if running.returncode or len(seconds) < 2:
        raise RuntimeError(f"`make demo` with Python {version} ended with {running.returncode}.")
    seconds["end"] = round(time.monotonic() - begun)
    size = sum(path.lstat().st_size for path in (clone / ".venv").rglob("*") if path.is_file())
    shutil.rmtree(clone)
    shutil.rmtree(home)
    return {"seconds": seconds, "environment_gigabytes": round(size / 1e9, 1)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="a folder that is not there yet")
    parser.add_argument("--python", nargs="+", required=True, help="interpreters")
    given = parser.parse_args()
    before = machine()
    versions = {}
    for python in given.python:
        found = measure(python, given.work.absolute())
        versions[Path(python).name.removeprefix("python")] = found
    write(RESULTS / "new_machine.json", {"machine": before, "versions": versions})


if __name__ == "__main__":
    main()
