"""Each example of docs/coverage.md: a line of a row, and a text that gives it in another form."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from allsaid.proof.values.matching import measure_values
from batch_infer.rows import facts
from pipelines.sources.records.mapping import read_mapping

ROOT = Path(__file__).resolve().parents[4]
PAGE = (ROOT / "docs" / "coverage.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| [^|`]+ \| ((?:`[^`|]+=[^`|]+`(?:, )?)+) \| `([^`]+)` \|$", re.MULTILINE)
EXAMPLES = [(re.findall("`([^`]+)`", lines), said) for lines, said in ROW.findall(PAGE)]
KINDS = {
    "sizes": "list",
    "genres": "list",
    "price": "{kind: number, unit: EUR}",
    "reduced": "{kind: number, unit: EUR}",
    "weight": "{kind: number, unit: kg}",
    "range": "{kind: number, unit: km}",
    "participants": "number",
    "age": "{kind: number, unit: years}",
}


def test_the_page_has_examples() -> None:
    assert len(EXAMPLES) == 24


@pytest.mark.parametrize(("lines", "said"), EXAMPLES)
def test_the_text_gives_the_line(lines: list[str], said: str) -> None:
    cells = [line.partition("=") for line in lines]
    columns = ", ".join(f"{column}: {KINDS.get(column, 'value')}" for column, _, _ in cells)
    mapping = read_mapping(f"{{goal: a, text: b, columns: {{{columns}}}}}", "m.yaml")
    items = [f"{column}={value}" for column, _, cell in cells for value in cell.split("; ")]
    known = facts.inventory_of({column: cell.split("; ") for column, _, cell in cells}, mapping)
    text = facts.text_of(f"You get {said}.", mapping)
    assert all(measure_values(text, facts.facts_of(items, mapping), known).given)
    other = facts.text_of("You get this one.", mapping)
    assert not any(measure_values(other, facts.facts_of(items, mapping), known).given)
