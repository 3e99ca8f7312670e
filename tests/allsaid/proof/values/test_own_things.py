"""What readers bring, pay for or may do says nothing about other things of the same sentence."""

from __future__ import annotations

from cases import cases

from allsaid.proof.values.matching import measure_values
from batch_infer.rows import facts
from pipelines.sources.records.mapping import parse_mapping
from schemas.texts.finding import WRONG


@cases
def test_only_the_thing_itself_is_denied(line: str, text: str, is_wrong: bool) -> None:
    name = line.partition("=")[0]
    mapping = parse_mapping({"goal": "kind", "language": "en", "columns": {name: "yes/no"}}, "mapping")
    known = facts.inventory_of({name: ["yes", "no"]}, mapping)
    found = measure_values(facts.text_of(text, mapping), facts.facts_of([line], mapping), known)
    assert any(finding.grade == WRONG and finding.column == name for finding in found.findings) is is_wrong
