"""A catalogue of hotels and restaurants whose texts were written by people, from RNNLG's dialogue acts.

    python -m benchmarks.corpora.venues --acts DIR --output DIR [--new 60] [--seed 1]

``--acts`` is RNNLG's folder ``original`` (Wen et al. 2015). Of its acts that tell of one venue by name, those of train
and valid become ``catalogue.csv`` (two to five values a row, each with a person's text) with its mapping
``catalogue.yaml``, those of test ``people.csv``. New rows without a text are put together from the values of all:
``few.csv`` has hotels and restaurants of 3 to 8 values, ``many.csv`` of 9 and more, up to all that a kind has (11).
Names are written with capitals, and endings that the corpus parts from their words are put back.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

Row = dict[str, str]

PARTS = {"catalogue": ("train", "valid"), "people": ("test",)}
KINDS = ("hotel", "restaurant")
TITLES = ("name", "area", "near", "address")
FLAGS = ("kidsallowed", "dogsallowed", "hasinternet", "acceptscreditcards")
PLAIN = ("food", "pricerange", "price", "goodformeal", "phone", "postcode")
COLUMNS = (*TITLES, *PLAIN, *FLAGS)
FEW, MANY = (3, 8), (9, len(COLUMNS))
MAPPING = """id: id
goal: kind
text: text
rewrite: {{st: street}}
columns:
{columns}
"""
ALSO = {
    "kidsallowed": "[kid, kids, child, children]",
    "dogsallowed": "[dog, dogs, pets]",
    "hasinternet": "[internet, wifi]",
    "acceptscreditcards": "[credit card, credit cards, cards]",
}
_ACT = re.compile(r"inform\((.*)\)$")
_SLOT = re.compile(r"(\w+)=('[^']*(?:'s[^']*)*'|[^;]*)")
_ENDING = re.compile(r" (?:-(?=(?:s|es|ly|ed|ing)\b)|(?='))")
_MARK = re.compile(r" (?=[,.;:?!)])")


def told(act: str) -> Row | None:
    """The columns of an act that tells of one venue; None for others."""
    found = _ACT.match(act)
    if not found:
        return None
    row = {column: value.strip("'") for column, value in _SLOT.findall(found[1])}
    row = {column: value for column, value in row.items() if value not in ("none", "dont_care", "")}
    if "name" not in row or len(row) != len(_SLOT.findall(found[1])):
        return None
    row.pop("type", None)
    return {column: capitals(value) if column in TITLES else value for column, value in row.items()}


def capitals(name: str) -> str:
    return re.sub(r"(?<![\w'])[a-z]", lambda found: found[0].upper(), name)


def text_of(written: str, row: Row) -> str:
    text = _MARK.sub("", _ENDING.sub("", " ".join(written.split())))
    text = text.replace("childs", "children")  # the corpus parts "child -s"
    for column in TITLES:
        if column in row:
            text = re.sub(rf"\b{re.escape(row[column])}\b", row[column], text, flags=re.IGNORECASE)
    return text


def acts(folder: Path, part: str) -> Iterator[tuple[str, Row, str]]:
    """Kind, columns and a person's text."""
    for kind in KINDS:
        lines = (folder / kind / f"{part}.json").read_text(encoding="utf-8").splitlines()
        for act, person, _ in json.loads("\n".join(line for line in lines if not line.startswith("#"))):
            row = told(act)
            if row:
                yield kind, row, text_of(person, row)


def write(path: Path, rows: list[Row]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ["id", "kind", *COLUMNS, *(["text"] if "text" in rows[0] else [])], restval="")
        writer.writeheader()
        writer.writerows(rows)


def new_row(known: list[tuple[str, Row]], counts: tuple[int, int], chance: random.Random) -> Row:
    """A row of so many values, its name among them, of any kind."""
    kind = chance.choice(KINDS)
    values = {column: [row[column] for of, row in known if of == kind and column in row] for column in COLUMNS}
    columns = [column for column in COLUMNS[1:] if values[column]]
    kept = chance.sample(columns, chance.randint(counts[0], min(counts[1], len(columns) + 1)) - 1)
    return {"kind": kind} | {column: chance.choice(values[column]) for column in ("name", *kept)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--acts", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--new", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    given.output.mkdir(parents=True, exist_ok=True)
    chance = random.Random(given.seed)
    known: list[tuple[str, Row]] = []
    for name, parts in PARTS.items():
        told_rows = [row for part in parts for row in acts(given.acts, part)]
        known += [(kind, row) for kind, row, _ in told_rows]
        write(
            given.output / f"{name}.csv",
            numbered(name, [{"kind": kind} | row | {"text": text} for kind, row, text in told_rows]),
        )
    for name, counts in (("few", FEW), ("many", MANY)):
        rows = [new_row(known, counts, chance) for _ in range(given.new)]
        write(given.output / f"{name}.csv", numbered(name, rows))
    lines = [
        f"  {column}: " + (f"{{kind: yes/no, also: {ALSO[column]}}}" if column in ALSO else "value")
        for column in COLUMNS
    ]
    (given.output / "catalogue.yaml").write_text(MAPPING.format(columns="\n".join(lines)), encoding="utf-8")


def numbered(name: str, rows: list[Row]) -> list[Row]:
    return [{"id": f"{name[0].upper()}-{number:05}"} | row for number, row in enumerate(rows)]


if __name__ == "__main__":
    main()
