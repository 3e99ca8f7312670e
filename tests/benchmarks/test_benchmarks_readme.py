"""benchmarks/README.md names every script, and no other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
FOLDERS = sorted({str(path.parent.relative_to(BENCHMARKS)) for path in BENCHMARKS.rglob("*/*.py")})


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_readme_names_each_script_of_a_folder(folder: str) -> None:
    _, _, section = (BENCHMARKS / "README.md").read_text(encoding="utf-8").partition(f"\n## {folder}: ")
    rows = [line.split(" | ")[0] for line in section.partition("\n## ")[0].splitlines() if line.startswith("| `")]

    named = sorted(name for cell in rows for name in re.findall(r"`(\w+\.py)`", cell))

    assert named == sorted(file.name for file in (BENCHMARKS / folder).glob("*.py"))


def test_the_readme_gives_each_result_its_hours_once() -> None:
    _, _, section = (BENCHMARKS / "README.md").read_text(encoding="utf-8").partition("\n## Hours\n")

    listed = re.findall(r"`([a-z]\w+)`", section)

    assert sorted(listed) == sorted(file.stem for file in (BENCHMARKS / "results").glob("*.json"))
