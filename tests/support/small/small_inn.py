"""Acts of an inn as a dialogue corpus writes them, read into a data set."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

from pipelines.ingest.request import Request
from pipelines.ingest.run import run as ingest
from pipelines.sources.dialogue_acts.source import NoSettings

NAMES = ("red door", "blue leek", "old mill")
FOODS = ("soup", "pie")


def entries(names: tuple[str, ...]) -> list[tuple[str, str, str]]:
    told = []
    for name, food in product(names, FOODS):
        told.append((f"inform(name='{name}';food={food})", f"{name} serves {food} .", f"{food} is at {name}"))
        told.append((f"inform(name='{name}';kidsallowed=no)", f"{name} does not allow kid -s .", f"no kids at {name}"))
    return told


def make(folder: Path) -> Path:
    """Write the corpus to ``folder`` and ingest it; gives back the data set's folder."""
    for split in ("train", "valid", "test"):
        (folder / f"{split}.json").write_text(json.dumps(entries(NAMES)))
    ingest(Request("dialogue-acts", [str(folder / "*.json")], str(folder / "data"), NoSettings()))
    return folder / "data"
