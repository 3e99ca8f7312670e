"""A made-up shop's catalogue of laptops, whose texts say a few values of each row, and new rows with many more.

    python -m benchmarks.corpora.laptops --output DIR [--rows 3000] [--new 200] [--seed 1]

writes ``catalogue.csv`` (rows of 2 to 6 values, each with a text that says all of them), ``catalogue.yaml`` (its
mapping), ``few.csv`` (new rows of 3 to 8 values) and ``many.csv`` (new rows of 12 to 18). Words are chosen by chance
from ways to say a value, to begin a text and to go on, so that a text is one of millions; names are made of syllables.
"""

from __future__ import annotations

import argparse
import csv
import random
from collections.abc import Sequence
from pathlib import Path

Row = dict[str, str]


def words(written: str, between: str = "|") -> list[str]:
    return written.split(between)


STARTS = words(
    "ar bel cor dan el far gal hel ira jun kel lor mer nor or pel quin ros sol tam ur ven wil xan yor zel", " "
)
ENDS = words("a ax en eo ic ion is ix on or os um us", " ")
VALUES: dict[str, Sequence[str]] = {
    "family": words("the Atlas series|the Breeze line|the Summit range|the Slate family|the Orbit series"),
    "platform": words("Windows 11|Linux|ChromeOS|FreeDOS"),
    "use": words("office work|gaming|video editing|school|travel|programming at night"),
    "design": words("a brushed aluminium lid|a matt black finish|a spill-proof keyboard|rounded edges"),
    "battery_rating": words("good|excellent|decent|outstanding"),
    "processor": words("an octa-core processor|a hexa-core processor|a quad-core processor|an ARM processor"),
    "drive_range": words("small|medium|large"),
    "weight_range": words("ultralight|light|middling|heavy"),
    "price_range": words("budget|mid-range|high-end"),
    "dimension": words("11.6 inch|13 inch|14 inch|15.6 inch|17.3 inch"),
    "screen": words("OLED|LED|anti-glare|HDR"),
}
NUMBERS = {  # column: lowest, highest, step
    "battery_hours": (3, 18, 0.5),
    "memory_gb": (4, 64, 4),
    "drive_gb": (128, 2048, 128),
    "weight_kg": (0.9, 3.2, 0.05),
    "price_eur": (199, 2899, 10),
    "warranty_years": (1, 5, 1),
}
FLAGS = ("business", "touchscreen", "webcam")
COLUMNS = ("name", *VALUES, *NUMBERS, *FLAGS)
# What a sentence says of its subject: {} is the value as texts write it.
SAYS: dict[str, Sequence[str]] = {
    "family": words("belongs to {}|comes from {}|is part of {}"),
    "platform": words("runs {}|operates on {}|uses {}|is delivered with {}"),
    "use": words("is made for {}|is perfect for {}|is used for {}|suits {}"),
    "design": words("has {}|comes in a design with {}|features {}"),
    "battery_rating": words("has a {} battery rating|offers {} battery life|has a battery rated {}"),
    "processor": words("has {}|is driven by {}|relies on {}"),
    "drive_range": words("has a {} drive|belongs to the {} drive range|comes with a {} hard drive"),
    "weight_range": words("is in the {} weight range|is of {} weight|belongs to the {} weight class"),
    "price_range": words("is in the {} price range|is a {} model|sells in the {} class"),
    "dimension": words("has a {} screen|measures {} across|comes with a {} display"),
    "screen": words("has an {} panel|shows its pictures on an {} screen"),
    "battery_hours": words("lasts {} on one charge|has a battery life of {}|works for {} without a plug"),
    "memory_gb": words("has {} of memory|comes with {} of RAM|is equipped with {} memory"),
    "drive_gb": words("stores {}|has a drive of {}|comes with a {} drive"),
    "weight_kg": words("weighs {}|has a weight of {}|tips the scales at {}"),
    "price_eur": words("costs {}|is yours for {}|sells for {}|has a price of {}"),
    "warranty_years": words("has a warranty of {}|comes with {} of warranty|is covered for {}"),
}
TELLS = {  # yes, no
    "business": (("is for business computing", "is a business machine"), ("is not for business computing",)),
    "touchscreen": (("has a touchscreen", "answers to touch"), ("has no touchscreen", "does without a touchscreen")),
    "webcam": (("has a webcam", "includes a webcam"), ("has no webcam", "lacks a webcam")),
}
UNITS = {"battery_hours": "hours", "memory_gb": "GB", "drive_gb": "GB", "weight_kg": "kg", "warranty_years": "years"}
MAPPING = """id: sku
goal: kind
text: text
columns:
  name: value
{values}
  battery_hours: {{kind: number, unit: hours, also: [h]}}
  memory_gb: {{kind: number, unit: GB}}
  drive_gb: {{kind: number, unit: GB}}
  weight_kg: {{kind: number, unit: kg, also: [kilograms]}}
  price_eur: {{kind: number, unit: EUR, also: [euros, €]}}
  warranty_years: {{kind: number, unit: years, also: [year]}}
  business: yes/no
  touchscreen: {{kind: yes/no, also: [touchscreen, touch]}}
  webcam: yes/no
"""


