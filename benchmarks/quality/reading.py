"""A blind reading of certified texts: sheets of generated texts mixed with people's, and the count of the verdicts.

    python -m benchmarks.quality.reading make --texts products=DIR@60 moebel=DIR@60
        --people products=DATA@50 moebel=DATA@50 --output DIR --key FILE [--seed 1]
    python -m benchmarks.quality.reading count --key FILE --verdicts A.jsonl B.jsonl C.jsonl [--result FILE]

``--texts NAME=DIR@N`` draws N certified texts of an output of `allsaid generate`, ``--people NAME=DATA@N`` N texts
of the test part of a data set, which people wrote. Without ``@N`` all are taken. Where there are enough rows, those of
people's texts are others than those of the generated ones. ``make`` shuffles everything by the seed and writes
``packet-1.jsonl``, ... of 100 texts each, a JSON object a line: a number, the row as lines, and the text. ``--key``
says of each number where its text is from; readers must not see it. ``--without-certificates`` takes the texts in which
the proof finds no fault, from outputs that have no column `certified`.

A reader answers each number by benchmarks/quality/reading_rubric.md: ``{"number": 1, "verdict": "true", "reason": "",
"claims": []}``, with the verdict "true", "wrong" or "no sentence". ``count`` takes the majority of the readers, and
where there is none the verdict "no majority", which is not "true". A certificate is false where the verdict is not
"true"; the upper bound is that of a one-sided 95% interval (Clopper and Pearson 1934). Writes
``benchmarks/results/reading.json``: figures by origin, and all verdicts and reasons, without the texts.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from allsaid.modeling.data.dataset import DataSet
from benchmarks import result_file
from benchmarks.quality.certified_texts import has_certificates, is_certified, read_texts
from evaluation.rating.answers import alpha
from schemas.texts.generated import goal_line

RESULT = result_file.RESULTS / "reading.json"
RUBRIC = Path(__file__).parent / "reading_rubric.md"
PACKET = 100  # texts
TRUE, WRONG, NO_SENTENCE, NO_MAJORITY = "true", "wrong", "no sentence", "no majority"
VERDICTS = (TRUE, WRONG, NO_SENTENCE)
GENERATED, PEOPLE = "generated", "people"
_DETACHED = re.compile(r" (?:-(?=(?:s|es|ly|ed|ing)\b)|(?='s\b)|(?=[,.;:?!]))")  # "hotel -s ," in RNNLG's corpus
SURE = 0.95  # of the upper bound
Text = dict[str, Any]  # id, row (lines) and text; then number, by, origin, …


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("make", help="write the packets and the key")
    making.add_argument("--texts", nargs="+", required=True, metavar="NAME=DIR@N", help="outputs of `allsaid generate`")
    making.add_argument("--people", nargs="*", default=[], metavar="NAME=DATA@N", help="data sets with people's texts")
    making.add_argument("--output", type=Path, required=True, help="a new folder for the packets")
    making.add_argument("--key", type=Path, required=True, help="a new file for the key")
    making.add_argument("--seed", type=int, default=1)
    making.add_argument("--without-certificates", action="store_true")
    counting = commands.add_parser("count", help="count the verdicts")
    counting.add_argument("--key", type=Path, required=True)
    counting.add_argument("--verdicts", type=Path, nargs="+", required=True, help="a file of each reader")
    counting.add_argument("--result", type=Path, default=RESULT)
    given = parser.parse_args()
    if given.command == "make":
        make(given.texts, given.people, given.output, given.key, given.seed, given.without_certificates)
    else:
        count(given.key, given.verdicts, given.result)


def make(
    texts: Sequence[str],
    people: Sequence[str],
    output: Path,
    key: Path,
    seed: int = 1,
    without_certificates: bool = False,
) -> None:
    """Draw the texts, and write the packets and the key."""
    chance = random.Random(seed)
    chosen: list[Text] = []
    for name, folder, most in map(parse_source, texts):
        found = drawn(certified(folder, without_certificates), most, f"--texts {name}", chance)
        chosen += [{**one, "by": GENERATED, "origin": name} for one in found]
    seen = {tuple(one["row"]) for one in chosen}
    for name, folder, most in map(parse_source, people):
        written = by_people(folder)
        fresh = [one for one in written if tuple(one["row"]) not in seen]
        found = drawn(fresh if len(fresh) >= (most or 1) else written, most, f"--people {name}", chance)
        chosen += [{**one, "by": PEOPLE, "origin": name} for one in found]
    chance.shuffle(chosen)
    numbered = [{"number": number, **one} for number, one in enumerate(chosen, 1)]
    output.mkdir(parents=True)
    for first in range(0, len(numbered), PACKET):
        packet = [{name: one[name] for name in ("number", "row", "text")} for one in numbered[first : first + PACKET]]
        write_lines(output / f"packet-{first // PACKET + 1}.jsonl", packet)
    entries = [{name: one[name] for name in ("number", "by", "origin", "id")} for one in numbered]
    rubric = hashlib.sha256(RUBRIC.read_bytes()).hexdigest()
    with key.open("x", encoding="utf-8") as file:
        json.dump({"seed": seed, "rubric_sha256": rubric, "texts": entries}, file, indent=1)
    print(f"{len(numbered)} texts in {output}. Give the readers the packets and {RUBRIC.name}, and keep {key}.")


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


def certified(folder: Path, without_certificates: bool) -> list[Text]:
    """The certified texts of an output of `allsaid generate`."""
    rows = read_texts(folder)
    if not without_certificates and not any(map(has_certificates, rows)):
        raise SystemExit(f"{folder} has no column 'certified'. Generate it anew, or give --without-certificates.")
    return [
        {"id": row["id"], "row": [goal_line(row["goal"]), *row["agenda"]], "text": row["text"]}
        for row in rows
        if is_certified(row)
    ]


def by_people(data: Path) -> list[Text]:
    """The texts of a data set's test part, with a capital and a last mark, as generated texts have them."""
    return [
        {"id": example.id, "row": [goal_line(example.goal), *example.agenda], "text": tidy(example.text)}
        for example in DataSet(str(data)).examples("test")
    ]


