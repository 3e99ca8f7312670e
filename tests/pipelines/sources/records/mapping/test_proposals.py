"""Other words for values are proposed from texts whose value is not found."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from pipelines.sources.records.findings.guess import write_guess
from pipelines.sources.records.findings.proposals import Proposal, comments, propose
from pipelines.sources.records.mapping import parse_mapping
from pipelines.sources.records.supervision import Record, values_of_row
from schemas.act import Slot

MAPPING = parse_mapping({"goal": "kind", "text": "about", "columns": {"name": "value", "price": "value"}}, "m")
NAMES = ("Heron", "Wren", "Robin", "Crane", "Egret", "Finch")


def record(name: str, price: str, text: str) -> Record:
    return Record(name, "tent", text, values_of_row({"name": name, "price": price}, MAPPING))


@pytest.fixture
def records() -> list[Record]:
    cheap = [record(name, "cheap", f"{name} is an inexpensive tent.") for name in NAMES]
    dear = [record(name, "dear", f"{name} is a dear tent.") for name in NAMES]
    return cheap + dear * 4


def test_a_phrase_of_texts_without_the_value_is_proposed(records: list[Record]) -> None:
    assert propose(records, MAPPING) == [
        Proposal(Slot("price", "cheap"), "inexpensive", 6, 0, 6, "Heron is an inexpensive tent.")
    ]


def test_a_phrase_of_other_rows_is_not_proposed(records: list[Record]) -> None:
    others = [record(name, "dear", f"{name}, dear, is no inexpensive tent.") for name in NAMES]
    assert propose(records + others, MAPPING) == []


@pytest.mark.parametrize("word", ["you", "they", "without", "not", "wir", "auch", "nous"])
def test_a_word_that_says_nothing_is_not_proposed(word: str, records: list[Record]) -> None:
    cheap = [record(name, "cheap", f"{name} , {word} .") for name in NAMES]
    assert propose(cheap + records[6:], MAPPING) == []
    cheap = [record(name, "cheap", f"{name} , {word} frills .") for name in NAMES]
    assert [one.phrase.split()[-1] for one in propose(cheap + records[6:], MAPPING)] == ["frills"]


def test_proposals_are_comments_with_their_evidence(records: list[Record]) -> None:
    written = comments(propose(records, MAPPING))
    assert all(line.startswith("#") for line in written.splitlines())
    assert "price: {said: {cheap: [inexpensive]}}" in written
    assert "in 6 of 6 texts without the value, and in 0 of other rows" in written
    assert comments([]) == ""


def test_a_guess_ends_with_proposals(records: list[Record], tmp_path: Path) -> None:
    table = tmp_path / "tents.csv"
    with table.open("w", newline="") as file:
        write = csv.writer(file).writerow
        write(["nr", "kind", "name", "price", "about"])
        for number, one in enumerate(records[:6] * 3 + records[6:] * 2):
            text = f"{one.text} It stands in our shop until spring, at number {number}."
            write([number, ("tent", "tarp")[number % 2], one.id, one.values[1].slot.value, text])
    assert "#   price: {said: {cheap: [inexpensive]}}" in write_guess([str(table)])
