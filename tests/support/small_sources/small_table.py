"""A small table of a shop with its mapping, and what the source makes of it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml

from pipelines.source import KeptRecord, Result
from pipelines.sources.records.source import Records, Settings
from schemas.act import Act
from schemas.box import Box
from schemas.example import Example

MAPPING: dict[str, Any] = {
    "id": "nr",
    "goal": "kind",
    "text": "about",
    "columns": {
        "name": "value",
        "price": {"kind": "number", "unit": "EUR", "also": ["euros", "€"]},
        "made of": {"kind": "list", "separator": "/"},
        "is_waterproof": "yes/no",
        "stock": "ignored",
    },
    "missing": ["n/a"],
}


ROWS: list[dict[str, Any]] = [
    {
        "nr": "7",
        "kind": "Tent",
        "name": "The Heron",
        "price": "1299.90",
        "made of": "nylon / steel",
        "is_waterproof": "yes",
        "stock": "3",
        "about": "Waterproof, and made of steel and Nylon:\nthe Heron costs €1,299.90. Waterproof to 2 m!",
    },
    {
        "nr": "8",
        "kind": "Lamp, small",
        "name": 'Glow "II"',
        "price": "n/a",
        "made of": "",
        "is_waterproof": "false",
        "stock": "",
        "about": 'A lamp called Glow "II" — "Waterproof"? No.',
    },
]


def as_csv(rows: Iterable[dict[str, Any]], delimiter: str = ",", bom: bool = False) -> bytes:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(ROWS[0]), delimiter=delimiter)
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode("utf-8-sig" if bom else "utf-8")


def ingest(folder: Path, data: bytes, mapping: dict[str, Any] = MAPPING, name: str = "table.csv") -> list[Result]:
    (folder / name).write_bytes(data)
    (folder / "mapping.yaml").write_text(yaml.safe_dump(mapping, sort_keys=False))
    settings = Settings(mapping=str(folder / "mapping.yaml"))
    (shard,) = Records().plan([str(folder / name)], settings)
    assert shard.files[1:] == (settings.mapping,)
    return list(Records().read(shard, settings))


def kept(results: Iterable[Result]) -> list[tuple[Example, Act, Box | None]]:
    found = []
    for one in results:
        assert isinstance(one, KeptRecord), one
        assert tuple(one.rows) == Records.borders
        found.append((*one.rows["examples"], *one.rows["acts"], next(iter(one.rows["boxes"]), None)))
    return found
