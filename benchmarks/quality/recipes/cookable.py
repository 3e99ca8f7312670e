"""A blind reading of recipes: sheets of several systems' texts mixed with people's, and the count of the verdicts.

    python -m benchmarks.quality.recipes.cookable make --texts edit=DIR@60 checklist=DIR@60 --people library=DATA@60
        --output DIR --key FILE [--seed 1] [--unlike KEY ...] [--people-part dev] [--packet 40]
    python -m benchmarks.quality.recipes.cookable count --key FILE --verdicts A.jsonl B.jsonl C.jsonl [--result FILE]

``--texts NAME=DIR@N`` draws N texts of an output of `allsaid generate`, ``--people NAME=DATA@N`` N texts of the test
part of a data set, or of ``--people-part``. No two origins share a row, and no row is in a key or a result of
``--unlike``, so that a reader sees each row once. ``make`` shuffles everything by the seed and writes packets of
``--packet`` texts; ``--key`` says of each number where its text is from, and readers must not see it.

A reader answers each number by benchmarks/quality/recipes/cookable_rubric.md. ``count`` takes the majority of the
readers for each answer, and where there is none the verdict "no majority". Writes ``benchmarks/results/cookable.json``:
figures by origin, all verdicts and reasons, and the readers' agreement, without the texts.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any

from allsaid.modeling.data.dataset import DataSet
from benchmarks import result_file
from benchmarks.quality import blind
from benchmarks.quality.blind import GENERATED, PEOPLE, Text, percent
from benchmarks.quality.certified_texts import read_texts

RESULT = result_file.RESULTS / "cookable.json"
RUBRIC = Path(__file__).parent / "cookable_rubric.md"
YES, REPAIRS, NO = "yes", "repairs", "no"
VERDICTS = (YES, REPAIRS, NO)
FLAGS = ("contradicts", "fluent")
ANSWERED = (100, 80, 60, 40)  # percent of the rows that get a text: those with the highest confidence


def main() -> None:
    parser, making = blind.commands(__doc__, RESULT)
    making.add_argument("--unlike", type=Path, nargs="*", default=[], help="keys or results of earlier readings")
    making.add_argument(
        "--people-part", choices=("dev", "test"), default="test", help="part of the data sets of --people"
    )
    making.add_argument("--packet", type=int, default=60, help="texts of a packet")
    blind.run(parser, make, count)


def make(
    texts: Sequence[str],
    people: Sequence[str],
    output: Path,
    key: Path,
    seed: int = 1,
    unlike: Sequence[Path] = (),
    people_part: str = "test",
    packet: int = 60,
) -> None:
    """Draw the texts, and write the packets and the key."""
    chance = random.Random(seed)
    seen = {entry["id"] for path in unlike for entry in json.loads(path.read_text(encoding="utf-8"))["texts"]}
    chosen: list[Text] = []
    for by, sources, reader in ((GENERATED, texts, generated), (PEOPLE, people, partial(by_people, part=people_part))):
        for name, folder, most in map(blind.parse_source, sources):
            fresh = [entry for entry in reader(folder) if entry["id"] not in seen]
            found = blind.drawn(fresh, most, name, chance)
            seen |= {entry["id"] for entry in found}
            chosen += [{**entry, "by": by, "origin": name} for entry in found]
    blind.hand_out(chosen, ("title", "ingredients", "steps"), packet, output, key, seed, chance, RUBRIC)


def generated(folder: Path) -> list[Text]:
    """The first text of each row of an output of `allsaid generate`."""
    rows = sorted(read_texts(folder), key=lambda row: str(row["id"]))
    return [
        _text(row["id"], row["goal"], row["agenda"], row["text"])
        | ({} if row.get("confidence") is None else {"confidence": row["confidence"]})
        for row in rows
        if row["error"] is None
    ]


def by_people(data: Path, part: str) -> list[Text]:
    """The texts of a part of a data set."""
    examples = sorted(DataSet(str(data)).examples(part), key=lambda example: example.id)
    return [_text(example.id, example.goal, example.agenda, example.text) for example in examples]


def _text(row_id: str, title: str, ingredients: list[str], steps: str) -> Text:
    return {"id": row_id, "title": title, "ingredients": ingredients, "steps": steps}


def check(answer: Text) -> Text | str:
    """What is kept of a reader's answer, or a sentence on its fault."""
    verdict, flags = answer["verdict"], {name: answer[name] for name in FLAGS}
    foreign, reason = [*answer.get("foreign", ())], answer.get("reason", "")
    if verdict not in VERDICTS or not all(isinstance(flag, bool) for flag in flags.values()):
        return f"give a verdict of {', '.join(VERDICTS)}, and true or false for {', '.join(FLAGS)}."
    if verdict != YES and not reason:
        return f"the verdict '{verdict}' needs a reason."
    return {"verdict": verdict, **flags, "foreign": foreign, "reason": reason}


def count(key: Path, verdicts: Sequence[Path], result: Path) -> dict[str, Any]:
    """Join the readers' answers with the key, and write figures, answers and reasons."""
    return blind.count(key, verdicts, result, check, figures_of, agreement)


def figures_of(texts: Sequence[Text]) -> dict[str, Any]:
    """The figures of the texts of one origin, by the majority of the readers."""
    figures = blind.shares(texts, VERDICTS) | {"usable_percent": _percent(texts, _is_usable)}
    if all("confidence" in entry for entry in texts):
        ranked = sorted(texts, key=lambda entry: -float(entry["confidence"]))
        parts = {share: ranked[: max(round(len(ranked) * share / 100), 1)] for share in ANSWERED}
        figures["usable_percent_of_answered"] = {
            str(share): _percent(part, _is_usable) for share, part in parts.items()
        }
    figures |= {f"{name}_percent": _percent(texts, itemgetter(name)) for name in (*FLAGS, "foreign")}
    return figures | {"agreement": agreement(texts)}


def _is_usable(answer: Text) -> bool:
    return bool(answer["verdict"] != NO)


def _percent(texts: Sequence[Text], holds: Callable[[Text], Any]) -> float:
    """The share of the texts for which something holds by more than half of the readers."""
    return percent(sum(_most(text, holds) for text in texts), len(texts))


def _most(text: Text, holds: Callable[[Text], Any]) -> bool:
    return 2 * sum(bool(holds(reader)) for reader in text["readers"]) > len(text["readers"])


def is_usable_text(text: Text) -> bool:
    """Return whether more than half of the readers call a text usable."""
    return _most(text, _is_usable)


def agreement(texts: Sequence[Text]) -> dict[str, float | None]:
    """Krippendorff's alpha of the ordered verdicts, and of whether a recipe is usable; None where all are equal."""
    units = [[VERDICTS.index(reader["verdict"]) for reader in entry["readers"]] for entry in texts]
    usable = [[int(verdict < VERDICTS.index(NO)) for verdict in unit] for unit in units]
    return blind.alphas({"verdicts": (units, "ordinal"), "usable or not": (usable, "nominal")})


if __name__ == "__main__":
    main()
