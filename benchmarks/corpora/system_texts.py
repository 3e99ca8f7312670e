"""Texts of two systems, judged by model readers and by the proof: does a text say what its row says?

    python -m benchmarks.corpora.system_texts make --sheet FILE [--data-root ../shared/data]
    python -m benchmarks.corpora.system_texts count --verdicts A.jsonl B.jsonl C.jsonl
    python -m benchmarks.corpora.system_texts again

``make`` writes a sheet of rows and texts, mixed, without the proof's findings: 150 of each system in the cleaned E2E
data (`prove_people.py`). Each reader gets it with ``system_texts_rubric.md`` and writes a JSON line for each number.
``count`` compares the majority with the proof, and writes verdicts and reasons, without the texts, to
benchmarks/results/system_texts.json. ``again`` compares the verdicts there with today's proof.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from allsaid.proof.coverage import Coverage
from benchmarks.corpora.prove_people import PARTS, WRITTEN, Pair, mapping_of, prove, read, written
from benchmarks.result_file import RESULTS, ROOT, write

RESULT = RESULTS / "system_texts.json"
EACH, DRAWN, MIXED = 150, 31, 32  # texts of a system, and the seeds of sample and order
RIGHT = "right"


def main() -> None:
    """Write the sheet or the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data-root", type=Path, default=ROOT.parent / "shared" / "data")
    actions = parser.add_subparsers(dest="action", required=True)
    actions.add_parser("make").add_argument("--sheet", type=Path, required=True)
    actions.add_parser("count").add_argument("--verdicts", type=Path, nargs=3, required=True)
    actions.add_parser("again")
    given = parser.parse_args()
    texts = sample(given.data_root)
    if given.action == "make":
        entries = (
            f"== {number}\nrow: {pair.row}\ntext: {pair.text}\n" for number, (*_, pair, _) in enumerate(texts, 1)
        )
        given.sheet.write_text("\n".join(entries), encoding="utf-8")
    else:
        if given.action == "again":
            found = recount(texts, json.loads(RESULT.read_text(encoding="utf-8")))
        else:
            found = count(texts, [read_verdicts(path, len(texts)) for path in given.verdicts])
        write(RESULT, found)
        print(json.dumps({name: value for name, value in found.items() if name != "texts"}, indent=2))


def sample(data_root: Path) -> list[tuple[str, int, Pair, Coverage]]:
    """Return system, number of the row, row with text, and proof of each text of the sheet."""
    mapping = mapping_of("e2e")
    found = []
    for part, path in WRITTEN.items():
        pairs, values = read(data_root / PARTS["e2e"][part], mapping)
        pairs = written(pairs, data_root / path)
        proofs, _ = prove(pairs, values, mapping)
        places = random.Random(DRAWN).sample(range(len(pairs)), EACH)
        found += [(part, place, pairs[place], proofs[place]) for place in places]
    random.Random(MIXED).shuffle(found)
    return found


def read_verdicts(path: Path, texts: int) -> list[dict[str, Any]]:
    """Return a reader's verdicts in the order of the sheet; raise SystemExit where one is lacking."""
    by_number = {entry["number"]: entry for entry in map(json.loads, path.read_text(encoding="utf-8").splitlines())}
    lacking = [number for number in range(1, texts + 1) if number not in by_number]
    if lacking:
        raise SystemExit(f"{path} has no verdict on number {lacking[0]}.")
    return [by_number[number] for number in range(1, texts + 1)]


def count(texts: Sequence[tuple[str, int, Pair, Coverage]], readers: Sequence[list[dict[str, Any]]]) -> dict[str, Any]:
    """Return the agreement of the proof with the majority of the readers, by system, and all verdicts."""
    judged = []
    for (system, row, _, proof), *verdicts in zip(texts, *readers, strict=True):
        majority = 2 * sum(entry["verdict"] == RIGHT for entry in verdicts) > len(verdicts)
        reasons = [entry["reason"] for entry in verdicts]
        judged.append(
            {"system": system, "row": row, "readers": majority, "proof": not proof.findings, "reasons": reasons}
            | {"unanimous": len({entry["verdict"] for entry in verdicts}) == 1}
        )
    return summed(judged, f"{len(readers)} models that had the rubric and the sheet alone")


def recount(texts: Sequence[tuple[str, int, Pair, Coverage]], before: dict[str, Any]) -> dict[str, Any]:
    """Return the counts by the verdicts of an earlier result and the proof of today."""
    proofs = {(system, row): not proof.findings for system, row, _, proof in texts}
    judged = [entry | {"proof": proofs[entry["system"], entry["row"]]} for entry in before["texts"]]
    changed = [entry for entry, old in zip(judged, before["texts"], strict=True) if entry["proof"] != old["proof"]]
    print(f"{len(changed)} verdicts of the proof changed: {changed}")
    return summed(judged, before["readers"])


def summed(judged: list[dict[str, Any]], readers: str) -> dict[str, Any]:
    """Return the counts of judged texts by system, and the texts."""
    systems = {}
    for name in WRITTEN:
        of_system = [entry for entry in judged if entry["system"] == name]
        systems[name] = {
            "texts": len(of_system),
            "right by the readers": sum(entry["readers"] for entry in of_system),
            "right by the proof": sum(entry["proof"] for entry in of_system),
            "agree": sum(entry["readers"] == entry["proof"] for entry in of_system),
        }
    agree = sum(entry["agree"] for entry in systems.values())
    return {
        "readers": readers,
        "unanimous": sum(entry["unanimous"] for entry in judged),
        "percent agreement of proof and majority": round(100 * agree / len(judged), 2),
        "systems": systems,
        "texts": judged,
    }


if __name__ == "__main__":
    main()
