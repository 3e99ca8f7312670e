"""Time and memory of the ingest, on half and on all of a library, with one and with two processes.

    python -m benchmarks.corpora.ingest_library --input '../shared/data/mealmaster/nyc-*.mmf.gz'

Each case is a run of its own in a fresh process; memory is the peak resident size of each process of its tree,
read from /proc. Writes ``benchmarks/results/ingest_library.json``.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.result_file import RESULTS, ROOT, write
from benchmarks.watched import watched

RESULT = RESULTS / "ingest_library.json"
SHARE = 0.011  # dev and test share of the paper's setting: about 1,000 recipes each on the whole library
CODE = """
import sys
from pipelines.ingest.request import Request
from pipelines.ingest.run import run
from pipelines.sources.mealmaster.source import Settings
share, output, workers, *paths = sys.argv[1:]
options = ["--direct_num_workers", workers]
if int(workers) > 1:
    options += ["--direct_running_mode", "multi_processing"]
if __name__ == "__main__":
    settings = Settings(dev_share=float(share), test_share=float(share))
    run(Request("mealmaster", paths, output, settings, options))
"""


def measured(paths: Sequence[str], workers: int, output: str) -> dict[str, Any]:
    """One run: seconds, the peak of each process that took part, and what the run counted."""
    command = [sys.executable, "-c", CODE, str(SHARE), output, str(workers), *paths]
    found = watched(command, ROOT)
    manifest = json.loads((Path(output) / "manifest.json").read_text())
    return {
        "files": len(paths),
        "processes": workers,
        **found,
        "records_per_second": round(manifest["read"] / found["seconds"]),
        **{name: manifest[name] for name in ("read", "kept", "rejected", "splits", "statistics", "fingerprint")},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--input", required=True, help="glob of the library's files")
    parser.add_argument("--output", type=Path, default=RESULT, help="the JSON file to write")
    arguments = parser.parse_args()
    pattern = Path(arguments.input)
    paths = sorted(str(path.resolve()) for path in pattern.parent.glob(pattern.name))
    cases = []
    for workers in (2, 1):
        for share in (len(paths) // 2, len(paths)):
            with tempfile.TemporaryDirectory() as folder:
                cases.append(measured(paths[:share], workers, f"{folder}/out"))
            shown = ("files", "processes", "seconds", "cpu_seconds", "peak_megabytes")
            print(json.dumps({name: cases[-1][name] for name in shown}), flush=True)
    machine = {"cores": os.cpu_count(), "python": platform.python_version(), "machine": platform.machine()}
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    write(arguments.output, {"machine": machine, "cases": cases})


if __name__ == "__main__":
    main()
