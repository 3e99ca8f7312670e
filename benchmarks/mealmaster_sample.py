"""A blind sample of the flattened library, judged by eye: raw text beside what the data set holds of it.

    python benchmarks/mealmaster_sample.py --library '../shared/data/mealmaster/nyc-*.mmf.gz' --seed 1 --sheets DIR
    python benchmarks/mealmaster_sample.py --library '../shared/data/mealmaster/nyc-*.mmf.gz' --seed 1 --sheets DIR \
        --verdicts benchmarks/results/mealmaster_sample.json --parser COMMIT
    python benchmarks/mealmaster_sample.py --library '../shared/data/mealmaster/nyc-*.mmf.gz' \
        --verdicts benchmarks/results/mealmaster_sample.json

Drawn are the 100 records that parse whose places (file:offset) have the smallest hashes under the seed, whatever the
later limits and the search for duplicates make of them. ``--sheets`` writes them as four text files for readers who did
not write the parser; each answers with ``sheet-N.json``, a list of ``{"place", "verdict", "older_verdict", "names",
"remark"}``, and with ``--verdicts`` these answers are added to the file of verdicts as the sample of the seed.

What the verdicts mean stands in the file of verdicts, which holds a sample for each seed that was judged. With
``--verdicts`` the places of each are looked for among the first 200 that its seed draws (which of these parse has
changed with the parser), and the counts are set and printed; where records have an ``older_verdict``, by the
definitions of the samples before, these are counted as well.
"""

from __future__ import annotations

import argparse
import hashlib
import heapq
import json
from collections import Counter
from pathlib import Path
from typing import Any

import mealmaster_layout

from allsaid.language.code_pages import decode
from pipelines.recipes.ingredients import agenda_line, name_words
from pipelines.recipes.steps import clean_steps
from pipelines.sources.mealmaster.dump import ParseFault, RawRecord, parse
from schemas.errors import UserError
from schemas.recipe import Recipe

SIZE = 100
SHEETS = 4
VERDICTS = ("strict", "usable", "wrong")
_RESERVE = 2  # so many times SIZE are drawn, since some do not parse


def rank(place: str, seed: int) -> bytes:
    return hashlib.blake2b(f"{seed}:{place}".encode(), digest_size=8).digest()


def first_drawn(library: str, seed: int) -> dict[str, RawRecord]:
    """Place -> raw record of twice the sample, by rank."""
    return dict(
        heapq.nsmallest(_RESERVE * SIZE, mealmaster_layout.records(library), key=lambda found: rank(found[0], seed))
    )


def draw(library: str, seed: int) -> dict[str, tuple[RawRecord, Recipe]]:
    """Place -> raw record and recipe of the sample, by rank."""
    sample: dict[str, tuple[RawRecord, Recipe]] = {}
    for place, record in first_drawn(library, seed).items():
        try:
            recipe = parse(record, place.partition(":")[0])
        except ParseFault:
            continue
        sample[place] = record, recipe
        if len(sample) == SIZE:
            return sample
    raise UserError(f"The library {library} has fewer than {SIZE} records that parse among the first drawn.")


def write_sheets(folder: Path, sample: dict[str, tuple[RawRecord, Recipe]]) -> None:
    entries = list(sample.items())
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(SHEETS):
        texts = [shown(place, *found) for place, found in entries[number::SHEETS]]
        (folder / f"sheet-{number + 1}.txt").write_text("\n".join(texts))


def shown(place: str, record: RawRecord, recipe: Recipe) -> str:
    """A raw record above what the parser and the cleaning make of it."""
    lines = ["=" * 40 + f" {place}", decode(record.body)[0].strip(), "-" * 20 + " is read as"]
    lines += [f"title: {recipe.title}", f"categories: {recipe.categories}", f"yield: {recipe.recipe_yield}"]
    for item in recipe.ingredients:
        words = " ".join(name_words(agenda_line(item)))
        lines.append(f"[{item.section}] {item.amount} | {item.unit} | {item.name} -> {words}")
    return "\n".join([*lines, *(f"step: {step}" for step in clean_steps(recipe.steps)), ""])


def add(path: Path, folder: Path, seed: int, parser: str) -> None:
    """Add the answers to the sheets of a folder to a file of verdicts, by the definitions of the sample before."""
    judged: dict[str, Any] = json.loads(path.read_text())
    answers = [json.loads((folder / f"sheet-{number + 1}.json").read_text()) for number in range(SHEETS)]
    records = [record for sheet in answers for record in sheet]
    definitions = judged["samples"][-1]["verdicts"]
    judged["samples"].append({"seed": seed, "parser": parser, "verdicts": definitions, "records": records})
    path.write_text(json.dumps(judged, indent=1, ensure_ascii=False) + "\n")


def count(path: Path, library: str) -> dict[str, dict[str, int]]:
    """Set the counts of a file of verdicts, by seed; those at its top are the last sample's.

    Raises UserError where a sample is not what its seed draws, or has other verdicts than VERDICTS.
    """
    judged: dict[str, Any] = json.loads(path.read_text())
    for sample in judged["samples"]:
        seed, records = sample["seed"], sample["records"]
        judged_places = {record["place"] for record in records}
        if len(judged_places) != SIZE or not judged_places <= first_drawn(library, seed).keys():
            raise UserError(f"{path} does not judge {SIZE} records that seed {seed} draws.")
        counted = Counter(record["verdict"] for record in records)
        if not counted.keys() <= set(VERDICTS):
            raise UserError(f"{path} has verdicts other than {', '.join(VERDICTS)} for seed {seed}.")
        sample["counts"] = {verdict: counted[verdict] for verdict in VERDICTS}
        sample["counts"]["strict_with_right_names"] = sum(
            record["verdict"] == "strict" and record["names"] == "right" for record in records
        )
        older = Counter(record["older_verdict"] for record in records if "older_verdict" in record)
        sample["counts"] |= {f"older_{verdict}": older[verdict] for verdict in VERDICTS if older}
    judged["counts"] = judged["samples"][-1]["counts"]
    path.write_text(json.dumps(judged, indent=1, ensure_ascii=False) + "\n")
    return {f"seed {sample['seed']}": sample["counts"] for sample in judged["samples"]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", required=True, help="glob of the flattened library")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sheets", type=Path, help="the folder of the sheets and their answers")
    parser.add_argument("--parser", default="", help="the commit whose parser was judged")
    parser.add_argument("--verdicts", type=Path, help="a file of verdicts whose counts are set")
    options = parser.parse_args()
    if options.verdicts:
        if options.sheets:
            add(options.verdicts, options.sheets, options.seed, options.parser)
        print(json.dumps(count(options.verdicts, options.library)))
    else:
        write_sheets(options.sheets, draw(options.library, options.seed))


if __name__ == "__main__":
    main()
