"""Cells -> values: numbers with their units, yes and no, empty markers, and the forms in which a text names them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from cases import cases
from small_table import MAPPING, ROWS, as_csv, ingest, kept

from allsaid.language.numbers import Amount, read_amount
from pipelines.linking.delex import relexicalise
from pipelines.source import KeptRecord, Result
from pipelines.sources.records.mapping import Column
from pipelines.sources.records.values import forms_of, spellings, values_of
from schemas.act import Slot
from schemas.runs.rejected import Rejected


def test_spellings_of_numbers() -> None:
    assert set(spellings(amount("1299.9"))) == {
        front + mark + end
        for mark, fronts in ((".", ("1299", "1,299", "1 299", "1'299")), (",", ("1299", "1.299", "1 299", "1'299")))
        for front in fronts
        for end in ("9", "90")
    }
    assert {"5", "5.00", "5,00"} <= set(spellings(amount("5.00")))
    assert {"19.0", "19,0", "19.00"} <= set(spellings(amount("19")))
    for written, found in (("1.234.567", "1234567"), ("1.234,50", "1234.5"), ("1,234", "1234"), ("1 234", "1'234")):
        assert found in spellings(amount(written))
    assert "-3" in spellings(amount("-3.0")) and "0.5" in spellings(amount(".5"))
    assert {"17½", "17.5", "17,5", "17 1/2", "17-1/2"} <= set(spellings(amount("17.50")))
    assert {"½", "0.5", "1/2"} <= set(spellings(amount("1/2"))) and "1 1/3" in spellings(amount("1⅓"))
    assert "1,000" in spellings(amount("1e3"))


@cases
def test_a_list_shows_its_separator(cell: str, elements: list[str]) -> None:
    assert [one.slot.value for one in values_of(Column("wood", "list"), cell, ())] == elements


def amount(cell: str) -> Amount:
    found = read_amount(cell)
    assert found is not None
    return found


@cases
def test_the_number_of_a_cell(cell: str, number: str, unit: str) -> None:
    assert (f"{amount(cell).number:f}", amount(cell).unit) == (number, unit)


@pytest.mark.parametrize(
    "cell", ["", "cheap", "8-10 hour", "from 499 to 599", "30 x 20 x 2 inch", "M8", "1.2.3", "24/7", "2020-01-05"]
)
def test_what_is_not_one_number(cell: str) -> None:
    assert read_amount(cell) is None


def test_numbers_and_units() -> None:
    price = Column("price", "number", unit="EUR", also=("€",))
    for cell, written in (("12", "12 EUR"), ("12 USD", "12 USD"), ("ca. 12", "ca. 12 EUR"), ("€12", "€12")):
        assert [(one.slot, one.finding) for one in values_of(price, cell, ())] == [(Slot("price", written), "")]
    assert [(one.slot.value, one.finding) for one in values_of(price, "None", ())] == [("None", "not_a_number")]
    forms = forms_of(price, "12 eur")
    assert forms[0] == ("12", "eur")
    assert {("12eur",), ("€", "12"), ("12", "€"), ("eur", "12"), ("12.00", "eur")} - set(forms) <= {("12.00", "eur")}
    assert ("12",) not in forms and ("12", "usd") not in forms
    assert ("12", "€") not in forms_of(price, "12 usd")
    assert ("12",) in forms_of(Column("rooms", "number"), "12")
    assert ("1", "299,5", "€") in forms_of(price, "1299.50 eur")


FLAGGED = [
    ({"price": "from 499 to 599"}, "price=from 499 to 599", "not_a_number price"),
    ({"price": "None"}, "price=None", "not_a_number price"),
    ({"is_waterproof": "a bit"}, "is_waterproof=a bit", "not_yes_or_no is_waterproof"),
]


@pytest.mark.parametrize(("cells", "line", "finding"), FLAGGED)
def test_a_cell_that_its_kind_cant_hold_stays_and_is_flagged(
    tmp_path: Path, cells: dict[str, str], line: str, finding: str
) -> None:
    said = f"It is {next(iter(cells.values()))}, we hear."
    (one,) = ingest(tmp_path, as_csv([{**ROWS[0], **cells, "about": said}]))
    assert isinstance(one, KeptRecord)
    ((example, act, _),) = kept([one])
    assert line in example.agenda
    placeholder = f"SLOT_{next(iter(cells)).upper()}"
    assert example.tokens == ["it", "is", placeholder, ",", "we", "hear", "."]
    assert relexicalise(act.tokens, act.slots, act.exceptions) == act.normalised
    flagged = {name: count for name, count in one.figures.items() if name.startswith("not_")}
    assert flagged == {"not_a_number price": 0, "not_yes_or_no is_waterproof": 0, finding: 1}


PLAIN = ["none", "?", "No", "dont_care", "YES", "SLOT_NAME", "<unk>", "<none>"]


@pytest.mark.parametrize("word", PLAIN)
def test_words_are_special_in_columns_of_yes_and_no_alone(tmp_path: Path, word: str) -> None:
    mapping = {**MAPPING, "missing": []}
    row = {**ROWS[0], "name": word, "is_waterproof": "none", "made of": word, "about": f"Its names: {word}, {word}."}
    ((example, act, _),) = kept(ingest(tmp_path, as_csv([row]), mapping))
    assert example.tokens == ["its", "names", ":", "SLOT_NAME", ",", "SLOT_MADE_OF", "."]
    assert example.agenda_tokens == [["SLOT_NAME"], ["SLOT_PRICE"], ["SLOT_MADE_OF"], ["SLOT_IS_WATERPROOF_NONE"]]
    assert relexicalise(act.tokens, act.slots, act.exceptions) == act.normalised


def test_empty_markers(tmp_path: Path) -> None:
    def rows(name: str, about: str, **change: Any) -> list[Result]:
        mapping = {key: value for key, value in {**MAPPING, **change}.items() if value is not None}
        return ingest(tmp_path, as_csv([{**ROWS[0], "name": name, "about": about}]), mapping)

    for marker in ("", "N/A", "None", "null", "NaN", "TBD", "-", "–", "—", "#N/A", "?"):
        ((example, _, _),) = kept(rows(marker, "A tent.", missing=None))
        assert "SLOT_NAME" not in [token for (token,) in example.agenda_tokens]
        bad, *_ = rows("x", marker, missing=None)
        assert isinstance(bad, Rejected) and bad.reason == "no_text"
    ((example, _, _),) = kept(rows("none", "None.", missing=[]))
    assert example.tokens == ["SLOT_NAME", "."]
    ((example, _, _),) = kept(rows("None", "Nada.", missing=[None, "nada"]))  # YAML reads a bare null as nothing
    assert example.agenda[0] == "name=None"
