"""Whole texts of ten trades, right ones and such with one error: the proof flags the wrong ones alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from allsaid.proof.usage.names import common_in, mentions_of, with_names
from allsaid.proof.values.matching import measure_values, read_values
from allsaid.proof.values.measures import as_measure
from batch_infer.rows import facts
from pipelines.sources.records.mapping import parse_mapping

TRADES: dict[str, Any] = yaml.safe_load((Path(__file__).parent / "judged_texts.yaml").read_text(encoding="utf-8"))[
    "trades"
]


@pytest.mark.parametrize("trade", TRADES)
def test_the_proof_flags_the_wrong_texts(trade: str) -> None:
    columns, rows = TRADES[trade]["columns"], TRADES[trade]["rows"]
    mapping = parse_mapping({"goal": "kind", "text": "text", "language": "en", "columns": columns}, trade)
    known: dict[str, set[str]] = {}
    for slot in (slot for row in rows for slot in facts.agenda_slots(row["row"], mapping)):
        if as_measure(slot.value.split()) is None:
            known.setdefault(slot.slot, set()).add(slot.value)
    values = {column: sorted(values) for column, values in known.items()}
    first, common = facts.inventory_of(values, mapping), common_in(line for row in rows for line in row["row"])
    readings = (
        read_values(facts.text_of(text, mapping), facts.facts_of(row["row"], mapping), first)
        for row in rows
        for text in row.get("right", [])
    )
    mentions = (mention for reading in readings for mention in mentions_of(reading))
    inventory = facts.inventory_of(with_names(values, common, mentions), mapping)
    for row in rows:
        own = facts.facts_of(row["row"], mapping)
        judged = [(text, True) for text in row.get("right", [])] + [(text, False) for text in row.get("wrong", [])]
        judged += [(one["text"], not one["right"]) for one in row.get("missed", [])]
        for text, is_passed in judged:
            found = measure_values(facts.text_of(text, mapping), own, inventory).findings
            assert (not found) is is_passed, (text, found)
