"""Sentences of four trades, judged by hand, right and wrong ones: the proof flags the wrong ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from allsaid.proof.coverage import Coverage
from allsaid.proof.values.matching import measure_values
from batch_infer.rows import facts
from pipelines.sources.records.mapping import parse_mapping
from pipelines.sources.records.mapping_keys import YES_NO
from schemas.texts.finding import LOOK, MISSING

TRADES = yaml.safe_load((Path(__file__).parent / "judged_trades.yaml").read_text(encoding="utf-8"))["trades"]
WEAK = yaml.safe_load((Path(__file__).parent / "judged_weak.yaml").read_text(encoding="utf-8"))
CASES = [(trade, case) for trade, one in TRADES.items() for case in one["cases"]]


@pytest.mark.parametrize(("trade", "case"), CASES, ids=lambda one: one["text"] if isinstance(one, dict) else one)
def test_a_sentence_is_flagged_if_it_is_wrong(trade: str, case: dict[str, Any]) -> None:
    check(TRADES[trade], case)


@pytest.mark.parametrize("case", WEAK["cases"], ids=lambda one: one["text"])
def test_weak_evidence_covers_a_value(case: dict[str, Any]) -> None:
    check(WEAK, case)


def test_weak_evidence_yields_to_another_value_of_its_column() -> None:
    found = proven(TRADES["treehouses"], ["ladders=2 ladders"], "It was built for two. It has five ladders.")
    assert found.given == [False]
    assert [finding.line for finding in found.findings] == ["five ladders", "ladders=2 ladders"]


def test_the_unit_of_another_number_is_no_part_of_a_value() -> None:
    found = proven(TRADES["treehouses"], ["ladders=2 ladders"], "There are 3 wooden ladders.")
    assert [(finding.grade, finding.line) for finding in found.findings] == [
        (LOOK, "3"),
        (MISSING, "ladders=2 ladders"),
    ]


def check(own: dict[str, Any], case: dict[str, Any]) -> None:
    found = proven(own, case["row"], case["text"])
    assert (not found.findings) is case.get("rule", case["right"]), found.findings
    if grade := case.get("grade"):  # of a wrong sentence whose value would be missing without its rule, too
        assert grade in [finding.grade for finding in found.findings], found.findings


def proven(own: dict[str, Any], row: list[str], text: str) -> Coverage:
    mapping = parse_mapping({"goal": "kind", "text": "text", "language": "en", "columns": own["columns"]}, "mapping")
    answers = {column.name: ["no", "yes"] for column in mapping.columns if column.kind == YES_NO}
    known = facts.inventory_of(own["known"] | answers, mapping)
    return measure_values(facts.text_of(text, mapping), facts.facts_of(row, mapping), known)
