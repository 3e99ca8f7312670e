"""How long the demo takes on a real dump, and what it reaches.

    python -m benchmarks.speed.commands.demo_raw --dump GLOB

Writes benchmarks/results/demo_raw.json. Needs an installed `allsaid`; set-up is not part of the time.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.result_file import RESULTS, write

RESULT = RESULTS / "demo_raw.json"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dump", required=True, help="a glob of Meal-Master files")
    dump = str(Path(parser.parse_args().dump).absolute())
    with tempfile.TemporaryDirectory() as folder:
        started = time.monotonic()
        command = [str(Path(sys.executable).with_name("allsaid")), "demo", "--dump", dump]
        answer = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, text=True, check=True)
        seconds = time.monotonic() - started
        summary = json.loads(next(Path(folder).glob("demo/texts/*/summary.json")).read_text())
    result = {
        "command": "python -m benchmarks.speed.commands.demo_raw --dump GLOB",
        "dump": Path(dump).name,
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "seconds": round(seconds, 1),
        "peak_rss_mib_of_the_largest_process": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024,
        "table": dict(re.findall(r"│ (\S.*?)\s+│\s+(\S+) │", answer.stdout.rpartition("┏")[2])),
        "summary": summary,
    }
    RESULT.parent.mkdir(exist_ok=True)
    write(RESULT, result)
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
