"""A folder of Meal-Master dumps and the runs over it."""

from __future__ import annotations

from pathlib import Path

from pipelines.ingest.request import Request, Schedule
from pipelines.ingest.run import run
from pipelines.sources.mealmaster.source import Settings
from schemas.runs.manifest import Manifest

SETTINGS = Settings(dev_share=0.2, test_share=0.1, phrase_threshold=3, phrase_min_count=3)


def write(folder: Path, **contents: bytes) -> None:
    for name, content in contents.items():
        (folder / f"{name}.mmf").write_bytes(content)


def ingest(folder: Path, settings: Settings = SETTINGS, **schedule: object) -> Manifest:
    options = Schedule(**schedule)  # type: ignore[arg-type]
    return run(Request("mealmaster", [str(folder / "*.mmf")], str(folder / "out"), settings, schedule=options))
