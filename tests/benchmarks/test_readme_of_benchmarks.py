"""The list of scripts in benchmarks/README.md."""

from __future__ import annotations

from pathlib import Path

from benchmarks.result_file import ROOT


def test_every_script_is_in_the_list_of_its_folder() -> None:
    text = (ROOT / "benchmarks" / "README.md").read_text(encoding="utf-8")
    lists = {section.split(":")[0]: section for section in text.split("\n## ")}
    for folder in ("speed", "quality", "corpora", "scale"):
        scripts = {path.name for path in Path(ROOT, "benchmarks", folder).glob("*.py")} - {"__init__.py"}
        assert {name for name in scripts if f"`{name}`" not in lists[folder]} == set()
