"""Prove texts that people wrote for rows said to match them: cleaned E2E and ViGGO, by the mappings in this folder.

    python -m benchmarks.corpora.prove_people e2e devel [--data-root ../shared/data] [--flagged FILE]
    python -m benchmarks.corpora.prove_people e2e tgen-plus
    python -m benchmarks.corpora.prove_people viggo test

E2E's rows were edited to say what their texts say (Dušek et al. 2019); ViGGO's are by Juraska et al. 2019. A text is
*proven right* if the proof has no finding, of any grade. The mappings are written from the training parts (E2E: devel).
Known values are those of the part's own rows, as where there is no model. For ViGGO, values that the training part's
texts mention mostly without having them ("first") are left out, as a model leaves them out. ``--flagged`` writes the
texts with findings, to be read. Writes benchmarks/results/prove_e2e.json or prove_viggo.json, with the figures of each
part that were measured last.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from allsaid.proof.coverage import Coverage
from allsaid.proof.usage.names import common_in, mentions_of, with_names
from allsaid.proof.values.facts import Fact
from allsaid.proof.values.matching import measure_values, read_values
from allsaid.proof.values.seen import build_values
from batch_infer.rows import facts
from batch_infer.rows.known import SAMPLE
from benchmarks.result_file import RESULTS, ROOT, write
from pipelines.linking.acts import rows
from pipelines.sources.records.mapping import TableMapping, load_mapping
from pipelines.sources.records.mapping_keys import YES_NO
from pipelines.sources.records.supervision import Record, prepared, slots_of, values_of_row
from pipelines.sources.records.values import Value
from schemas.act import agenda_line, parse_agenda_line
from schemas.texts.finding import MISSING, WRONG, Finding

PARTS = {
    "e2e": {
        "devel": "e2e-cleaned/devel-fixed.no-ol.csv",
        "test": "e2e-cleaned/test-fixed.csv",
        "tgen-plus": "e2e-cleaned/test-fixed.csv",
        "tgen-minus": "e2e-cleaned/test-fixed.csv",
    },
    "viggo": {"train": "viggo/train.csv", "test": "viggo/test.csv"},
}
# Texts of systems: one line for each distinct row of the test part, in order, with the slot errors that Dušek et al.
# (2019) published for the system, counted by a script of patterns.
WRITTEN = {part: f"e2e-cleaned/system-outputs/{part}.run0.txt" for part in ("tgen-plus", "tgen-minus")}
PUBLISHED = {"tgen-plus": 0.70, "tgen-minus": 1.72}  # % of slots, as the paper counts them
_ACT = re.compile(r"(\w+)\(")
_SLOT = re.compile(r"(\w[\w ]*)\[([^\]]*)\]")


@dataclass(frozen=True)
class Pair:
    act: str  # "inform" where the data has no acts
    lines: list[str]  # of the row
    text: str
    row: str = ""  # as the data has it


def main() -> None:
    """Measure a part and write the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", choices=PARTS)
    parser.add_argument("part")
    parser.add_argument("--data-root", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--flagged", type=Path, help="a file for the texts with findings")
    given = parser.parse_args()
    mapping = mapping_of(given.corpus)
    pairs, values = read(given.data_root / PARTS[given.corpus][given.part], mapping)
    if given.part in WRITTEN:
        pairs = written(pairs, given.data_root / WRITTEN[given.part])
    if given.corpus == "viggo":
        values = without_common_words(values, *read(given.data_root / PARTS["viggo"]["train"], mapping), mapping)
    coverages, seconds = prove(pairs, values, mapping)
    found = figures(pairs, coverages, seconds) | (
        {"published percent of slot errors": PUBLISHED[given.part]} if given.part in PUBLISHED else {}
    )
    save(given.corpus, given.part, found)
    print(json.dumps(found, indent=2))
    if given.flagged:
        with given.flagged.open("w", encoding="utf-8") as file:
            for pair, coverage in zip(pairs, coverages, strict=True):
                if coverage.findings:
                    shown = [f"{finding.grade}: {finding.line} ({finding.kind})" for finding in coverage.findings]
                    entry = {"row": pair.lines, "text": pair.text, "findings": shown}
                    file.write(json.dumps(entry, ensure_ascii=False))
                    file.write("\n")


def mapping_of(corpus: str) -> TableMapping:
    return load_mapping(str(ROOT / "benchmarks" / "corpora" / f"{corpus}.yaml"))


def save(corpus: str, part: str, found: Mapping[str, Any]) -> None:
    """Add the figures of a part to the result, next to the other parts, each with the commit that measured it."""
    path = RESULTS / f"prove_{corpus}.json"
    before = json.loads(path.read_text()) if path.exists() else {}
    others = {key: before[key] for key in PARTS[corpus] if key in before and key != part}
    write(path, others)
    write(path, others | {part: {"measured": json.loads(path.read_text())["measured"], **found}})


def read(path: Path, mapping: TableMapping) -> tuple[list[Pair], dict[str, list[str]]]:
    """Return the pairs of a part, and the values that its rows have, by column."""
    pairs = []
    values: dict[str, set[str]] = {}
    answered = {column.name for column in mapping.columns if column.kind == YES_NO}  # asked for where they are empty
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            act = _ACT.match(row["mr"])
            cells, *more = _cells(row["mr"])
            asked = dict.fromkeys((name for name in answered.intersection(cells) if not cells[name]), "?")
            found = [value for part in (cells | asked, *more) for value in values_of_row(part, mapping)]
            lines = [agenda_line(value.slot) for value in found]
            pairs.append(Pair(act[1] if act else "inform", lines, row["ref"], row["mr"]))
            for slot in slots_of(found, mapping):
                values.setdefault(slot.slot, set()).add(slot.value)
    return pairs, {column: sorted(known) for column, known in values.items()}


def _cells(row: str) -> list[dict[str, str]]:
    """Return the cells of a row by column; a second value of a column ("a pub", "a restaurant") is in another dict."""
    rows: list[dict[str, str]] = [{}]
    for slot, value in _SLOT.findall(row):
        cells = next((cells for cells in rows if slot.strip() not in cells), None)
        if cells is None:
            rows.append(cells := {})
        cells[slot.strip()] = value
    return rows


def written(pairs: Sequence[Pair], path: Path) -> list[Pair]:
    """Return the distinct rows of a part, each with a system's text."""
    first: dict[str, Pair] = {}
    for pair in pairs:
        first.setdefault(pair.row, pair)
    texts = path.read_text(encoding="utf-8").splitlines()
    return [replace(pair, text=text) for pair, text in zip(first.values(), texts, strict=True)]


def without_common_words(
    values: Mapping[str, list[str]], pairs: Sequence[Pair], trained: Mapping[str, list[str]], mapping: TableMapping
) -> dict[str, list[str]]:
    """Leave out the values of the training pairs that a model would not know."""
    acts = []
    for number, pair in enumerate(pairs):
        cells = [parse_agenda_line(line) for line in pair.lines]
        columns = {column.name: column for column in mapping.columns}
        record = Record(str(number), pair.act, pair.text, [Value(columns[slot.slot], slot) for slot in cells])
        acts.append(rows(prepared(record, mapping, "", 0), mapping.words)[1])
    known = build_values(acts)
    return {
        column: [value for value in part if value in known.get(column, ()) or value not in trained.get(column, ())]
        for column, part in values.items()
    }


def prove(
    pairs: Sequence[Pair], values: Mapping[str, Sequence[str]], mapping: TableMapping
) -> tuple[list[Coverage], float]:
    """Measure each text against its row, with the values of all rows known; return the seconds of one core, too."""
    known = facts.inventory_of(values, mapping)
    sampled = pairs[:: -(-len(pairs) // SAMPLE)]
    readings = (
        read_values(facts.text_of(pair.text, mapping), facts.facts_of(pair.lines, mapping), known) for pair in sampled
    )
    mentions = (mention for reading in readings for mention in mentions_of(reading))
    known = facts.inventory_of(
        with_names(values, common_in(line for pair in pairs for line in pair.lines), mentions), mapping
    )
    by_line: dict[str, Fact] = {}
    measured = []
    start = time.process_time()
    for pair in pairs:
        for line in pair.lines:
            if line not in by_line:
                (by_line[line],) = facts.facts_of([line], mapping)
        row_facts = [by_line[line] for line in pair.lines]
        measured.append(measure_values(facts.text_of(pair.text, mapping), row_facts, known))
    return measured, time.process_time() - start


def figures(pairs: Sequence[Pair], measured: Sequence[Coverage], seconds: float) -> dict[str, Any]:
    reasons = Counter(
        f"{finding.grade}: {finding.column or 'no column'}" for coverage in measured for finding in _each_once(coverage)
    )
    acts = Counter(pair.act for pair in pairs)
    right = Counter(pair.act for pair, coverage in zip(pairs, measured, strict=True) if not coverage.findings)
    errors = sum(finding.grade in (WRONG, MISSING) for coverage in measured for finding in coverage.findings)
    values = sum(len(pair.lines) for pair in pairs)
    return {
        "texts": len(pairs),
        "proven right": right.total(),
        "percent": round(100 * right.total() / len(pairs), 2),
        "percent without the findings of a column": {
            column: round(100 * _right_without(column, measured) / len(pairs), 2) for column in _columns(pairs)
        },
        "percent by act": {act: round(100 * right[act] / count, 2) for act, count in acts.most_common()},
        "percent of values given": round(100 * sum(sum(coverage.given) for coverage in measured) / values, 2),
        "findings of wrong or missing values per 100 values": round(100 * errors / values, 2),
        "texts_per_second": round(len(measured) / seconds),
        "texts with a finding": dict(reasons.most_common()),
    }


def _columns(pairs: Sequence[Pair]) -> list[str]:
    """Return the columns of the rows, as they first occur."""
    return list(dict.fromkeys(parse_agenda_line(line).slot for pair in pairs for line in pair.lines))


def _right_without(column: str, measured: Sequence[Coverage]) -> int:
    """Return how many texts have no finding, apart from findings of one column."""
    return sum(all(finding.column == column for finding in coverage.findings) for coverage in measured)


def _each_once(coverage: Coverage) -> Iterator[Finding]:
    """Yield the findings of a text, one for each grade and column."""
    yield from {(finding.grade, finding.column): finding for finding in coverage.findings}.values()


if __name__ == "__main__":
    main()
