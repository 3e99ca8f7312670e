"""How well ingredient lines are found where the layout is lost, and which code pages a library's records are in.

    python benchmarks/mealmaster_layout.py --raw '../shared/data/mealmaster/raw/*.gz' \
        --library '../shared/data/mealmaster/nyc-*.mmf.gz'

The untouched exports know their columns: a line is an ingredient line where its amount, unit and name stand in
Meal-Master's columns above the first line of directions. Two measures follow from that, see DEFINITIONS: the exports
flattened by :func:`flatten`, and the records of the flattened library that are the same recipes. The columns are read
here by a few lines of their own, not by the parser that is measured. Only what a signature is, the parser's own list
says; the figures that count signatures like every other line stand beside.

Writes ``benchmarks/results/mealmaster_layout.json``.
"""

from __future__ import annotations

import argparse
import json
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from result_file import write

from allsaid.language.code_pages import decode
from allsaid.storage import streams
from allsaid.storage.paths import expand
from pipelines.recipes.signatures import is_signature
from pipelines.sources.mealmaster.dump import RawRecord, split_records
from pipelines.sources.mealmaster.layout import read_block, split_fields

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results" / "mealmaster_layout.json"
SAME = 150  # equal last letters and digits make a library record the same recipe as an export's
FOUND = 0.9  # share of the export's ingredient lines that a library record must have to be compared

DEFINITIONS = {
    "known": "exports with at least two ingredient lines in Meal-Master's columns; others were pasted as text",
    "recurring": f"exports whose last {SAME} letters and digits end a record of the library, too",
    "pairs": "known, recurring exports, each with the first such library record that has at least "
    f"{FOUND:.0%} of its ingredient lines (compared by letters and digits)",
    "reworded": "known, recurring exports of which no library record has as many of the lines",
    "exact": "percent of records where the lines that the parser takes for the ingredient block are those of the "
    "layout; rules and signatures (people, mail boxes, shows) count on neither side",
    "within_one": "percent of records where at most one line is taken or left wrongly",
    "line_recall": "percent of the layout's ingredient lines that are taken",
    "line_precision": "percent of the lines taken that are the layout's ingredient lines",
    "exact_with_signatures": "as exact, but signatures count like every other line",
    "within_one_with_signatures": "as within_one, but signatures count like every other line",
    "encodings": "records with bytes above 0x7f, by the code page that the evidence chose",
}

_COLUMN = re.compile(r"(?=.{7} )[ \d/.,]{7} (?:[A-Za-z][A-Za-z. ]|  ) \S")
_RIGHT_AMOUNT = re.compile(r".{39}  (?=.{7} )[ \d/.,]{6}\d (?:[A-Za-z][A-Za-z. ]|  ) \S")
_RULE = re.compile(r"\s*(?:MMMMM)?-{4,}.*-{4,}\s*$")
_LAST_FIELD = re.compile(r"[ \t]*(?:yield|servings)[ \t]*:[^\n]*\n", re.IGNORECASE)


@dataclass(frozen=True)
class Export:
    """A recipe of an untouched dump: what its columns say."""

    place: str  # file:offset
    block: list[str]  # as the library's tool wrote it: the right column first, no indentation, rules in between
    directions: list[str]
    ending: str  # its last letters and digits

    @property
    def ingredients(self) -> list[str]:
        return [line for line in self.block if not _RULE.match(line)]


@dataclass
class Score:
    """Records compared, and how many agreed."""

    records: int = 0
    exact: int = 0
    within_one: int = 0
    exact_with_signatures: int = 0
    within_one_with_signatures: int = 0
    lines: int = 0
    taken: int = 0
    right: int = 0
    failures: list[tuple[str, list[str], set[int], set[int]]] = field(default_factory=list)

    def add(self, place: str, lines: list[str], wanted: set[int]) -> None:
        """Compare the lines that the parser takes with the wanted ones; both are positions in ``lines``."""
        kinds = [line.kind for line in read_block(lines)]
        taken = {
            position
            for position, kind in enumerate(kinds)
            if kind not in ("blank", "text") and not _RULE.match(lines[position])
        }
        differing = taken ^ wanted
        self.records += 1
        self.exact_with_signatures += not differing
        self.within_one_with_signatures += len(differing) <= 1
        signed = {position for position in taken | wanted if is_signature(lines[position])}
        taken, wanted, differing = taken - signed, wanted - signed, differing - signed
        self.exact += not differing
        self.within_one += len(differing) <= 1
        self.lines += len(wanted)
        self.taken += len(taken)
        self.right += len(taken & wanted)
        if differing:
            self.failures.append((place, lines, taken, wanted))

    def figures(self) -> dict[str, float]:
        names = ("exact", "within_one", "exact_with_signatures", "within_one_with_signatures")
        shares = {name: round(100 * getattr(self, name) / max(self.records, 1), 2) for name in names}
        return {
            "records": self.records,
            **shares,
            "ingredient_lines": self.lines,
            "line_recall": round(100 * self.right / max(self.lines, 1), 2),
            "line_precision": round(100 * self.right / max(self.taken, 1), 2),
        }


def letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))


def ending(text: str) -> str:
    """The last letters and digits of a record; of a shorter one "", which equals no other's."""
    found = letters(text[-3 * SAME :])[-SAME:]
    if len(found) < SAME:
        found = letters(text)[-SAME:]
    return found if len(found) == SAME else ""


def flatten(body: list[str]) -> tuple[list[str], list[str]]:
    """Block and directions of an export as the library has them: stripped, the right column before the left one."""
    paired = any(map(_RIGHT_AMOUNT.match, body))  # else what stands at the right is a signature
    block: list[str] = []
    left: list[str] = []
    right: list[str] = []
    for position, line in enumerate(body):
        if _RULE.match(line):
            block, left, right = [*block, *right, *left, line.strip()], [], []
        elif paired and line[39:41] == "  " and _COLUMN.match(line[41:]):
            right.append(line[41:].strip())
            left += [line[:41].strip()] if line[:41].strip() else []
        elif _COLUMN.match(line):
            left.append(line.strip())
        elif line.strip():
            return [*block, *right, *left], [line.strip() for line in body[position:]]
    return [*block, *right, *left], []


def records(pattern: str) -> Iterator[tuple[str, RawRecord]]:
    for path in expand([pattern]).paths:
        _dump, stream = streams.open_dump(path)
        with stream:
            for record in split_records(stream):
                yield f"{Path(path).name}:{record.offset}", record


def read_exports(pattern: str) -> list[Export]:
    exports = []
    for place, record in records(pattern):
        text, _ = decode(record.body)
        block, directions = flatten(_LAST_FIELD.split(text, maxsplit=1)[-1].split("\n"))
        exports.append(Export(place, block, directions, ending(text)))
    return exports


def positions(lines: Sequence[str], ingredients: Sequence[str]) -> set[int]:
    """Where the ingredient lines of an export stand in a library record's lines, each used once."""
    left = Counter(map(letters, ingredients))
    found = set()
    for position, line in enumerate(lines):
        name = letters(line)
        if name and left[name] > 0 and not _RULE.match(line):
            left[name] -= 1
            found.add(position)
    return found


def measure_exports(exports: Sequence[Export]) -> Score:
    score = Score()
    for export in exports:
        lines = export.block + export.directions
        wanted = {place for place, line in enumerate(export.block) if not _RULE.match(line)}
        score.add(export.place, lines, wanted)
    return score


def measure_library(pattern: str, exports: Sequence[Export]) -> tuple[Score, dict[str, int], Counter[str]]:
    """Compare the library's records that are exports, too; count all records' encodings."""
    by_ending: dict[str, list[Export]] = {}
    for export in exports:
        by_ending.setdefault(export.ending, []).append(export)
    score, encodings = Score(), Counter[str]()
    recurring: set[str] = set()
    compared: set[str] = set()
    for place, record in records(pattern):
        text, encoding = decode(record.body)
        encodings[encoding] += 1
        for export in by_ending.get(ending(text) or "none", ()):
            recurring.add(export.place)
            if export.place in compared or len(export.ingredients) < 2:
                continue
            lines = [line.strip() for line in split_fields(text.split("\n"))[1]]
            wanted = positions(lines, export.ingredients)
            if len(wanted) >= FOUND * len(export.ingredients):
                compared.add(export.place)
                score.add(place, lines, wanted)
    known = {export.place for export in exports if len(export.ingredients) > 1}
    counts = {
        "recurring": len(recurring),
        "pairs": len(compared),
        "reworded": len((recurring & known) - compared),
    }
    return score, counts, encodings


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--raw", required=True, help="glob of the untouched exports")
    parser.add_argument("--library", required=True, help="glob of the flattened library")
    parser.add_argument("--results", type=Path, default=RESULTS)
    options = parser.parse_args()
    begun = time.process_time()
    exports = read_exports(options.raw)
    known = [export for export in exports if len(export.ingredients) > 1]
    library, counts, encodings = measure_library(options.library, exports)
    wide = {name: number for name, number in sorted(encodings.items()) if name != "ascii"}
    results: dict[str, Any] = {
        "definitions": DEFINITIONS,
        "exports": len(exports),
        "known": len(known),
        "flattened_exports": measure_exports(known).figures(),
        **counts,
        "library_pairs": library.figures(),
        "library_records": encodings.total(),
        "with_high_bytes": sum(wide.values()),
        "encodings": wide,
        "cpu_seconds": round(time.process_time() - begun, 1),
    }
    write(options.results, results)
    print(json.dumps({key: value for key, value in results.items() if key != "definitions"}, indent=1))


if __name__ == "__main__":
    main()
