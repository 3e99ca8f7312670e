"""A blind reading of recipes in pairs: the same rows before and after a change, and the count of the verdicts.

    python -m benchmarks.quality.recipes.cookable_pairs make --pairs library=BEFORE:AFTER@60 raw=BEFORE:AFTER@60
        --output DIR --key FILE [--seed 1] [--unlike KEY ...]
    python -m benchmarks.quality.recipes.cookable_pairs count --key FILE --verdicts A.jsonl B.jsonl [--result FILE]

``--pairs NAME=BEFORE:AFTER@N`` draws N rows that both outputs of `allsaid generate` have and no key of ``--unlike``
names. ``make`` shuffles the pairs by the seed, shows the two texts of each as A and B in random order, and writes
packets of 30 pairs; the key says which text is which, and readers must not see it. Of a pair of equal texts, B says so.

A reader answers each number by benchmarks/quality/recipes/cookable_pairs_rubric.md. ``count`` writes
``benchmarks/results/cookable_pairs.json``: how often the text before or after is better, and the verdicts on both, as
means of the readers; the readers' agreement; and all answers and reasons, without the texts.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks import result_file
from benchmarks.quality import blind
from benchmarks.quality.blind import Text, percent
from benchmarks.quality.recipes.cookable import NO, VERDICTS, YES, generated

RESULT = result_file.RESULTS / "cookable_pairs.json"
RUBRIC = Path(__file__).parent / "cookable_pairs_rubric.md"
PACKET = 30  # pairs
EQUAL = "(the same text as a)"
BEFORE, AFTER, NEITHER = "before", "after", "same"
BETTER = (BEFORE, NEITHER, AFTER)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    each = parser.add_subparsers(dest="command", required=True)
    making = each.add_parser("make", help="write the packets and the key")
    making.add_argument("--pairs", nargs="+", required=True, metavar="NAME=BEFORE:AFTER@N")
    making.add_argument("--output", type=Path, required=True, help="a new folder for the packets")
    making.add_argument("--key", type=Path, required=True, help="a new file for the key")
    making.add_argument("--unlike", type=Path, nargs="*", default=[], help="keys of earlier readings")
    making.add_argument("--seed", type=int, default=1)
    counting = each.add_parser("count", help="join the verdicts with the key")
    counting.add_argument("--key", type=Path, required=True)
    counting.add_argument("--verdicts", type=Path, nargs="+", required=True, help="a file of each reader")
    counting.add_argument("--result", type=Path, default=RESULT)
    given = vars(parser.parse_args())
    make(**given) if given.pop("command") == "make" else count(**given)


def make(pairs: Sequence[str], output: Path, key: Path, unlike: Sequence[Path] = (), seed: int = 1) -> None:
    """Draw the rows, and write the packets and the key."""
    chance = random.Random(seed)
    seen = {entry["id"] for path in unlike for entry in json.loads(path.read_text(encoding="utf-8"))["texts"]}
    chosen: list[Text] = []
    for name, folders, most in map(blind.parse_source, pairs):
        rows = [entry for entry in _pairs(*str(folders).split(":")) if entry["id"] not in seen]
        chosen += [{**entry, "by": blind.GENERATED, "origin": name} for entry in blind.drawn(rows, most, name, chance)]
    for entry in chosen:
        entry["a_is"], entry["is_equal"] = chance.choice((BEFORE, AFTER)), entry[BEFORE] == entry[AFTER]
        entry["a"], entry["b"] = (
            (entry[BEFORE], entry[AFTER]) if entry["a_is"] == BEFORE else (entry[AFTER], entry[BEFORE])
        )
        entry["b"] = EQUAL if entry["is_equal"] else entry["b"]
    blind.hand_out(chosen, ("title", "ingredients", "a", "b"), PACKET, output, key, seed, chance, RUBRIC)


def _pairs(before: str, after: str) -> Iterator[Text]:
    """Yield the rows that both outputs have, with the steps of both."""
    new = {entry["id"]: entry for entry in generated(Path(after))}
    for entry in generated(Path(before)):
        if entry["id"] in new:
            steps = {BEFORE: entry["steps"], AFTER: new[entry["id"]]["steps"]}
            yield {"id": entry["id"], "title": entry["title"], "ingredients": entry["ingredients"], **steps}


def check(answer: Text) -> Text | str:
    """Return what is kept of a reader's answer, or a sentence on its fault."""
    better, a, b = (answer[name] for name in ("better", "a", "b"))
    if better not in ("a", "b", NEITHER) or a not in VERDICTS or b not in VERDICTS:
        return f"'better' is a, b or same; the verdicts a and b are one of {', '.join(VERDICTS)}."
    reason = answer.get("reason", "")
    if better != NEITHER and not reason:
        return f"the preference '{better}' needs a reason."
    return {"better": better, "a": a, "b": b, "reason": reason}


def count(key: Path, verdicts: Sequence[Path], result: Path) -> None:
    """Join the readers' answers with the key, and write figures, answers and reasons."""
    known = json.loads(key.read_text(encoding="utf-8"))
    numbers = [entry["number"] for entry in known["texts"]]
    readers = [blind.answers(path, numbers, check) for path in verdicts]
    texts = [
        {**entry, "readers": [_meant(entry["a_is"], by[entry["number"]]) for by in readers]} for entry in known["texts"]
    ]
    origins = sorted({entry["origin"] for entry in texts})
    found = {
        "readers": len(readers),
        "rubric_sha256": known["rubric_sha256"],
        "agreement": _agreement(texts),
        "origins": {name: figures_of([entry for entry in texts if entry["origin"] == name]) for name in origins},
    }
    result_file.write(result, {**found, "texts": texts})
    print(json.dumps(found, indent=2))


def _meant(a_is: str, answer: Text) -> Text:
    """Return an answer about A and B as one about the texts before and after."""
    places = {BEFORE: "a", AFTER: "b"} if a_is == BEFORE else {BEFORE: "b", AFTER: "a"}
    better = next((name for name, place in places.items() if place == answer["better"]), NEITHER)
    return {"better": better, **{name: answer[place] for name, place in places.items()}, "reason": answer["reason"]}


def figures_of(texts: Sequence[Text]) -> dict[str, Any]:
    """Return the figures of some pairs, as means of the readers."""
    answers = [reader for entry in texts for reader in entry["readers"]]
    found: dict[str, Any] = {"pairs": len(texts), "equal_texts": sum(entry["is_equal"] for entry in texts)}
    for name in BETTER:
        found[f"{name}_better_percent" if name != NEITHER else "same_percent"] = percent(
            sum(entry["better"] == name for entry in answers), len(answers)
        )
    for name in (BEFORE, AFTER):
        found[f"{name}_yes_percent"] = percent(sum(entry[name] == YES for entry in answers), len(answers))
        found[f"{name}_usable_percent"] = percent(sum(entry[name] != NO for entry in answers), len(answers))
    return found


def _agreement(texts: Sequence[Text]) -> dict[str, float | None]:
    """Return Krippendorff's alpha of the preferences and of the verdicts."""
    better = [[BETTER.index(reader["better"]) for reader in entry["readers"]] for entry in texts]
    verdicts = [
        [VERDICTS.index(reader[name]) for reader in entry["readers"]] for entry in texts for name in (BEFORE, AFTER)
    ]
    return blind.alphas({"better": (better, "ordinal"), "verdicts": (verdicts, "ordinal")})


if __name__ == "__main__":
    main()
