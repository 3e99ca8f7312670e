"""The proof of people's texts: cleaned E2E (Dušek et al. 2019) with the mapping benchmarks/corpora/e2e.yaml.

    python -m benchmarks.corpora.prove_e2e [--data-root ../shared/data] [--part devel|test] [--flagged FILE]

The rows of the data were edited to say what their texts say, so that a right proof finds nothing wrong. The mapping is
written from the devel part; the test part is only counted. ``--flagged`` writes the texts with findings, to be read.
Writes benchmarks/results/prove_e2e.json, with the figures of both parts that were measured last.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from allsaid.proof.coverage import Coverage
from allsaid.proof.values.facts import Fact
from allsaid.proof.values.matching import measure_values
from batch_infer.rows import facts
from benchmarks.result_file import RESULTS, ROOT, write
from pipelines.sources.records.mapping import TableMapping, load_mapping
from pipelines.sources.records.supervision import slots_of, values_of_row
from schemas.act import agenda_line

RESULT = RESULTS / "prove_e2e.json"
MAPPING = ROOT / "benchmarks" / "corpora" / "e2e.yaml"
PARTS = {"devel": "devel-fixed.no-ol.csv", "test": "test-fixed.csv"}
WANTED = 600  # texts a second on one core
_SLOT = re.compile(r"(\w[\w ]*)\[([^\]]*)\]")


@dataclass(frozen=True)
class Pair:
    lines: list[str]  # of the row
    text: str


def main() -> None:
    """Measure a part and write the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data-root", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--part", choices=PARTS, default="devel")
    parser.add_argument("--flagged", type=Path, help="a file for the texts with findings")
    given = parser.parse_args()
    mapping = load_mapping(str(MAPPING))
    pairs, values = read(given.data_root / "e2e-cleaned" / PARTS[given.part], mapping)
    coverages, seconds = prove(pairs, values, mapping)
    found = figures(coverages, seconds)
    before = json.loads(RESULT.read_text()) if RESULT.exists() else {}
    write(RESULT, {key: before[key] for key in PARTS if key in before})
    measured_at = json.loads(RESULT.read_text())["measured"]  # of this part; the other was measured before
    parts = {key: before[key] for key in PARTS if key in before} | {given.part: {"measured": measured_at, **found}}
    write(RESULT, parts)
    print(json.dumps(found, indent=2))
    if given.flagged:
        with given.flagged.open("w", encoding="utf-8") as file:
            for pair, coverage in zip(pairs, coverages, strict=True):
                if coverage.findings:
                    told = [f"{one.grade}: {one.line} ({one.reason})" for one in coverage.findings]
                    file.write(json.dumps({"row": pair.lines, "text": pair.text, "findings": told}, ensure_ascii=False))
                    file.write("\n")


def read(path: Path, mapping: TableMapping) -> tuple[list[Pair], dict[str, list[str]]]:
    """Return the pairs of a part, and the values that its rows have, by column."""
    pairs = []
    values: dict[str, set[str]] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            found = values_of_row({slot.strip(): value for slot, value in _SLOT.findall(row["mr"])}, mapping)
            pairs.append(Pair([agenda_line(value.slot) for value in found], row["ref"]))
            for slot in slots_of(found, mapping):
                values.setdefault(slot.slot, set()).add(slot.value)
    return pairs, {column: sorted(known) for column, known in values.items()}


def prove(
    pairs: Sequence[Pair], values: Mapping[str, Sequence[str]], mapping: TableMapping
) -> tuple[list[Coverage], float]:
    """Measure each text against its row, with the values of all rows known; return the seconds of one core, too."""
    known = facts.inventory_of(values, mapping)
    by_line: dict[str, Fact] = {}
    measured = []
    start = time.process_time()
    for pair in pairs:
        for line in pair.lines:
            if line not in by_line:
                (by_line[line],) = facts.facts_of([line], mapping)
        own = [by_line[line] for line in pair.lines]
        measured.append(measure_values(facts.text_of(pair.text, mapping), own, known))
    return measured, time.process_time() - start


def figures(measured: Sequence[Coverage], seconds: float) -> dict[str, Any]:
    right = sum(not coverage.findings for coverage in measured)
    reasons = Counter(
        f"{one.grade}: {one.column or 'no column'}" for coverage in measured for one in _each_once(coverage)
    )
    return {
        "texts": len(measured),
        "proven right": right,
        "percent": round(100 * right / len(measured), 2),
        "texts_per_second": round(len(measured) / seconds),
        "texts with a finding": dict(reasons.most_common()),
    }


def _each_once(coverage: Coverage) -> Iterator[Any]:
    """Yield the findings of a text, one for each grade and column."""
    yield from {(one.grade, one.column): one for one in coverage.findings}.values()


if __name__ == "__main__":
    main()
