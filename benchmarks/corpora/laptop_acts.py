"""A table of laptops whose texts were written by people, from RNNLG's dialogue acts.

    python -m benchmarks.corpora.laptop_acts --acts DIR --output DIR [--kinds inform]

``--acts`` is RNNLG's folder ``original`` (Wen et al. 2015). The acts of all three parts that speak of one laptop by its
name become ``laptops.csv``, a row each, with its mapping ``laptops.yaml``; the ingest splits them anew. The corpus is
in lower case: names and units get their capitals, in cells and texts alike. ``--kinds inform recommend`` takes the
recommendations, too, whose texts praise the laptop with claims that no column supports.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.corpora.venues import Row, capitals, told
from benchmarks.corpora.venues import text_of as joined

PARTS = ("train", "valid", "test")
COLUMNS = (
    "name", "family", "platform", "processor", "memory", "drive", "driverange", "dimension", "weight", "weightrange",
    "battery", "batteryrating", "price", "pricerange", "warranty", "design", "utility", "isforbusinesscomputing",
)  # fmt: skip
MAPPING = """# What the columns of laptops.csv mean, for `allsaid ingest records`.
id: id
goal: kind
text: text
language: en
columns:
  name: value
  family: value
  platform: value
  processor: value
  memory: {kind: number, unit: GB}
  drive: {kind: number, unit: GB}
  driverange: value
  dimension: {kind: number, unit: inch, also: [inches]}
  weight: {kind: number, unit: kg, also: [kilograms]}
  weightrange: value
  battery: {kind: number, unit: hour, also: [hours, hrs]}
  batteryrating: value
  price: {kind: number, unit: dollars, also: [dollar, $]}
  pricerange: value
  warranty: value
  design: value
  utility: value
  isforbusinesscomputing: {kind: yes/no, also: [business, businesses]}
"""
# As the makers write them; the corpus has them in lower case.
_AS_WRITTEN = """Windows Pro Linux Intel Core Celeron Pentium Atom AMD NVIDIA Toshiba GB TB HDD SSD LED LCD HD USB DVD
European Satellite Tecra Portege Qosmio"""
_WRITTEN = {one.lower(): one for one in _AS_WRITTEN.split()}
_WORD = re.compile(rf"(?<![\w-])(?:{'|'.join(_WRITTEN)})(?![\w-])", re.IGNORECASE)


def with_capitals(text: str) -> str:
    return _WORD.sub(lambda found: _WRITTEN[found[0].lower()], text)


def row_of(act: str, kinds: Sequence[str]) -> Row | None:
    """The columns of an act that speaks of one laptop by its name; None for others."""
    kind, bracket, slots = act.partition("(")
    row = told(f"inform({slots}") if bracket and kind in kinds else None
    if row is None:
        return None
    return {column: with_capitals(joined(value, {})) for column, value in row.items()}


def text_of(written: str, row: Row) -> str:
    """A person's text with the capitals of names, a capital at the beginning of sentences and a mark at the end."""
    text = with_capitals(joined(written, {"name": row["name"]}))
    text = re.sub(r"\binchs\b", "inches", text)  # the corpus parts "inch -s"
    text = re.sub(r"(?<=[.!?] )[a-z]", lambda found: found[0].upper(), text)
    return text[0].upper() + text[1:] + ("." if text[-1].isalnum() else "")


def rows(folder: Path, kinds: Sequence[str] = ("inform",)) -> Iterator[Row]:
    number = 0
    for part in PARTS:
        lines = (folder / "laptop" / f"{part}.json").read_text(encoding="utf-8").splitlines()
        for act, person, _ in json.loads("\n".join(line for line in lines if not line.startswith("#"))):
            row = row_of(act, kinds)
            if row:
                number += 1
                named = row | {"name": capitals(row["name"])}
                yield {"id": f"L-{number:05}", "kind": "laptop", **named, "text": text_of(person, named)}


def write_table(folder: Path, acts: Path, kinds: Sequence[str] = ("inform",)) -> tuple[Path, Path]:
    """Write the table and its mapping; give their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    table, mapping = folder / "laptops.csv", folder / "laptops.yaml"
    with table.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ["id", "kind", *COLUMNS, "text"], restval="", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows(acts, kinds))
    mapping.write_text(MAPPING, encoding="utf-8")
    return table, mapping


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--acts", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--kinds", nargs="+", default=["inform"], help="kinds of acts [default: inform]")
    given = parser.parse_args()
    table, mapping = write_table(given.output, given.acts, given.kinds)
    print(f"{table} and {mapping}")


if __name__ == "__main__":
    main()
