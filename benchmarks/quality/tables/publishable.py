"""Whether texts can be published as they are: a sheet of generated texts mixed with people's, and its verdicts.

    python -m benchmarks.quality.tables.publishable make --few DIR... --many DIR... --people people.csv
        --output DIR [--seed 1]
    python -m benchmarks.quality.tables.publishable read --study DIR --verdicts verdicts.jsonl

``--few`` and ``--many`` are outputs of `allsaid generate --min-coverage 100 --sentence-case` for the tables of
benchmarks/corpora/venues.py and benchmarks/corpora/laptops.py, ``--people`` the former's table of people's texts, which
are given a capital and a last mark here, as the option gives the others. ``make`` draws 40 of each sort, evenly from
the folders of a sort, and writes ``sheet.jsonl`` in an order of chance: a number, the row and the text; ``key.json``
says whose each is. A reader who has not seen the key answers each with a line of ``verdicts.jsonl``: ``{"number": 1,
"publishable": true, "wrong_value": false, "why": ""}``. ``read`` counts them by whose they are and writes
benchmarks/results/publishable.json: verdicts and reasons, no texts. Rows of many values are known for what they are by
their length.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from batch_infer.proof.summary import text_files
from benchmarks.result_file import RESULTS, write

RESULT = RESULTS / "publishable.json"
DRAWN = 40  # of each
RULE = (
    "publishable: a shop could put the text online unread: correct sentences, nothing missing, wrong, doubled or said "
    "that the row lacks; plain style is no fault. wrong_value: it says something false of the row."
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("make")
    for option in ("--few", "--many"):
        making.add_argument(option, type=Path, nargs="+", required=True)
    for option in ("--people", "--output"):
        making.add_argument(option, type=Path, required=True)
    making.add_argument("--seed", type=int, default=1)
    reading = commands.add_parser("read")
    for option in ("--study", "--verdicts"):
        reading.add_argument(option, type=Path, required=True)
    given = parser.parse_args()
    if given.command == "make":
        make(given)
    else:
        read(given.study, given.verdicts)


def make(given: argparse.Namespace) -> None:
    chance = random.Random(given.seed)
    groups = [("few", generated(folder), len(given.few)) for folder in given.few]
    groups += [("many", generated(folder), len(given.many)) for folder in given.many]
    groups += [("people", written(given.people), 1)]
    drawn = [(name, entry) for name, texts, folders in groups for entry in chance.sample(texts, DRAWN // folders)]
    chance.shuffle(drawn)
    given.output.mkdir(parents=True)
    numbered = list(enumerate(drawn, 1))
    sheet = [{"number": number, "row": entry["row"], "text": entry["text"]} for number, (_, entry) in numbered]
    (given.output / "sheet.jsonl").write_text("".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in sheet))
    key = [{"number": number, "whose": name, "id": entry["id"]} for number, (name, entry) in numbered]
    (given.output / "key.json").write_text(json.dumps({"rule": RULE, "seed": given.seed, "texts": key}, indent=1))
    print(RULE)


def generated(folder: Path) -> list[dict[str, Any]]:
    texts = [text for path in text_files(str(folder)) for text in pq.read_table(path).to_pylist()]
    return [{"id": text["id"], "row": [text["goal"], *text["agenda"]], "text": text["text"]} for text in texts]


def written(table: Path) -> list[dict[str, Any]]:
    """People's texts, with a capital and a last mark."""
    found = []
    with table.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            text = row["text"][0].upper() + row["text"][1:] + ("." if row["text"][-1].isalnum() else "")
            values = [
                f"{column}={value}" for column, value in row.items() if value and column not in ("id", "kind", "text")
            ]
            found.append({"id": row["id"], "row": [row["kind"], *values], "text": text})
    return found


def read(study: Path, verdicts: Path) -> None:
    key = json.loads((study / "key.json").read_text())
    answers = {entry["number"]: entry for entry in map(json.loads, verdicts.read_text().splitlines())}
    missing = [entry["number"] for entry in key["texts"] if entry["number"] not in answers]
    if missing:
        raise SystemExit(f"{verdicts} has no answer for {missing[:5]}. Answer every text of {study / 'sheet.jsonl'}.")
    every = [entry | answers[entry["number"]] for entry in key["texts"]]
    counts = {
        whose: {
            "texts": len(texts),
            "publishable": sum(entry["publishable"] for entry in texts),
            "wrong_value": sum(entry["wrong_value"] for entry in texts),
        }
        for whose in ("few", "many", "people")
        if (texts := [entry for entry in every if entry["whose"] == whose])
    }
    write(RESULT, {"rule": key["rule"], "seed": key["seed"], "counts": counts, "verdicts": every})
    print(json.dumps(counts, indent=2))


if __name__ == "__main__":
    main()
