"""What blind readings share: sheets of shuffled texts with a key, and the readers' answers joined with that key."""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks import result_file
from evaluation.rating.answers import alpha

GENERATED, PEOPLE = "generated", "people"
NO_MAJORITY = "no majority"
OPTIONAL = ("confidence", "a_is", "is_equal")  # values that the key also has for texts with them
Text = dict[str, Any]  # id and what readers see; then number, by, origin, …
Answers = dict[int, Text]  # by number


def commands(description: str | None, result: Path) -> tuple[argparse.ArgumentParser, argparse.ArgumentParser]:
    """Return a parser of the commands `make` and `count`, and that of `make`, to which options may be added."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    each = parser.add_subparsers(dest="command", required=True)
    making = each.add_parser("make", help="write the packets and the key")
    making.add_argument("--texts", nargs="+", required=True, metavar="NAME=DIR@N", help="outputs of `allsaid generate`")
    making.add_argument("--people", nargs="*", default=[], metavar="NAME=DATA@N", help="data sets with people's texts")
    making.add_argument("--output", type=Path, required=True, help="a new folder for the packets")
    making.add_argument("--key", type=Path, required=True, help="a new file for the key")
    making.add_argument("--seed", type=int, default=1)
    counting = each.add_parser("count", help="join the verdicts with the key")
    counting.add_argument("--key", type=Path, required=True)
    counting.add_argument("--verdicts", type=Path, nargs="+", required=True, help="a file of each reader")
    counting.add_argument("--result", type=Path, default=result)
    return parser, making


def run(parser: argparse.ArgumentParser, make: Callable[..., None], count: Callable[..., None]) -> None:
    """Run the command that the user gave, with its options."""
    given = vars(parser.parse_args())
    {"make": make, "count": count}[given.pop("command")](**given)


def parse_source(written: str) -> tuple[str, Path, int | None]:
    """A name, a folder, and how many texts to draw: "products=DIR@60"."""
    found = re.fullmatch(r"([^=]+)=(.+?)(?:@(\d+))?", written)
    if not found:
        raise SystemExit(f"'{written}' names no texts. Give NAME=FOLDER or NAME=FOLDER@NUMBER.")
    return found[1], Path(found[2]), int(found[3]) if found[3] else None


def drawn(texts: Sequence[Text], most: int | None, name: str, chance: random.Random) -> list[Text]:
    if most is not None and len(texts) < most:
        raise SystemExit(f"{name}: {most} texts are asked for, but there are {len(texts)}. Ask for fewer.")
    return chance.sample(texts, len(texts) if most is None else most)


def hand_out(
    texts: list[Text],
    shown: Sequence[str],
    a_packet: int,
    output: Path,
    key: Path,
    seed: int,
    chance: random.Random,
    rubric: Path,
) -> None:
    """Shuffle and number the texts; write packets of what readers see, and the key that they must not see."""
    chance.shuffle(texts)
    numbered = [{"number": number, **entry} for number, entry in enumerate(texts, 1)]
    output.mkdir(parents=True)
    for first in range(0, len(numbered), a_packet):
        lines = [json.dumps({name: entry[name] for name in ("number", *shown)}, ensure_ascii=False) + "\n"
                 for entry in numbered[first : first + a_packet]]  # fmt: skip
        (output / f"packet-{first // a_packet + 1}.jsonl").write_text("".join(lines), encoding="utf-8")
    entries = [
        {name: entry[name] for name in ("number", "by", "origin", "id", *OPTIONAL) if name in entry}
        for entry in numbered
    ]
    with key.open("x", encoding="utf-8") as file:
        json.dump({"seed": seed, "rubric_sha256": _hash_of(rubric), "texts": entries}, file, indent=1)
    print(f"{len(numbered)} texts in {output}. Give the readers the packets and {rubric.name}, and keep {key}.")


def _hash_of(rubric: Path) -> str:
    return hashlib.sha256(rubric.read_bytes()).hexdigest()


def answers(path: Path, numbers: Sequence[int], check: Callable[[Text], Text | str]) -> Answers:
    """Return a reader's answers by number; ``check`` returns the values of an answer to keep, or the fault's sentence.

    Raises SystemExit if an answer is missing, doubled or not allowed.
    """
    found: Answers = {}
    for place, line in _lines(path):
        where = f"{path}, line {place}"
        try:
            entry = json.loads(line)
            number, checked = entry["number"], check(entry)
        except (ValueError, KeyError, TypeError) as fault:
            raise SystemExit(f"{where} is no answer of the rubric: {fault!r}.") from None
        if number in found or number not in numbers:
            why = "is answered twice" if number in found else "is not in the key"
            raise SystemExit(f"{where}: the number {number} {why}.")
        if isinstance(checked, str):
            raise SystemExit(f"{where}: {checked}")
        found[number] = checked
    missing = [number for number in numbers if number not in found]
    if missing:
        raise SystemExit(f"{path} has no answer to {len(missing)} texts, the first of them {missing[:5]}.")
    return found


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    lines = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    return ((place, line) for place, line in lines if line.strip())


def count(
    key_path: Path,
    paths: Sequence[Path],
    result: Path,
    check: Callable[[Text], Text | str],
    figures: Callable[[Sequence[Text]], Mapping[str, Any]],
    agreement: Callable[[Sequence[Text]], Mapping[str, float | None]],
    by_author: bool = False,
) -> dict[str, Any]:
    """Join the readers' answers with the key, and write figures by origin, answers and reasons.

    ``by_author``: also the figures of all generated texts, and of all of people.
    """
    key = json.loads(key_path.read_text(encoding="utf-8"))
    numbers = [entry["number"] for entry in key["texts"]]
    readers = [answers(path, numbers, check) for path in paths]
    texts = [{**entry, "readers": [reader[entry["number"]] for reader in readers]} for entry in key["texts"]]
    for entry in texts:
        entry["majority"] = majority([reader["verdict"] for reader in entry["readers"]])
    groups: dict[str, list[Text]] = {}
    for entry in sorted(texts, key=lambda entry: (entry["by"], entry["origin"])):
        groups.setdefault(f"{entry['by']}: {entry['origin']}", []).append(entry)
    if by_author:
        groups |= {by: [entry for entry in texts if entry["by"] == by] for by in (GENERATED, PEOPLE)}
    found = {"readers": len(readers), **{name: key[name] for name in ("rubric_sha256", "seed")}}
    found |= {"agreement": agreement(texts), "origins": {name: figures(of) for name, of in groups.items() if of}}
    result_file.write(result, {**found, "texts": texts})
    print(json.dumps({name: found[name] for name in ("agreement", "origins")}, indent=2))
    return {**found, "texts": texts}


def majority(verdicts: Sequence[str]) -> str:
    """The verdict of more than half of the readers."""
    verdict, readers = Counter(verdicts).most_common(1)[0]
    return verdict if 2 * readers > len(verdicts) else NO_MAJORITY


def shares(texts: Sequence[Text], verdicts: Sequence[str]) -> dict[str, Any]:
    """The number of texts, and the share of each verdict by majority."""
    found = Counter(entry["majority"] for entry in texts)
    return {
        "n": len(texts),
        **{f"{name}_percent": percent(found[name], len(texts)) for name in (*verdicts, NO_MAJORITY)},
    }


def percent(part: int, whole: int) -> float:
    return round(100 * part / whole, 2)


def alphas(values: Mapping[str, tuple[Sequence[Sequence[int]], str]]) -> dict[str, float | None]:
    """Krippendorff's alpha of each list of units with its level of measurement; None where all are equal."""
    found = {name: alpha(units, level) for name, (units, level) in values.items()}
    return {name: None if value is None else round(value, 3) for name, value in found.items()}
