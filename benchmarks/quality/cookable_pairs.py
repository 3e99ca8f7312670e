"""A blind reading of recipes in pairs: the same rows before and after a change, and the count of the verdicts.

    python -m benchmarks.quality.cookable_pairs make --pairs library=BEFORE:AFTER@60 raw=BEFORE:AFTER@60
        --output DIR --key FILE [--seed 1] [--unlike KEY ...]
    python -m benchmarks.quality.cookable_pairs count --key FILE --verdicts A.jsonl B.jsonl [--result FILE]

``--pairs NAME=BEFORE:AFTER@N`` draws N rows that both outputs of `allsaid generate` have and no key of ``--unlike``
names. ``make`` shuffles the pairs by the seed, shows the two texts of each as A and B in random order, and writes
packets of 30 pairs; the key says which text is which, and readers must not see it. Of a pair of equal texts, B says so.

A reader answers each number by benchmarks/quality/cookable_pairs_rubric.md. ``count`` writes
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
from benchmarks.quality.cookable import NO, VERDICTS, YES, generated

RESULT = result_file.RESULTS / "cookable_pairs.json"
RUBRIC = Path(__file__).parent / "cookable_pairs_rubric.md"
PACKET = 30  # pairs
EQUAL = "(the same text as a)"
BEFORE, AFTER, SAME = "before", "after", "same"
BETTER = (BEFORE, SAME, AFTER)


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
    seen = {one["id"] for path in unlike for one in json.loads(path.read_text(encoding="utf-8"))["texts"]}
    chosen: list[Text] = []
    for name, folders, most in map(blind.parse_source, pairs):
        rows = [one for one in _pairs(*str(folders).split(":")) if one["id"] not in seen]
        chosen += [{**one, "by": blind.GENERATED, "origin": name} for one in blind.drawn(rows, most, name, chance)]
    for one in chosen:
        one["a_is"], one["is_equal"] = chance.choice((BEFORE, AFTER)), one[BEFORE] == one[AFTER]
        one["a"], one["b"] = (one[BEFORE], one[AFTER]) if one["a_is"] == BEFORE else (one[AFTER], one[BEFORE])
        one["b"] = EQUAL if one["is_equal"] else one["b"]
    blind.hand_out(chosen, ("title", "ingredients", "a", "b"), PACKET, output, key, seed, chance, RUBRIC)


def _pairs(before: str, after: str) -> Iterator[Text]:
    """Yield the rows that both outputs have, with the steps of both."""
    new = {one["id"]: one for one in generated(Path(after))}
    for one in generated(Path(before)):
        if one["id"] in new:
            steps = {BEFORE: one["steps"], AFTER: new[one["id"]]["steps"]}
            yield {"id": one["id"], "title": one["title"], "ingredients": one["ingredients"], **steps}


def check(answer: Text) -> Text | str:
    """Return what is kept of a reader's answer, or a sentence on its fault."""
    better, a, b = (answer[name] for name in ("better", "a", "b"))
    if better not in ("a", "b", SAME) or a not in VERDICTS or b not in VERDICTS:
        return f"'better' is a, b or same; the verdicts a and b are one of {', '.join(VERDICTS)}."
    reason = answer.get("reason", "")
    if better != SAME and not reason:
        return f"the preference '{better}' needs a reason."
    return {"better": better, "a": a, "b": b, "reason": reason}


def count(key: Path, verdicts: Sequence[Path], result: Path) -> None:
    """Join the readers' answers with the key, and write figures, answers and reasons."""
    known = json.loads(key.read_text(encoding="utf-8"))
    numbers = [one["number"] for one in known["texts"]]
    readers = [blind.answers(path, numbers, check) for path in verdicts]
    texts = [{**one, "readers": [_meant(one["a_is"], by[one["number"]]) for by in readers]} for one in known["texts"]]
    origins = sorted({one["origin"] for one in texts})
    found = {
        "readers": len(readers),
        "rubric_sha256": known["rubric_sha256"],
        "agreement": _agreement(texts),
        "origins": {name: figures_of([one for one in texts if one["origin"] == name]) for name in origins},
    }
    result_file.write(result, {**found, "texts": texts})
    print(json.dumps(found, indent=2))


def _meant(a_is: str, answer: Text) -> Text:
    """Return an answer about A and B as one about the texts before and after."""
    places = {BEFORE: "a", AFTER: "b"} if a_is == BEFORE else {BEFORE: "b", AFTER: "a"}
    better = next((name for name, place in places.items() if place == answer["better"]), SAME)
    return {"better": better, **{name: answer[place] for name, place in places.items()}, "reason": answer["reason"]}


def figures_of(texts: Sequence[Text]) -> dict[str, Any]:
    """Return the figures of some pairs, as means of the readers."""
    answers = [reader for one in texts for reader in one["readers"]]
    found: dict[str, Any] = {"pairs": len(texts), "equal_texts": sum(one["is_equal"] for one in texts)}
    for name in BETTER:
        found[f"{name}_better_percent" if name != SAME else "same_percent"] = percent(
            sum(one["better"] == name for one in answers), len(answers)
        )
    for name in (BEFORE, AFTER):
        found[f"{name}_yes_percent"] = percent(sum(one[name] == YES for one in answers), len(answers))
        found[f"{name}_usable_percent"] = percent(sum(one[name] != NO for one in answers), len(answers))
    return found


def _agreement(texts: Sequence[Text]) -> dict[str, float | None]:
    """Return Krippendorff's alpha of the preferences and of the verdicts."""
    better = [[BETTER.index(reader["better"]) for reader in one["readers"]] for one in texts]
    verdicts = [
        [VERDICTS.index(reader[name]) for reader in one["readers"]] for one in texts for name in (BEFORE, AFTER)
    ]
    return blind.alphas({"better": (better, "ordinal"), "verdicts": (verdicts, "ordinal")})


if __name__ == "__main__":
    main()
