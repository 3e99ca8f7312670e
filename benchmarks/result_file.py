"""How every script here writes its result: when and with which code it was measured, then the figures.

The pages take their figures from these files (`docs/pages/`, `make docs`) and say with them what "measured" holds. A
`note` may be added there by hand; `benchmarks.older` adds `older` once the measured code has changed.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results"


def write(path: Path, result: Mapping[str, Any]) -> None:
    """Write a result as JSON; the commit has a + behind it where files differ from it."""
    changed = git("status", "--porcelain", "--untracked-files=no")
    commit = git("rev-parse", "--short", "HEAD") + ("+" if changed else "")
    measured = {"commit": commit, "date": datetime.now(UTC).date().isoformat()}
    written = {"measured": None, **result} | {"measured": measured}  # an earlier file that was added to has its own
    path.write_text(json.dumps(written, indent=2, ensure_ascii=False) + "\n")


def machine() -> dict[str, Any]:
    """Facts about this machine that a time depends on."""
    return {
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
        "processor": platform.processor() or platform.machine(),
        "torch": version("torch"),
    }


def git(*arguments: str) -> str:
    """Return what a git command prints about this repository."""
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
