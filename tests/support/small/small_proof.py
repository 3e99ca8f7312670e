"""A small table of bags and tents with right texts, and the options that prove them."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from batch_infer.options.prove import ProveOptions

HERE = "--direct_running_mode=in_memory"
MAPPING = """
id: nr
goal: kind
text: about
columns:
  name: value
  colour: value
  weight: {kind: number, unit: kg}
  washable: yes/no
"""
ROWS = (
    {"nr": "1", "kind": "bag", "name": "Alder", "colour": "blue", "weight": "2", "washable": "yes"},
    {"nr": "2", "kind": "bag", "name": "Birch", "colour": "red", "weight": "3", "washable": "no"},
    {"nr": "3", "kind": "tent", "name": "Cedar", "colour": "green", "weight": "4", "washable": ""},
)
GOOD = (
    {"nr": "1", "about": "The Alder is a blue bag of 2 kg. It is washable."},
    {"nr": "2", "about": "The Birch, a bag, weighs 3 kg. It is red, and not washable."},
    {"nr": "3", "about": "Cedar is a green tent. It weighs 4 kg."},
)


def write(path: Path, rows: Sequence[Mapping[str, str]]) -> str:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(dict.fromkeys(name for row in rows for name in row)))
        writer.writeheader()
        writer.writerows(rows)
    return str(path)


def options(shop: Path, texts: str = "texts.csv", output: str = "proof", **more: Any) -> ProveOptions:
    given: dict[str, Any] = {"mapping": str(shop / "mapping.yaml")} | more
    return ProveOptions(
        str(shop / "table.csv"), str(shop / output), texts=str(shop / texts), beam_args=(HERE,), **given
    )
