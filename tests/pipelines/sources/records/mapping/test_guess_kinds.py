"""The kinds, units and separators of columns are guessed from names, cells and texts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from cases import cases

from pipelines.sources.records.findings.guess import guess, write_guess
from pipelines.sources.records.mapping import parse_mapping
from schemas.errors import UserError


@cases
def test_units_of_names_and_cells_are_guessed(name: str, cell: str, unit: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(f"name;{name}\n" + "".join(f"Nr {i} x;{cell}\n" for i in range(8)))
    column = guess([str(tmp_path / "t.csv")])["columns"][name]
    assert column == ({"kind": "number", "unit": unit} if unit else "number")


def test_words_that_say_nothing_are_no_keywords(tmp_path: Path) -> None:
    rows = []
    for i in range(40):
        lid = "It comes with a lid." if i % 2 else "An open vessel."
        sort, price = ["mug", "bowl"][i % 3 % 2], f"{i + 12}.50"
        text = f"Meet {sort} Nr {i}: it costs {price} and we like it. {lid}"
        rows.append({"name": f"Nr {i}", "sort": sort, "Deckel": "x" if i % 2 else "", "price": price, "text": text})
    (tmp_path / "mugs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    columns = guess([str(tmp_path / "mugs.jsonl")])["columns"]
    assert columns["Deckel"] == {"kind": "yes/no", "also": ["comes", "lid"]}  # neither "a" nor "with"
    assert columns["price"] == "number"  # and no "and"


def test_a_guess_names_kinds_units_and_separators(tmp_path: Path) -> None:
    path = tmp_path / "shop.csv"
    texts = "it is a thing that we like for many reasons , and more than one"
    rows = [
        f"{i};{'lamp' if i % 2 else 'mug'};Nr {i} x;{i}.50;{i} kg;red, {'blue' if i % 3 else 'grey'};"
        f"{'yes' if i % 5 else 'no'};{texts};"
        for i in range(40)
    ]
    path.write_text("code;Type;name;price (EUR);weight;colours;safe;text;empty\n" + "\n".join(rows))
    assert guess([str(path)]) == {
        "id": "code",
        "goal": "Type",
        "text": "text",
        "columns": {
            "name": "value",
            "price (EUR)": {"kind": "number", "unit": "EUR"},
            "weight": {"kind": "number", "unit": "kg"},
            "colours": {"kind": "list", "separator": ","},
            "safe": "yes/no",
            "empty": "ignored",
        },
    }
    written = write_guess([str(path)])
    assert parse_mapping(yaml.safe_load(written), "m.yaml").text == "text"
    path.write_text('{"a": ["x"], "b": 3}\n{"a": ["y", "z"], "b": 4.5}\n')
    assert guess([str(path)]) == {"columns": {"a": "list", "b": "number"}}
    assert "goal:   # which" in write_guess([str(path)])
    path.write_text("")
    with pytest.raises(UserError, match="is empty"):
        guess([str(path)])


def test_ids_of_which_a_few_are_double_or_empty(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    skus = [*(f"L-{i}" for i in range(30)), "L-7", ""]
    rows = "".join(f"{sku};{['lamp', 'mug'][i % 2]};Nr {i} x\n" for i, sku in enumerate(skus))
    (tmp_path / "t.csv").write_text(f"SKU;Type;name\n{rows}")
    assert guess([str(tmp_path / "t.csv")])["id"] == "SKU"
    said = " ".join(capsys.readouterr().err.split())
    assert "The id's column 'SKU' is empty in 1 row, which can't be used. Fill it." in said
    assert "The id's column 'SKU' has 1 id in several rows, such as 'L-7'. Give each row its own." in said


def test_a_note_below_the_rows_hides_no_id(tmp_path: Path) -> None:
    rows = "".join(f"P-{i};Nr {i} x;{['lamp', 'mug'][i % 2]}\n" for i in range(30))
    (tmp_path / "t.csv").write_text(f"Art. No.;name;Type\n{rows}Prices include VAT;;\n")
    assert guess([str(tmp_path / "t.csv")])["id"] == "Art. No."


def test_dates_are_no_lists_and_marks_are_flags(tmp_path: Path) -> None:
    rows = "".join(f"Nr {i};{i % 28 + 1:02}/{i % 12 + 1:02}/2025;{'x' if i % 3 else ''};ok\n" for i in range(40))
    (tmp_path / "t.csv").write_text(f"name;since;washable;state\n{rows}")
    found = guess([str(tmp_path / "t.csv")])["columns"]
    assert found == {"name": "value", "since": "value", "washable": "yes/no", "state": "ignored"}


def test_lines_of_a_cell_are_a_list(tmp_path: Path) -> None:
    woods, sorts = ("oak", "ash", "elm", "oak"), ("lamp", "mug")
    rows = [
        f'c{i},{sorts[i % 2]},"{woods[i % 3]}\n{woods[i % 3 + 1]}",'
        f"The {sorts[i % 2]} {i} is made of {woods[i % 3]} and of {woods[i % 3 + 1]}"
        for i in range(40)
    ]
    path = tmp_path / "t.csv"
    path.write_text("sku,sort,woods,text\n" + "\n".join(rows))
    assert guess([str(path)])["columns"] == {"woods": {"kind": "list", "separator": "\n"}}
    woods_in_mapping = parse_mapping(yaml.safe_load(write_guess([str(path)])), "m.yaml").columns[0]
    assert woods_in_mapping.separator == "\n"