def tidy(text: str) -> str:
    text = _DETACHED.sub("", " ".join(text.split()))
    text = re.sub(r"(?<=[.!?] )[a-zäöü]", lambda found: found[0].upper(), text)
    return text[:1].upper() + text[1:] + ("." if text[-1:].isalnum() else "")


def write_lines(path: Path, entries: Sequence[Mapping[str, Any]]) -> None:
    path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in entries), encoding="utf-8")


def read_verdicts(path: Path, numbers: Sequence[int]) -> dict[int, dict[str, Any]]:
    """A reader's verdict of each text; raises SystemExit where one is missing, doubled or not allowed."""
    found: dict[int, dict[str, Any]] = {}
    for place, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        where = f"{path}, line {place}"
        try:
            one = json.loads(line)
            number, verdict = one["number"], one["verdict"]
        except (ValueError, KeyError, TypeError) as fault:
            raise SystemExit(
                f"{where} is no verdict: {fault!r}. Write a JSON object with number and verdict."
            ) from None
        if number in found or number not in numbers:
            why = "is answered twice" if number in found else "is not in the key"
            raise SystemExit(f"{where}: the number {number} {why}.")
        if verdict not in VERDICTS:
            raise SystemExit(f"{where}: '{verdict}' is no verdict. Give one of {', '.join(VERDICTS)}.")
        if verdict != TRUE and not one.get("reason"):
            raise SystemExit(f"{where}: the verdict '{verdict}' needs a reason.")
        found[number] = {"verdict": verdict, "reason": one.get("reason", ""), "claims": one.get("claims") or []}
    missing = [number for number in numbers if number not in found]
    if missing:
        raise SystemExit(f"{path} has no verdict of {len(missing)} texts, the first of them {missing[:5]}.")
    return found


def count(key_path: Path, paths: Sequence[Path], result: Path) -> dict[str, Any]:
    """Join the readers' verdicts with the key, and write figures, verdicts and reasons."""
    key = json.loads(key_path.read_text(encoding="utf-8"))
    numbers = [one["number"] for one in key["texts"]]
    readers = [read_verdicts(path, numbers) for path in paths]
    texts = [{**one, "readers": [reader[one["number"]] for reader in readers]} for one in key["texts"]]
    for one in texts:
        one["majority"] = majority([reader["verdict"] for reader in one["readers"]])
    groups = {
        f"{by}: {origin}": [one for one in texts if (one["by"], one["origin"]) == (by, origin)]
        for by, origin in dict.fromkeys((one["by"], one["origin"]) for one in texts)
    }
    groups = {name: groups[name] for name in sorted(groups)}
    every = {by: [one for one in texts if one["by"] == by] for by in (GENERATED, PEOPLE)}
    figures = {name: figures_of(of) for name, of in {**groups, **every}.items() if of}
    found = {
        "readers": len(readers),
        "rubric_sha256": key["rubric_sha256"],
        "seed": key["seed"],
        "agreement": agreement(texts),
        "origins": figures,
        "texts": texts,
    }
    result_file.write(result, found)
    print(json.dumps({name: found[name] for name in ("agreement", "origins")}, indent=2))
    return found


def majority(verdicts: Sequence[str]) -> str:
    """The verdict of more than half of the readers."""
    verdict, readers = Counter(verdicts).most_common(1)[0]
    return verdict if 2 * readers > len(verdicts) else NO_MAJORITY


def figures_of(texts: Sequence[Text]) -> dict[str, Any]:
    """The figures of the texts of one origin."""
    verdicts = Counter(one["majority"] for one in texts)
    number, wrong = len(texts), len(texts) - verdicts[TRUE]
    claims = sum(2 * sum(bool(reader["claims"]) for reader in one["readers"]) > len(one["readers"]) for one in texts)
    figures = {"n": number}
    figures |= {f"{name}_percent": percent(verdicts[name], number) for name in (*VERDICTS, NO_MAJORITY)}
    figures |= {"claims_percent": percent(claims, number), "agreement": agreement(texts)}
    if texts[0]["by"] == GENERATED:
        figures |= {
            "false_certificates": wrong,
            "false_certificates_percent": percent(wrong, number),
            "false_certificates_at_most_percent": round(100 * upper_bound(wrong, number), 2),
        }
    return figures


def percent(part: int, whole: int) -> float:
    return round(100 * part / whole, 2)


def agreement(texts: Sequence[Text]) -> dict[str, float | None]:
    """Krippendorff's alpha of the verdicts, and of whether they are "true"; None where all are equal."""
    units = [[VERDICTS.index(reader["verdict"]) for reader in one["readers"]] for one in texts]
    values = {"verdicts": units, "true or not": [[int(verdict == 0) for verdict in unit] for unit in units]}
    found = {name: alpha(of, "nominal") for name, of in values.items()}
    return {name: None if value is None else round(value, 3) for name, value in found.items()}


def upper_bound(events: int, of: int, sure: float = SURE) -> float:
    """The largest rate by which so few events or fewer still have a probability of 1 - ``sure``."""
    if events >= of:
        return 1.0
    low, high = events / of, 1.0
    for _ in range(60):
        rate = (low + high) / 2
        few = sum(math.comb(of, count) * rate**count * (1 - rate) ** (of - count) for count in range(events + 1))
        low, high = (rate, high) if few > 1 - sure else (low, rate)
    return high


if __name__ == "__main__":
    main()