def name(chance: random.Random) -> str:
    word = chance.choice(STARTS) + chance.choice(ENDS)
    return f"{word.capitalize()} {chance.randint(2, 98)}"


def whole_row(chance: random.Random) -> Row:
    row = {"name": name(chance)}
    row |= {column: chance.choice(list(values)) for column, values in VALUES.items()}
    for column, (low, high, step) in NUMBERS.items():
        row[column] = f"{low + step * chance.randint(0, round((high - low) / step)):.2f}".rstrip("0").rstrip(".")
    return row | {column: chance.choice(("yes", "no")) for column in FLAGS}


def some_of(row: Row, count: int, chance: random.Random) -> Row:
    """The name and so many other values."""
    kept = {"name", *chance.sample(COLUMNS[1:], count - 1)}
    return {column: value for column, value in row.items() if column in kept}


def written(column: str, value: str, chance: random.Random) -> str:
    """A value as texts write it."""
    if column == "price_eur":
        return chance.choice((f"{value} euros", f"€{value}", f"{value} EUR"))
    unit = UNITS.get(column, "")
    if value == "1" and unit == "years":
        unit = "year"
    return f"{value} {unit}".strip()


def clause(column: str, row: Row, chance: random.Random) -> str:
    value = row[column]
    if column in FLAGS:
        return chance.choice(TELLS[column][value == "no"])
    return chance.choice(list(SAYS[column])).format(written(column, value, chance))


def text_of(row: Row, chance: random.Random) -> str:
    """A text that says all values of a row, two or three of them a sentence."""
    columns = [column for column in row if column != "name"]
    chance.shuffle(columns)
    sentences: list[str] = []
    while columns:
        count = min(len(columns), chance.choice((1, 2, 2, 3)))
        said, columns = [clause(column, row, chance) for column in columns[:count]], columns[count:]
        called = row["name"]
        if sentences:
            subject = chance.choice(("It", "It", "It", "It also", f"The {called}", "This laptop"))
        else:
            subject = chance.choice((f"The {called}", f"The {called}", f"The {called} laptop", called))
        sentences.append(f"{subject} {_joined(said, chance)}.")
    return " ".join(sentences)


def _joined(said: Sequence[str], chance: random.Random) -> str:
    if len(said) == 1:
        return said[0]
    last = chance.choice((" and ", ", and ", " and it ")) if len(said) == 2 else chance.choice((" and ", ", and "))
    return ", ".join(said[:-1]) + last + said[-1]


def write_table(path: Path, rows: Sequence[Row]) -> None:
    columns = ["sku", "kind", *COLUMNS, *(["text"] if "text" in rows[0] else [])]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, restval="")
        writer.writeheader()
        writer.writerows(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--rows", type=int, default=3000)
    parser.add_argument("--new", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    chance = random.Random(given.seed)
    given.output.mkdir(parents=True, exist_ok=True)
    tables: dict[str, list[Row]] = {"catalogue": [], "few": [], "many": []}
    for table, rows, counts in (
        ("catalogue", given.rows, (2, 6)),
        ("few", given.new, (3, 8)),
        ("many", given.new, (12, 18)),
    ):
        for number in range(rows):
            row = some_of(whole_row(chance), chance.randint(*counts), chance)
            made = {"sku": f"{table[0].upper()}-{number:05}", "kind": "laptop", **row}
            tables[table].append(made | ({"text": text_of(row, chance)} if table == "catalogue" else {}))
        write_table(given.output / f"{table}.csv", tables[table])
    values = "\n".join(f"  {column}: value" for column in VALUES)
    (given.output / "catalogue.yaml").write_text(MAPPING.format(values=values), encoding="utf-8")


if __name__ == "__main__":
    main()
