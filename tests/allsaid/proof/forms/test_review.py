"""The table of clauses that a person reviews: what it shows, and what its marks strike."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest
from small_catalogue import make_text

from allsaid.proof.forms import review
from allsaid.proof.forms.assembly.assemble import Assembler
from allsaid.proof.forms.certificate.attest import Attester
from allsaid.proof.forms.certificate.certify import Certifier
from allsaid.proof.forms.certificate.known_forms import KnownForms
from allsaid.proof.forms.learn import learn
from allsaid.proof.forms.phrasebook import Phrasebook
from schemas.errors import UserError

TEXTS = [
    make_text(f"the NAME is a lamp . {written} .", ("name", "price"))
    for written in ("it costs PRICE", "it costs PRICE", "you get it for PRICE", "the price is PRICE")
]


@pytest.fixture
def book() -> Phrasebook:
    return learn(lambda: TEXTS, {}, "name")


def reviewed(folder: Path, *lines: str) -> str:
    (folder / "reviewed.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(folder / "reviewed.csv")


def test_symbols_are_written_for_people() -> None:
    form = ("never", "in", "the", "dishwasher|SLOT_DISHWASHER_SAFE_NO", "SLOT_MATERIALS+", "GOAL")
    assert review.readable(form) == "never in the {dishwasher_safe=no: dishwasher} {materials+} {goal}"


def test_the_table_has_each_clause_once_and_marks_struck_ones(book: Phrasebook, tmp_path: Path) -> None:
    review.write(tmp_path, book.without([("the", "price", "is", "SLOT_PRICE")]))
    rows = list(csv.reader((tmp_path / review.PHRASEBOOK).open(encoding="utf-8")))
    assert rows == [
        [*review.COLUMNS],
        ["the {name} is a {goal}", "4", "lamp", "the NAME is a lamp.", ""],
        ["it costs {price}", "2", "lamp", "it costs PRICE.", ""],
        ["the price is {price}", "1", "lamp", "the price is PRICE.", "x"],
        ["you get it for {price}", "1", "lamp", "you get it for PRICE.", ""],
    ]
    assert review.read(str(tmp_path / review.PHRASEBOOK), book) == {("the", "price", "is", "SLOT_PRICE")}


def test_no_text_has_a_struck_clause(book: Phrasebook, tmp_path: Path) -> None:
    path = reviewed(tmp_path, "strike;clause", "X;It costs  {price}", ";the price is {price}")
    found = review.strike(book, path)
    assert found.struck == {("it", "costs", "SLOT_PRICE")} and Phrasebook.from_json(found.to_json()) == found
    assert Certifier(book, True).certify(TEXTS[0].tokens, TEXTS[0]).is_certified
    assert not Certifier(found, True).certify(TEXTS[0].tokens, TEXTS[0]).is_certified
    texts = [" ".join(one.tokens) for one in Assembler(Attester(found), None, True).write(TEXTS[0], 9)]
    assert texts and not any("costs" in text for text in texts)


def test_a_struck_clause_is_not_made_of_others_either() -> None:
    made = [make_text(f"the NAME is a lamp . {written} .", ("name", "price", "size")) for written in (
        "it costs PRICE now", "it costs PRICE today", "it has SIZE now", "it has SIZE today")]  # fmt: skip
    book = learn(lambda: made * 2, {}, "name")
    form = ("it", "costs", "SLOT_PRICE", "today")
    lacking = replace(book, sentences=tuple(one for one in book.sentences if one.words[:-1] != form))
    assert KnownForms(lacking).is_known(form) and not KnownForms(lacking.without([form])).is_known(form)


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (("clause,count", "it costs {price},2"), "has no column 'strike'. Give the phrasebook.csv of a run"),
        (
            ("clause,strike", "it costs {price},", "it costs {size},x"),
            "line 3: the phrasebook has no clause 'it costs {siz",
        ),
        (("clause,strike", "it costs {price},yes"), "line 2: 'yes' is under 'strike'. Write x, or nothing"),
    ],
)
def test_a_table_that_strikes_nothing_known(book: Phrasebook, tmp_path: Path, lines: list[str], told: str) -> None:
    with pytest.raises(UserError) as fault:
        review.strike(book, reviewed(tmp_path, *lines))
    assert told in str(fault.value)


def test_files_that_are_none(book: Phrasebook, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="can't be read"):
        review.strike(book, str(tmp_path / "none.csv"))
    (tmp_path / "bytes.csv").write_bytes(b"clause,strike\n\xff,x\n")
    with pytest.raises(UserError, match="is no CSV file in UTF-8"):
        review.strike(book, str(tmp_path / "bytes.csv"))
    with pytest.raises(UserError, match="a model of this data has no phrasebook"):
        review.strike(None, "reviewed.csv")
