"""A blind reading of what two versions of the Meal-Master parser make of the same records.

    python -m benchmarks.corpora.recipe_reading parse --data DIR --output new.jsonl
    python -m benchmarks.corpora.recipe_reading parse --data DIR --output old.jsonl --commit cbb6d1b
    python -m benchmarks.corpora.recipe_reading make --data DIR --parsers old=old.jsonl new=new.jsonl --output DIR
        --key FILE --seed 1 (--raw 100 --library 60 | --differing 200)
    python -m benchmarks.corpora.recipe_reading count --key FILE --verdicts A.jsonl B.jsonl C.jsonl --result FILE

``parse`` reads every record of the library and of the untouched exports, with the code of this tree or of a commit.
``make`` draws the records whose places (file:offset) have the smallest hashes under the seed, and writes packets of 20:
the raw text, and below it the readings of both parsers in an order that is drawn, too; equal ones are shown once.
``--key`` says which is whose; readers must not see it. With ``--differing`` the readings of all records differ, and
readers say which is better.

Readers answer by benchmarks/corpora/recipe_reading_rubric.md. ``count`` takes the middle of their verdicts, the lower
one of two; of pairs the majority, else "same". Writes figures, verdicts and reasons, without the texts.
"""

from __future__ import annotations

import argparse
import hashlib
import heapq
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from allsaid.language.code_pages import decode
from allsaid.storage.streams import open_dump
from benchmarks import result_file
from evaluation.rating.answers import alpha
from pipelines.sources.mealmaster.dump import split_records

RUBRIC = Path(__file__).parent / "recipe_reading_rubric.md"
PARSED = Path(__file__).parent / "parsed_records.py"
PACKET = 20  # records
VERDICTS = ("strict", "usable", "wrong")
SAME = "same"
RAW, LIBRARY = "raw exports", "library"
Entry = dict[str, Any]  # number, place, origin, readings: letter -> names of the parsers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    parsing = commands.add_parser("parse", help="write what a parser makes of every record")
    parsing.add_argument("--data", type=Path, required=True)
    parsing.add_argument("--output", type=Path, required=True)
    parsing.add_argument("--commit", default="", help="the commit whose parser is used; by default this tree's")
    making = commands.add_parser("make", help="write the packets and the key")
    making.add_argument("--data", type=Path, required=True)
    making.add_argument("--parsers", nargs=2, required=True, metavar="NAME=FILE")
    making.add_argument("--output", type=Path, required=True, help="a new folder for the packets")
    making.add_argument("--key", type=Path, required=True, help="a new file for the key")
    making.add_argument("--seed", type=int, required=True)
    making.add_argument("--raw", type=int, default=0, help="records of the untouched exports")
    making.add_argument("--library", type=int, default=0, help="records of the library")
    making.add_argument("--differing", type=int, default=0, help="records of both whose readings differ")
    counting = commands.add_parser("count", help="count the verdicts")
    counting.add_argument("--key", type=Path, required=True)
    counting.add_argument("--verdicts", type=Path, nargs="+", required=True, help="a file of each reader")
    counting.add_argument("--result", type=Path, required=True)
    given = parser.parse_args()
    if given.command == "parse":
        parse(given.data, given.output, given.commit)
    elif given.command == "make":
        numbers = {RAW: given.raw, LIBRARY: given.library}
        make(given.data, given.parsers, given.output, given.key, given.seed, numbers, given.differing)
    else:
        count(given.key, given.verdicts, given.result)


def dumps(data: Path) -> dict[str, str]:
    """Return the path of each dump by its name."""
    return {path.name: str(path) for path in sorted((data / "mealmaster").rglob("*.mmf.gz"))}


