"""Values of records in texts: what is given, what is extra, and which numbers no record supports."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from cases import cases

from allsaid.proof import coverage
from allsaid.proof.coverage import Coverage, Lexicon
from allsaid.proof.values.matching import measure_values
from allsaid.proof.values.measures import is_unsupported_number
from batch_infer.rows import facts
from pipelines.recipes.ingredients import name_words
from pipelines.sources.records.mapping import load_mapping, read_mapping

ROOT = Path(__file__).resolve().parents[4]
JUDGED: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "judged_coverage.yaml").read_text())


def measured(of: str, record: list[str], text: str) -> Coverage:
    known = JUDGED["known"][of]
    if of == "recipes":
        return coverage.measure(text.split(), [name_words(line) for line in record], Lexicon(dict.fromkeys(known, 20)))
    mapping = load_mapping(str(ROOT / "samples" / "products.yaml")) if of == "products" else None
    words = facts.text_of(text, mapping)
    return measure_values(words, facts.facts_of(record, mapping), facts.inventory_of(known, mapping))


@pytest.mark.parametrize("case", JUDGED["cases"], ids=lambda case: case["why"])
def test_texts_that_were_judged_by_hand(case: dict[str, Any]) -> None:
    found = measured(case["of"], case["record"], case["text"])
    given = [line for line, is_given in zip(case["record"], found.given, strict=True) if is_given]
    assert (given, found.extra) == (case["given"], case["extra"])


def test_forty_texts_are_judged() -> None:
    assert len(JUDGED["cases"]) == 40


@cases
def test_a_number_is_supported_by_the_line_that_holds_it(word: str, unsupported: bool) -> None:
    agenda = ["size=12 mm", "weight=1000", "price=8.50 EUR", "name"]
    assert is_unsupported_number(word, agenda) is unsupported


KINDS = "price: {kind: number, unit: EUR, also: [€]}, weight: number, size: number, old: yes/no, memory: value"
VERBATIM = [
    "price=1 299,99 €",
    "price=1.299,99 €",
    "price=EUR 20,-",
    "weight=17½ kg",
    "weight=ca. 2 kg",
    "weight=12 m2",
    "size=from 499 to 599",
    "size=30 x 20 x 2 inch",
    "size=-40 °C",
    "size=1 1/2 in.",
    "size=8-10 hour",
    "old=maybe",
    "memory=none",
    "memory=No",
    "memory=SLOT_SIZE",
]


@pytest.mark.parametrize("line", VERBATIM)
def test_exact_values_are_given_and_not_extra(line: str) -> None:
    mapping = read_mapping(f"{{goal: a, text: b, missing: [], columns: {{{KINDS}}}}}", "m.yaml")
    text = facts.text_of(f"This one here has {line.partition('=')[2]} and is red.", mapping)
    known = facts.inventory_of({"memory": ["none", "none left"], "old": ["no", "yes"]}, mapping)
    found = measure_values(text, facts.facts_of([line], mapping), known)
    assert (found.given, found.extra) == ([True], [])


@cases
def test_a_value_of_two_columns_is_stated_once(record: list[str], text: str, given: list[bool]) -> None:
    columns = "parts: {kind: list, separator: ;}, upper: value, lining: value, beds: number, baths: number"
    mapping = read_mapping(f"{{goal: a, text: b, language: en, columns: {{{columns}}}}}", "m.yaml")
    known = facts.inventory_of({"parts": ["rooibos", "vanilla"], "upper": ["leather"], "lining": ["leather"]}, mapping)
    found = measure_values(facts.text_of(text, mapping), facts.facts_of(record, mapping), known)
    assert found.given == given
