"""A blind sample of the flattened library, judged by eye: raw text beside what the data set holds of it.

    python benchmarks/mealmaster_sample.py --library '../shared/data/mealmaster/nyc-*.mmf.gz' --seed 1
    python benchmarks/mealmaster_sample.py --library '../shared/data/mealmaster/nyc-*.mmf.gz' \
        --verdicts benchmarks/results/mealmaster_sample.json

Drawn are the 100 records that parse whose places (file:offset) have the smallest hashes under the seed, whatever the
later limits and the search for duplicates make of them. A verdict is "strict" (title, every ingredient with amount,
unit and name, continuations joined, headings, the border to the directions, nothing of signatures or forms taken for
an ingredient or a step), "usable" (a small flaw: one note kept, a preparation left in a name) or "wrong". With
``--verdicts`` the file's places are compared with those drawn by its seed, and its counts are set and printed.
"""

from __future__ import annotations

import argparse
import hashlib
import heapq
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from console import UserError
from pipelines import files
from pipelines.decode import decode
from pipelines.ingredients import agenda_line, name_words
from pipelines.sources.mealmaster import ParseFault, RawRecord, parse, split_records
from pipelines.steps import clean_steps
from schemas.recipe import Recipe

SIZE = 100
VERDICTS = ("strict", "usable", "wrong")
_RESERVE = 2  # so many times SIZE are drawn, since some do not parse


def rank(place: str, seed: int) -> bytes:
    return hashlib.blake2b(f"{seed}:{place}".encode(), digest_size=8).digest()


def places(library: str) -> Iterator[tuple[str, RawRecord]]:
    for path in files.expand([library]):
        _dump, stream = files.open_dump(path)
        with stream:
            for record in split_records(stream):
                yield f"{Path(path).name}:{record.offset}", record


def draw(library: str, seed: int) -> dict[str, tuple[RawRecord, Recipe]]:
    """Place -> raw record and recipe of the sample, by rank."""
    sample: dict[str, tuple[RawRecord, Recipe]] = {}
    first = heapq.nsmallest(_RESERVE * SIZE, places(library), key=lambda found: rank(found[0], seed))
    for place, record in first:
        try:
            recipe = parse(record, place.partition(":")[0])
        except ParseFault:
            continue
        sample[place] = record, recipe
        if len(sample) == SIZE:
            return sample
    raise UserError(f"The library {library} has fewer than {SIZE} records that parse among the first drawn.")


def show(place: str, record: RawRecord, recipe: Recipe) -> None:
    print(f"{'=' * 40} {place}\n{decode(record.body)[0].strip()}\n{'-' * 20} is read as")
    print(f"title: {recipe.title}\ncategories: {recipe.categories}\nyield: {recipe.recipe_yield}")
    for item in recipe.ingredients:
        words = " ".join(name_words(agenda_line(item)))
        print(f"[{item.section}] {item.amount} | {item.unit} | {item.name} -> {words}")
    for step in clean_steps(recipe.steps):
        print(f"step: {step}")


def count(path: Path, library: str) -> dict[str, int]:
    """Set the counts of a file of verdicts. Raises UserError where it does not judge the sample of its seed."""
    judged: dict[str, Any] = json.loads(path.read_text())
    verdicts = {entry["place"]: entry["verdict"] for entry in judged["records"]}
    if set(verdicts) != set(draw(library, judged["seed"])):
        raise UserError(f"{path} does not judge the {SIZE} records that seed {judged['seed']} draws.")
    counted = Counter(verdicts.values())
    judged["counts"] = {verdict: counted.pop(verdict, 0) for verdict in VERDICTS}
    if counted:
        raise UserError(f"{path} has verdicts other than {', '.join(VERDICTS)}: {', '.join(counted)}.")
    path.write_text(json.dumps(judged, indent=1, ensure_ascii=False) + "\n")
    return judged["counts"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", required=True, help="glob of the flattened library")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--verdicts", type=Path, help="a file of verdicts whose counts are set")
    options = parser.parse_args()
    if options.verdicts:
        print(json.dumps(count(options.verdicts, options.library)))
    else:
        for place, found in draw(options.library, options.seed).items():
            show(place, *found)


if __name__ == "__main__":
    main()
