"""The border between ingredients and directions is found in exports without line breaks."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

from allsaid.language.code_pages import decode
from pipelines.sources.mealmaster.dump import split_records
from pipelines.sources.mealmaster.layout import split_body

COLUMN = re.compile(r"(?=.{7} )[ \d/.,]{7} (?:[A-Za-z][A-Za-z. ]|  ) \S")
RIGHT_AMOUNT = re.compile(r".{39}  (?=.{7} )[ \d/.,]{6}\d (?:[A-Za-z][A-Za-z. ]|  ) \S")
RULE = re.compile(r"\s*(?:MMMMM)?-{4,}.*-{4,}\s*$")


def flatten(text: str) -> tuple[list[str], int]:
    """The body of an export without its columns, the right one first, and how many lines are ingredients."""
    body = text.partition("Yield:")[2] or text.partition("Servings:")[2]
    lines = body.split("\n")[1:]
    paired = any(map(RIGHT_AMOUNT.match, lines))
    block: list[str] = []
    left: list[str] = []
    right: list[str] = []
    rest: list[str] = []
    for place, line in enumerate(lines):
        if RULE.match(line):
            block, left, right = [*block, *right, *left, line.strip()], [], []
        elif paired and line[39:41] == "  " and COLUMN.match(line[41:]):
            right.append(line[41:].strip())
            left += [line[:41].strip()] if line[:41].strip() else []
        elif COLUMN.match(line):
            left.append(line.strip())
        elif line.strip():
            rest = [line.strip() for line in lines[place:]]
            break
    block = [*block, *right, *left]
    wanted = sum(1 for line in block if not RULE.match(line))
    return block + rest, wanted


@pytest.mark.corpus
def test_the_border_is_found_in_flattened_exports(data_root: Path) -> None:
    differences = []
    for file in sorted((data_root / "mealmaster" / "raw").glob("*.gz")):
        with gzip.open(file, "rb") as stream:
            for record in split_records(stream):  # type: ignore[arg-type]
                flat, wanted = flatten(decode(record.body)[0])
                if wanted > 1:  # else the ingredients were pasted without columns
                    found = sum(1 for line in split_body(flat)[0] if line.kind != "rule")
                    differences.append(abs(found - wanted))
    assert len(differences) > 3800
    assert sum(difference == 0 for difference in differences) >= 0.96 * len(differences)
    assert sum(difference < 2 for difference in differences) >= 0.99 * len(differences)
