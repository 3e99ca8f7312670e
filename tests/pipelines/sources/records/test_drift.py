"""What changed of a table's columns between two nights is found by a sample of its rows, and told by name."""

from __future__ import annotations

import csv
import itertools
import json
import random
from collections.abc import Callable
from dataclasses import asdict
from math import comb
from pathlib import Path
from typing import Any

import pytest

from pipelines.sources.records.findings import drift
from pipelines.sources.records.findings.drift import KIND, MISSING, NEW, RENAMED, Drift, Sample
from pipelines.sources.records.findings.kinds import kind_of
from pipelines.sources.records.mapping import parse_mapping

Cells = dict[str, Any]
MAPPING = {
    "id": "sku",
    "goal": "sort",
    "text": "said",
    "columns": {"price": "number", "colour": {"kind": "value", "was": ["color"]}, "note": "ignored"},
}


def rows(count: int = 800) -> list[Cells]:
    chance = random.Random(3)
    return [
        {
            "sku": f"s{number}",
            "sort": "lamp",
            "price": f"{chance.randint(1, 900)} EUR",
            "colour": chance.choice(["red", "sea green", "oak"]),
            "in_stock": chance.choice(["yes", "no"]),
            "note": "",
        }
        for number in range(count)
    ]


def sample(folder: Path, found: list[Cells], mapping: dict[str, Any] = MAPPING) -> Sample:
    with (folder / "t.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(found[0]))
        writer.writeheader()
        writer.writerows(found)
    return drift.sample([str(folder / "t.csv")], parse_mapping(mapping, "mapping"))


def told(folder: Path, change: Callable[[Cells], Cells], mapping: dict[str, Any] = MAPPING) -> list[Drift]:
    """What is told where 8 rows are gone, 8 others are new, and ``change`` is made to each row."""
    before = sample(folder, rows()[:-8], mapping)
    kept = Sample(**json.loads(json.dumps(asdict(before))))  # as the night's record holds it
    now = sample(folder, [change(row) for row in reversed(rows()[8:])], mapping)
    return drift.compare(kept, now, parse_mapping(mapping, "mapping"))


def renamed(old: str, new: str) -> Callable[[Cells], Cells]:
    return lambda row: {new if name == old else name: cell for name, cell in row.items()}


def test_other_rows_in_another_order_are_no_drift(tmp_path: Path) -> None:
    assert told(tmp_path, lambda row: row) == []
    assert len(sample(tmp_path, rows()).rows) == drift.ROWS < len(rows())


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (
            renamed("price", "price_eur"),
            Drift("price", RENAMED, "The column 'price' is now called 'price_eur': their values are equal in 100% of "
                  "the rows. Write `was: [price_eur]` next to 'price' in the mapping and train again, or rename it in "
                  "the table."),
        ),
        (
            renamed("colour", "color"),
            Drift("colour", RENAMED, "The column 'colour' is now called 'color': their values are equal in 100% of the "
                  "rows. The mapping reads both."),
        ),
        (
            renamed("in_stock", "stock"),
            Drift("in_stock", RENAMED, "The column 'in_stock' is now called 'stock': their values are equal in 100% of "
                  "the rows. The mapping reads neither."),
        ),
        (
            lambda row: {**row, "gift": "yes"},
            Drift("gift", NEW, "The column 'gift' is new; the mapping does not read it, so no text says it."),
        ),
        (
            lambda row: {name: cell for name, cell in row.items() if name != "in_stock"},
            Drift("in_stock", MISSING, "The column 'in_stock' is missing, which the table had in the run before."),
        ),
        (
            lambda row: {**row, "price": "on request"},
            Drift("price", KIND, "The column 'price' changed its kind: numbers were 100% of its cells and are 0%; "
                  "words were 0% and are 100%, such as 'on request'."),
        ),
        (
            lambda row: {**row, "colour": ""},
            Drift("colour", KIND, "The column 'colour' changed its kind: words were 100% of its cells and are 0%; "
                  "empty were 0% and are 100%."),
        ),
    ],
)  # fmt: skip
def test_each_change_is_told_by_name(change: Callable[[Cells], Cells], found: Drift, tmp_path: Path) -> None:
    assert told(tmp_path, change) == [found]


def with_words(words: int, count: int) -> Sample:
    """A sample whose column 'price' has so many words, and else numbers."""
    kinds, examples = {"words": words, "numbers": count - words}, {"words": "on request", "numbers": "12"}
    return Sample(values={"price": []}, kinds={"price": kinds}, examples={"price": examples})


def is_drift(before: int, now: int, count: int) -> bool:
    mapping = parse_mapping(MAPPING, "mapping")
    return bool(drift.compare(with_words(before, count), with_words(now, count), mapping))


@pytest.mark.parametrize(
    ("before", "now", "count", "found"),
    [
        (0, 1, 6, False),  # one row of six
        (0, 5, 6, False),  # p = 0.015
        (0, 6, 6, True),  # p = 0.002
        (0, 4, 4, False),  # p = 0.029
        (0, 6, 20, False),  # p = 0.020
        (0, 7, 20, True),  # p = 0.008
        (0, 2, 20, False),
        (0, 49, 500, False),  # less than a tenth
    ],
)
def test_a_small_table_needs_evidence(before: int, now: int, count: int, found: bool) -> None:
    assert (is_drift(before, now, count), is_drift(now, before, count)) == (found, found)


def test_in_a_large_table_each_tenth_is_drift() -> None:
    assert all(is_drift(before, before + 50, 500) for before in range(0, 451, 10))
    assert all(is_drift(before, before + 36, 360) for before in range(0, 325, 9))


@pytest.mark.parametrize("share", [0.05, 0.3, 0.5, 0.9])
@pytest.mark.parametrize("count", [6, 20, 40])
def test_one_source_is_seldom_drift(count: int, share: float) -> None:
    """The error rate, over all pairs of samples, is at most what the page states."""
    odds = [comb(count, words) * share**words * (1 - share) ** (count - words) for words in range(count + 1)]
    pairs = itertools.product(range(count + 1), repeat=2)
    wrong = sum(odds[before] * odds[now] for before, now in pairs if is_drift(before, now, count))
    assert wrong <= 0.01


def test_columns_with_few_values_are_not_renamed(tmp_path: Path) -> None:
    chance = random.Random(9)

    def change(row: Cells) -> Cells:
        return {name: cell for name, cell in row.items() if name != "in_stock"} | {"gift": chance.choice(["yes", "no"])}

    assert [(one.column, one.change) for one in told(tmp_path, change)] == [("in_stock", MISSING), ("gift", NEW)]


@pytest.mark.parametrize(
    ("cell", "kind"),
    [
        ("12", "numbers"), ("EUR 12.50", "numbers"), ("ca. 17½ kg", "numbers"), (3.5, "numbers"),
        ("007", "codes of digits"), ("yes", "yes/no"), (False, "yes/no"), ("Heron 300", "words"),
        ("oak; steel", "lists"), (["oak", "steel"], "lists"),
        ("A lamp for the desk that can be dimmed.", "whole texts"), ("", "empty"), (None, "empty"), ("n/a", "empty"),
        ({"a": 1}, "words"),
    ],
)  # fmt: skip
def test_the_kind_of_a_cell(cell: Any, kind: str) -> None:
    assert kind_of(cell, "column", {"n/a"})[0] == kind