def parse(data: Path, output: Path, commit: str) -> None:
    """Parse every record, with the code of a commit in a tree of its own."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree" if commit else result_file.ROOT
        if commit:
            git = ["git", "-C", str(result_file.ROOT), "worktree"]
            subprocess.run([*git, "add", "--quiet", "--detach", str(tree), commit], check=True)
        try:
            command = [sys.executable, str(PARSED), str(output.resolve()), *dumps(data.resolve()).values()]
            subprocess.run(command, check=True, cwd=tree, env={**os.environ, "PYTHONPATH": str(tree)})
        finally:
            if commit:
                subprocess.run([*git, "remove", "--force", str(tree)], check=True)


def make(
    data: Path, parsers: Sequence[str], output: Path, key: Path, seed: int, numbers: Mapping[str, int], differing: int
) -> None:
    """Draw the records and write the packets and the key."""
    names, paths = zip(*(written.split("=", 1) for written in parsers), strict=True)
    first, second = (read_parsed(path) for path in paths)
    both = [place for place in first if place in second]
    pairs = differing > 0
    if pairs:
        places = drawn((place for place in both if first[place] != second[place]), differing, seed)
    else:
        recipes = [place for place in both if len(first[place]) > 1 or len(second[place]) > 1]
        places = [
            place
            for origin, number in numbers.items()
            for place in drawn((place for place in recipes if origin_of(place) == origin), number, seed)
        ]
    chance = random.Random(seed)
    chance.shuffle(places)
    texts = raw_texts(data, places)
    entries: list[Entry] = []
    sheets: list[str] = []
    for number, place in enumerate(places, 1):
        readings = [(names[0], first[place]), (names[1], second[place])]
        chance.shuffle(readings)
        same = readings[0][1] == readings[1][1]
        shown = {"A": [name for name, _ in readings]} if same else {"A": [readings[0][0]], "B": [readings[1][0]]}
        entries.append({"number": number, "place": place, "origin": origin_of(place), "readings": shown})
        parts = [f"{'=' * 30} {number}", texts[place].strip("\n")]
        parts += [
            f"{'-' * 20} {letter}\n" + "\n".join(lines) for letter, (_, lines) in zip(shown, readings, strict=False)
        ]
        sheets.append("\n".join(parts) + "\n")
    output.mkdir(parents=True)
    for begin in range(0, len(sheets), PACKET):
        text = "\n".join(sheets[begin : begin + PACKET])
        (output / f"packet-{begin // PACKET + 1:02}.txt").write_text(text, encoding="utf-8")
    rubric = hashlib.sha256(RUBRIC.read_bytes()).hexdigest()
    with key.open("x", encoding="utf-8") as file:
        json.dump({"seed": seed, "pairs": pairs, "rubric_sha256": rubric, "records": entries}, file, indent=1)
    print(f"{len(entries)} records of {len(both):,}; {sum(first[p] != second[p] for p in both):,} of these differ.")


def read_parsed(path: str) -> dict[str, list[str]]:
    """Return the lines of each record that `parse` wrote, by place."""
    with Path(path).open(encoding="utf-8") as stream:
        return {entry["place"]: entry["lines"] for entry in map(json.loads, stream)}


def origin_of(place: str) -> str:
    return LIBRARY if place.startswith("nyc-") else RAW


def drawn(places: Iterable[str], number: int, seed: int) -> list[str]:
    """Return the places with the smallest hashes under the seed."""
    return heapq.nsmallest(
        number, places, key=lambda place: hashlib.blake2b(f"{seed}:{place}".encode(), digest_size=8).digest()
    )


def raw_texts(data: Path, places: Iterable[str]) -> dict[str, str]:
    """Return the raw text of records by place."""
    wanted = set(places)
    texts: dict[str, str] = {}
    for name, path in dumps(data).items():
        if any(place.startswith(f"{name}:") for place in wanted):
            with open_dump(path)[1] as stream:
                for raw in split_records(stream):
                    if (place := f"{name}:{raw.offset}") in wanted:
                        texts[place] = decode(raw.body)[0]
    return texts


def count(key_path: Path, paths: Sequence[Path], result: Path) -> dict[str, Any]:
    """Join the readers' verdicts with the key, and write figures, verdicts and reasons."""
    key = json.loads(key_path.read_text(encoding="utf-8"))
    readers = [read_verdicts(path, key["records"], key["pairs"]) for path in paths]
    for record in key["records"]:
        answers = [reader[record["number"]] for reader in readers]
        record["answers"] = answers
        if key["pairs"]:
            record["better"] = better([answer["better"] for answer in answers], record["readings"])
        else:
            record["verdicts"] = {
                name: middle([answer[letter]["verdict"] for answer in answers])
                for letter, names in record["readings"].items()
                for name in names
            }
    figures = pair_figures(key["records"]) if key["pairs"] else sample_figures(key["records"])
    found = {"readers": len(readers), **{name: key[name] for name in ("seed", "rubric_sha256")}, **figures}
    result_file.write(result, {**found, "records": key["records"]})
    print(json.dumps(found, indent=2))
    return found


def read_verdicts(path: Path, records: Sequence[Entry], pairs: bool) -> dict[int, Any]:
    """Return a reader's answers by number (and letter); raises SystemExit if one is missing or not allowed."""
    found: dict[int, Any] = {}
    for place, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        answer = json.loads(line)
        number, verdict = answer["number"], answer["better" if pairs else "verdict"]
        if verdict not in (("A", "B", SAME) if pairs else VERDICTS):
            raise SystemExit(f"Line {place} of {path} has the verdict '{verdict}', which the rubric doesn't know.")
        if not answer.get("reason") and verdict not in (VERDICTS[0], SAME):
            raise SystemExit(f"Line {place} of {path} has no reason.")
        if pairs:
            found[number] = answer
        else:
            found.setdefault(number, {})[answer["reading"]] = answer
    for record in records:
        if record["number"] not in found or (not pairs and found[record["number"]].keys() != record["readings"].keys()):
            raise SystemExit(f"{path} lacks a verdict of record {record['number']}.")
    return found


def middle(verdicts: Sequence[str]) -> str:
    """Return the middle verdict, the lower one of two."""
    return VERDICTS[sorted(map(VERDICTS.index, verdicts))[len(verdicts) // 2]]


def better(letters: Sequence[str], readings: Mapping[str, Sequence[str]]) -> str:
    """Return the name of the parser that more than half of the readers find better, or "same"."""
    letter, votes = Counter(letters).most_common(1)[0]
    return SAME if letter == SAME or 2 * votes <= len(letters) else readings[letter][0]


def pair_figures(records: Sequence[Entry]) -> dict[str, Any]:
    """Return how often each parser's reading is better."""
    return {"pairs": len(records), "better": dict(Counter(record["better"] for record in records))}


def sample_figures(records: Sequence[Entry]) -> dict[str, Any]:
    """Return the share of each verdict by origin and parser, and how far the readers agree."""
    figures: dict[str, Any] = {}
    for origin in (RAW, LIBRARY):
        here = [record for record in records if record["origin"] == origin]
        for name in sorted({name for record in here for name in record["verdicts"]}):
            counts = Counter(record["verdicts"][name] for record in here)
            strict = 100 * counts["strict"] / len(here)
            usable = strict + 100 * counts["usable"] / len(here)
            figures[f"{origin}: {name}"] = {
                "n": len(here),
                **counts,
                "strict_percent": round(strict, 1),
                "usable_percent": round(usable, 1),
            }
    units = [
        [VERDICTS.index(answer[letter]["verdict"]) for answer in record["answers"]]
        for record in records
        for letter in record["readings"]
    ]
    agreement = alpha(units, "interval")
    return {"figures": figures, "agreement": None if agreement is None else round(agreement, 3)}


if __name__ == "__main__":
    main()
