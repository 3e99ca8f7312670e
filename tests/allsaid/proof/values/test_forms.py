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
    "watering": "{kind: number, unit: days}",
}


def test_the_page_has_examples() -> None:
    assert len(EXAMPLES) == 33


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


def test_a_shop_needs_the_first_mapping_of_its_page() -> None:
    page = (ROOT / "docs" / "mapping.md").read_text(encoding="utf-8")
    assert page.index("```yaml") < page.index("## ")
    mapping = read_mapping(page.partition("```yaml\n")[2].partition("```")[0], "m.yaml")
    row = ["colour=grey", "weight=1150 g", "pieces=112 pieces", "wicks=1", "washable=no"]
    known = facts.inventory_of({"colour": ["grey"], "washable": ["no", "yes"]}, mapping)
    for said in ("spot clean only", "no laundry, please", "not washable"):
        text = facts.text_of(f"It is anthracite, has a lone wick and 112 parts and weighs 1.15 kg: {said}.", mapping)
        assert measure_values(text, facts.facts_of(row, mapping), known).findings == ()
    text = facts.text_of("It has 1,150 parts.", mapping)
    assert measure_values(text, facts.facts_of(["weight=1150 g"], mapping), known).given == [False]
