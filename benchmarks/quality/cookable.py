"""A blind reading of recipes: sheets of several systems' texts mixed with people's, and the count of the verdicts.

    python -m benchmarks.quality.cookable make --texts edit=DIR@60 checklist=DIR@60 --people library=DATA@60
        --output DIR --key FILE [--seed 1] [--unlike KEY ...]
    python -m benchmarks.quality.cookable count --key FILE --verdicts A.jsonl B.jsonl C.jsonl [--result FILE]

``--texts NAME=DIR@N`` draws N texts of an output of `allsaid generate`, ``--people NAME=DATA@N`` N texts of the test
part of a data set. No two origins share a row, and no row is in a key of ``--unlike``, so that a reader sees each row
once. ``make`` shuffles everything by the seed and writes packets of 60 texts; ``--key`` says of each number where its
text is from, and readers must not see it.

A reader answers each number by benchmarks/quality/cookable_rubric.md. ``count`` takes the majority of the readers for
each answer, and where there is none the verdict "no majority". Writes ``benchmarks/results/cookable.json``: figures by
origin, all verdicts and reasons, and the readers' agreement, without the texts.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
from collections import Counter
from collections.abc import Sequence
from operator import itemgetter
from pathlib import Path
from typing import Any

from allsaid.modeling.data.dataset import DataSet
from benchmarks import result_file
from benchmarks.quality.certified_texts import read_texts
from benchmarks.quality.reading import NO_MAJORITY, drawn, majority, parse_source, percent, write_lines
from evaluation.rating.answers import alpha

RESULT = result_file.RESULTS / "cookable.json"
RUBRIC = Path(__file__).parent / "cookable_rubric.md"
PACKET = 60  # texts
YES, REPAIRS, NO = "yes", "repairs", "no"
VERDICTS = (YES, REPAIRS, NO)
GENERATED, PEOPLE = "generated", "people"
FLAGS = ("contradicts", "fluent")
Text = dict[str, Any]  # id, title, ingredients, steps; then number, by, origin


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("make", help="write the packets and the key")
    making.add_argument("--texts", nargs="+", required=True, metavar="NAME=DIR@N", help="outputs of `allsaid generate`")
    making.add_argument("--people", nargs="*", default=[], metavar="NAME=DATA@N", help="data sets with people's texts")
    making.add_argument("--output", type=Path, required=True, help="a new folder for the packets")
    making.add_argument("--key", type=Path, required=True, help="a new file for the key")
    making.add_argument("--seed", type=int, default=1)
    making.add_argument("--unlike", type=Path, nargs="*", default=[], help="keys of earlier readings")
    counting = commands.add_parser("count", help="join the verdicts with the key")
    counting.add_argument("--key", type=Path, required=True)
    counting.add_argument("--verdicts", type=Path, nargs="+", required=True, help="a file of each reader")
    counting.add_argument("--result", type=Path, default=RESULT)
    given = parser.parse_args()
    if given.command == "make":
        make(given.texts, given.people, given.output, given.key, given.seed, given.unlike)
    else:
        count(given.key, given.verdicts, given.result)


def make(
    texts: Sequence[str], people: Sequence[str], output: Path, key: Path, seed: int = 1, unlike: Sequence[Path] = ()
) -> None:
    """Draw the texts, and write the packets and the key."""
    chance = random.Random(seed)
    seen = {one["id"] for path in unlike for one in json.loads(path.read_text(encoding="utf-8"))["texts"]}
    chosen: list[Text] = []
    for by, sources, reader in ((GENERATED, texts, generated), (PEOPLE, people, by_people)):
        for name, folder, most in map(parse_source, sources):
            fresh = [one for one in reader(folder) if one["id"] not in seen]
            found = drawn(fresh, most, name, chance)
            seen |= {one["id"] for one in found}
            chosen += [{**one, "by": by, "origin": name} for one in found]
    chance.shuffle(chosen)
    numbered = [{"number": number, **one} for number, one in enumerate(chosen, 1)]
    output.mkdir(parents=True)
    shown = ("number", "title", "ingredients", "steps")
    for first in range(0, len(numbered), PACKET):
        packet = [{name: one[name] for name in shown} for one in numbered[first : first + PACKET]]
        write_lines(output / f"packet-{first // PACKET + 1}.jsonl", packet)
    entries = [{name: one[name] for name in ("number", "by", "origin", "id")} for one in numbered]
    rubric = hashlib.sha256(RUBRIC.read_bytes()).hexdigest()
    with key.open("x", encoding="utf-8") as file:
        json.dump({"seed": seed, "rubric_sha256": rubric, "texts": entries}, file, indent=1)
    print(f"{len(numbered)} recipes in {output}. Give the readers the packets and {RUBRIC.name}, and keep {key}.")


def generated(folder: Path) -> list[Text]:
    """The first text of each row of an output of `allsaid generate`."""
    rows = sorted(read_texts(folder), key=lambda row: str(row["id"]))
    return [_text(row["id"], row["goal"], row["agenda"], row["text"]) for row in rows if row["error"] is None]


def by_people(data: Path) -> list[Text]:
    """The texts of a data set's test part."""
    examples = sorted(DataSet(str(data)).examples("test"), key=lambda example: example.id)
    return [_text(one.id, one.goal, one.agenda, one.text) for one in examples]


