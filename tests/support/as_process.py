"""`allsaid` in a process of its own, where the start, the exit or what is printed counts."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

HEAVY = {"torch", "apache_beam", "mlflow", "spacy", "pandas", "great_expectations"}
ALLSAID = str(Path(sys.executable).with_name("allsaid"))


def allsaid(*words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run([ALLSAID, *words], capture_output=True, text=True, cwd=cwd, timeout=300)


def json_lines(*words: str) -> tuple[int, list[dict[str, Any]], list[dict[str, Any]]]:
    """A command with ``--log-format json``: the exit code, the objects of standard output and standard error."""
    done = allsaid(*words)
    figures, news = ([json.loads(line) for line in text.splitlines()] for text in (done.stdout, done.stderr))
    assert all(line.keys() >= {"time", "level", "message"} for line in news)
    return done.returncode, figures, news


def loaded_by(*words: str) -> tuple[int, set[str]]:
    """A command: its exit code, and which heavy libraries it has loaded when it ends."""
    code = (
        "import sys\nfrom allsaid.__main__ import main\ntry:\n    main(sys.argv[1:])\nexcept SystemExit as end:\n"
        f"    print(end.code or 0, *({HEAVY!r} & sys.modules.keys()), sep='\\n')"
    )
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, timeout=300)
    lines = done.stdout.splitlines()
    start = max(place for place, line in enumerate(lines) if line.isdigit())
    return int(lines[start]), set(lines[start + 1 :])
