"""A blind reading of certified texts: sheets of generated texts mixed with people's, and the count of the verdicts.

    python -m benchmarks.quality.tables.reading make --texts products=DIR@60 moebel=DIR@60
        --people products=DATA@50 moebel=DATA@50 --output DIR --key FILE [--seed 1]
    python -m benchmarks.quality.tables.reading count --key FILE --verdicts A.jsonl B.jsonl C.jsonl [--result FILE]

``--texts NAME=DIR@N`` draws N certified texts of an output of `allsaid generate`, ``--people NAME=DATA@N`` N texts
of the test part of a data set, which people wrote. Without ``@N`` all are taken. Where there are enough rows, those of
people's texts are others than those of the generated ones. ``make`` shuffles everything by the seed and writes
``packet-1.jsonl``, ... of 100 texts each, a JSON object a line: a number, the row as lines, and the text. ``--key``
says of each number where its text is from; readers must not see it. ``--without-certificates`` takes the texts in which
the proof finds no fault, from outputs that have no column `certified`.

A reader answers each number by benchmarks/quality/tables/reading_rubric.md: ``{"number": 1, "verdict": "true",
"reason": "", "claims": []}``, with the verdict "true", "wrong" or "no sentence". ``count`` takes the majority of the
readers, and where there is none the verdict "no majority", which is not "true". A certificate is false where the
verdict is not "true"; the upper bound is that of a one-sided 95% interval (Clopper and Pearson 1934). Writes
``benchmarks/results/reading.json``: figures by origin, and all verdicts and reasons, without the texts.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from allsaid.modeling.data.dataset import DataSet
from benchmarks import result_file
from benchmarks.quality import blind
from benchmarks.quality.blind import GENERATED, PEOPLE, Text, percent
from benchmarks.quality.certified_texts import has_certificates, is_certified, read_texts
from schemas.texts.generated import goal_line

RESULT = result_file.RESULTS / "reading.json"
RUBRIC = Path(__file__).parent / "reading_rubric.md"
PACKET = 100  # texts
TRUE, WRONG, NO_SENTENCE = "true", "wrong", "no sentence"
VERDICTS = (TRUE, WRONG, NO_SENTENCE)
_DETACHED = re.compile(r" (?:-(?=(?:s|es|ly|ed|ing)\b)|(?='s\b)|(?=[,.;:?!]))")  # "hotel -s ," in RNNLG's corpus
SURE = 0.95  # of the upper bound


def main() -> None:
    parser, making = blind.commands(__doc__, RESULT)
    making.add_argument("--without-certificates", action="store_true")
    blind.run(parser, make, count)


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
    for name, folder, most in map(blind.parse_source, texts):
        found = blind.drawn(certified(folder, without_certificates), most, f"--texts {name}", chance)
        chosen += [{**entry, "by": GENERATED, "origin": name} for entry in found]
    seen = {tuple(entry["row"]) for entry in chosen}
    for name, folder, most in map(blind.parse_source, people):
        written = by_people(folder)
        fresh = [entry for entry in written if tuple(entry["row"]) not in seen]
        found = blind.drawn(fresh if len(fresh) >= (most or 1) else written, most, f"--people {name}", chance)
        chosen += [{**entry, "by": PEOPLE, "origin": name} for entry in found]
    blind.hand_out(chosen, ("row", "text"), PACKET, output, key, seed, chance, RUBRIC)


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


def check(answer: Text) -> Text | str:
    """What is kept of a reader's answer, or a sentence on its fault."""
    verdict, reason = answer["verdict"], answer.get("reason", "")
    if verdict not in VERDICTS:
        return f"'{verdict}' is no verdict. Give one of {', '.join(VERDICTS)}."
    if verdict != TRUE and not reason:
        return f"the verdict '{verdict}' needs a reason."
    return {"verdict": verdict, "reason": reason, "claims": answer.get("claims") or []}


def count(key: Path, verdicts: Sequence[Path], result: Path) -> dict[str, Any]:
    """Join the readers' verdicts with the key, and write figures, verdicts and reasons."""
    return blind.count(key, verdicts, result, check, figures_of, agreement, by_author=True)


def figures_of(texts: Sequence[Text]) -> dict[str, Any]:
    """The figures of the texts of one origin."""
    number, wrong = len(texts), sum(entry["majority"] != TRUE for entry in texts)
    claims = sum(
        2 * sum(bool(reader["claims"]) for reader in entry["readers"]) > len(entry["readers"]) for entry in texts
    )
    figures = blind.shares(texts, VERDICTS)
    figures |= {"claims_percent": percent(claims, number), "agreement": agreement(texts)}
    if texts[0]["by"] == GENERATED:
        figures |= {
            "false_certificates": wrong,
            "false_certificates_percent": percent(wrong, number),
            "false_certificates_at_most_percent": round(100 * upper_bound(wrong, number), 2),
        }
    return figures


def agreement(texts: Sequence[Text]) -> dict[str, float | None]:
    """Krippendorff's alpha of the verdicts, and of whether they are "true"; None where all are equal."""
    units = [[VERDICTS.index(reader["verdict"]) for reader in entry["readers"]] for entry in texts]
    true = [[int(verdict == 0) for verdict in unit] for unit in units]
    return blind.alphas({"verdicts": (units, "nominal"), "true or not": (true, "nominal")})


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
