"""A shop with nightly runs: its table and configuration, and what its readers see and are told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from fault_worlds import HEADER

CONFIG: dict[str, Any] = {
    "ingest": {"source": "records", "input": "shop.csv", "output": "data", "mapping": "chairs.yaml"},
    "generate": {
        "model": "chairs",
        "input": "shop.csv",
        "output": "texts",
        "width": 2,
        "max_tokens": 12,
        "gate": ["errors=0.2", "given_fall=50"],
        "format": "csv",
        "keep_snapshots": 2,
    },
}  # fmt: skip
SAID = "The {} chair {} is {} cm wide and folds."
CHAIRS = ("Alder", "blue", 41), ("Birch", "grey", 52), ("Cedar", "oak", 63), ("Dogwood", "blue", 74), ("Elm", "grey", 8)
NEW = "n1,chair,Elm,oak,52,no,7,"  # a row without a text


def write_table(*more: str, changed: str = "", header: str = f"{HEADER},stock,said") -> None:
    """Five chairs with a text, the width of the first one perhaps ``changed``, and ``more`` lines as they are."""
    lines = [header]
    for number, (name, colour, width) in enumerate(CHAIRS):
        size = changed if changed and not number else width
        lines.append(f"c{number},chair,{name},{colour},{size},yes,{number + 3},{SAID.format(colour, name, size)}")
    Path("shop.csv").write_text("\n".join([*lines, *more]) + "\n")


def write_config(**generate: Any) -> None:
    Path("shop.yaml").write_text(yaml.safe_dump({**CONFIG, "generate": CONFIG["generate"] | generate}))


def write_texts(**texts: str) -> None:
    """An agency's texts by row, of the chairs c0 and c1 if not told otherwise; "" leaves a row out."""
    told = {f"c{n}": SAID.format(colour, name, width) for n, (name, colour, width) in enumerate(CHAIRS[:2])} | texts
    Path("agency.csv").write_text(
        "\n".join(["nr,said", *(f"{row},{text}" for row, text in told.items() if text)]) + "\n"
    )


def seen() -> str:
    """The run that readers see."""
    run = json.loads(Path("texts/published.json").read_text())["run"]
    assert Path("texts/current").resolve() == Path("texts/runs", run).resolve()
    return run


def summary() -> dict[str, Any]:
    return json.loads(Path("texts/current/summary.json").read_text())


def told(capsys: pytest.CaptureFixture[str]) -> str:
    return " ".join(capsys.readouterr().err.split())