def _text(row_id: str, title: str, ingredients: list[str], steps: str) -> Text:
    return {"id": row_id, "title": title, "ingredients": ingredients, "steps": steps}


def read_verdicts(path: Path, numbers: Sequence[int]) -> dict[int, Text]:
    """A reader's answers by number; raises SystemExit where one is missing, doubled or not allowed."""
    found: dict[int, Text] = {}
    for place, line in enumerate(filter(str.strip, path.read_text(encoding="utf-8").splitlines()), 1):
        where = f"{path}, answer {place}"
        try:
            one = json.loads(line)
            number, verdict, flags = one["number"], one["verdict"], {name: one[name] for name in FLAGS}
            foreign, reason = [*one.get("foreign", ())], one.get("reason", "")
        except (ValueError, KeyError, TypeError) as fault:
            raise SystemExit(f"{where} is no answer of the rubric: {fault!r}.") from None
        if number in found or number not in numbers:
            raise SystemExit(
                f"{where}: the number {number} is {'answered twice' if number in found else 'not in the key'}."
            )
        if verdict not in VERDICTS or not all(isinstance(flag, bool) for flag in flags.values()):
            raise SystemExit(
                f"{where}: give a verdict of {', '.join(VERDICTS)}, and true or false for {', '.join(FLAGS)}."
            )
        if verdict != YES and not reason:
            raise SystemExit(f"{where}: the verdict '{verdict}' needs a reason.")
        found[number] = {"verdict": verdict, **flags, "foreign": foreign, "reason": reason}
    missing = [number for number in numbers if number not in found]
    if missing:
        raise SystemExit(f"{path} has no answer to {len(missing)} texts, the first of them {missing[:5]}.")
    return found


def count(key_path: Path, paths: Sequence[Path], result: Path) -> dict[str, Any]:
    """Join the readers' answers with the key, and write figures, answers and reasons."""
    key = json.loads(key_path.read_text(encoding="utf-8"))
    numbers = [one["number"] for one in key["texts"]]
    readers = [read_verdicts(path, numbers) for path in paths]
    texts = [{**one, "readers": [reader[one["number"]] for reader in readers]} for one in key["texts"]]
    for one in texts:
        one["majority"] = majority([reader["verdict"] for reader in one["readers"]])
    origins = dict.fromkeys((one["by"], one["origin"]) for one in texts)
    groups = {
        f"{by}: {origin}": figures_of([one for one in texts if (one["by"], one["origin"]) == (by, origin)])
        for by, origin in sorted(origins)
    }
    found = {name: key[name] for name in ("seed", "rubric_sha256")}
    found |= {"readers": len(readers), "agreement": agreement(texts), "origins": groups, "texts": texts}
    result_file.write(result, found)
    print(json.dumps({name: found[name] for name in ("agreement", "origins")}, indent=2))
    return found


def figures_of(texts: Sequence[Text]) -> dict[str, Any]:
    """The figures of the texts of one origin, by the majority of the readers."""
    verdicts = Counter(one["majority"] for one in texts)
    number = len(texts)
    figures: dict[str, Any] = {"n": number}
    figures |= {f"{name}_percent": percent(verdicts[name], number) for name in (*VERDICTS, NO_MAJORITY)}
    figures["usable_percent"] = percent(sum(_most(one, _is_usable) for one in texts), number)
    for name in FLAGS:
        figures[f"{name}_percent"] = percent(sum(_most(one, itemgetter(name)) for one in texts), number)
    figures["foreign_percent"] = percent(sum(_most(one, lambda r: bool(r["foreign"])) for one in texts), number)
    return figures | {"agreement": agreement(texts)}


def _is_usable(reader: Text) -> bool:
    return bool(reader["verdict"] != NO)


def _most(text: Text, holds: Any) -> bool:
    """Whether something holds by more than half of the readers."""
    return 2 * sum(map(holds, text["readers"])) > len(text["readers"])


def agreement(texts: Sequence[Text]) -> dict[str, float | None]:
    """Krippendorff's alpha of the ordered verdicts, and of whether a recipe is usable; None where all are equal."""
    units = [[VERDICTS.index(reader["verdict"]) for reader in one["readers"]] for one in texts]
    usable = [[int(verdict < VERDICTS.index(NO)) for verdict in unit] for unit in units]
    found = {"verdicts": alpha(units, "ordinal"), "usable or not": alpha(usable, "nominal")}
    return {name: None if value is None else round(value, 3) for name, value in found.items()}


if __name__ == "__main__":
    main()
