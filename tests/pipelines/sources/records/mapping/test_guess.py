"""A guessed mapping is one that the ingest reads well: tables of several trades and languages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from pipelines.source import KeptRecord
from pipelines.sources.records.findings.guess import guess, write_guess
from pipelines.sources.records.source import Records, Settings
from schemas.errors import UserError


def lines(header: str, row: str, count: int = 24, **cycles: list[str]) -> str:
    """A table of ``count`` rows; ``{name}`` in a row is the next element of that cycle, ``{i}`` the row's number."""
    rows = [row.format(i=i, **{name: values[i % len(values)] for name, values in cycles.items()}) for i in range(count)]
    return "\n".join([header, *rows]) + "\n"


FLATS = "".join(
    json.dumps(
        {
            "ref": f"F{i}",
            "type": ["flat", "house"][i % 2],
            "rooms": 2 + i % 4,
            "size": f"{40 + i} m²",
            "rent": ["850", "from 900 to 990", "1,100", "780"][i % 4] if i < 4 else 800 + i,
            "features": [["lift", "cellar"], ["garden"]][i % 2],
            "balcony": i % 3 == 0,
            "agent": {"name": "x"},
            "advert": f"A {['flat', 'house'][i % 2]} with {2 + i % 4} rooms on {40 + i} m², "
            + ["with lift and cellar", "with garden"][i % 2]
            + (" and a balcony" if i % 3 == 0 else "")
            + f", for {800 + i} a month.",
        }
    )
    + "\n"
    for i in range(24)
)
# Name -> the table, and what its guess should be; the values of JSON lines have types.
TRADES: dict[str, tuple[str, dict[str, str]]] = {
    name: (lines(trade["header"], trade["row"], **trade["cycles"]), trade["guess"])
    for name, trade in yaml.safe_load((Path(__file__).parent / "trades.yaml").read_text()).items()
}
TRADES["flats.jsonl"] = (
    FLATS,
    {
        "id": "ref",
        "goal": "type",
        "text": "advert",
        "rooms": "number",
        "size": "number",
        "rent": "number",
        "features": "list",
        "balcony": "yes/no",
        "agent": "ignored",
    },
)


@pytest.mark.parametrize("name", TRADES)
def test_a_guess_is_read_with_nothing_rejected(name: str, tmp_path: Path) -> None:
    table, wanted = TRADES[name]
    (tmp_path / name).write_text(table)
    found = guess([str(tmp_path / name)])
    kinds = {key: kind["kind"] if isinstance(kind, dict) else kind for key, kind in found.pop("columns").items()}
    assert {key: (found | kinds).get(key) for key in wanted} == wanted
    (tmp_path / "m.yaml").write_text(write_guess([str(tmp_path / name)]))
    settings = Settings(mapping=str(tmp_path / "m.yaml"))
    (shard,) = Records().plan([str(tmp_path / name)], settings)
    results = list(Records().read(shard, settings))
    assert len(results) == 24 and all(isinstance(one, KeptRecord) for one in results)
    figures = [one.figures for one in results if isinstance(one, KeptRecord)]
    for key in {key for one in figures for key in one if key.startswith("given ")}:
        column = key.removeprefix("given ")
        assert sum(one.get(f"not_a_number {column}", 0) for one in figures) <= 2, column
        assert not sum(one.get(f"not_yes_or_no {column}", 0) for one in figures), column
        assert sum(one[f"found {column}"] for one in figures) > 0, column


def test_keywords_and_units_are_guessed_from_texts(tmp_path: Path) -> None:
    rows = []
    for i in range(30):
        folding, says, lamp, light = [
            ("yes", "folds", "yes", ", with a light in front"),
            ("no", "never folds", "", ""),
        ][i % 2]
        text = f"The bike Fjord {i} {says}, weighs {i + 9}.5 kilos and is yours for {i + 90} crowns{light}."
        cells = {"folding": folding, "lamp": lamp, "cost": i + 90, "mass (kg)": f"{i + 9},5"}
        rows.append({"name": f"Fjord {i}", "sort": "bike", **cells, "text": text})
    (tmp_path / "bikes.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    columns = guess([str(tmp_path / "bikes.jsonl")])["columns"]
    assert columns["folding"] == {"kind": "yes/no", "also": ["folds"]}
    assert columns["lamp"]["also"] == ["front", "light"]
    assert columns["mass (kg)"] == {"kind": "number", "unit": "kg", "also": ["kilos"]}
    assert columns["cost"] == "number"


def test_several_tables_are_guessed_together(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(
        lines("nr,kind,name,about", "a{i},oak,Tree {i},The oak Tree {i} stands in a park by it")
    )
    (tmp_path / "b.csv").write_text(
        lines(
            "nr,kind,name,age,about",
            "b{i},elm,Elm {i},{age},The elm Elm {i} is {age} years old and still green",
            age=["90", "80"],
        )
    )
    found = guess([str(tmp_path / "a.csv"), str(tmp_path / "b.csv")])
    assert found == {
        "id": "nr",
        "goal": "kind",
        "text": "about",
        "columns": {"name": "value", "age": {"kind": "number", "optional": True}},
    }


def test_a_goal_by_its_name_may_have_many_values(tmp_path: Path) -> None:
    """A small shop has many kinds of things and few brands."""
    kinds = [f"{what} {of}" for what in ("front", "rear", "frame") for of in ("light", "lock", "bag", "pump", "rack")]
    path = tmp_path / "goods.csv"
    path.write_text(
        lines("no,name,kind,brand", "L-{i},Lumo {i},{kind},{brand}", kind=kinds, brand=["Norrland", "Kettle"])
    )
    assert guess([str(path)])["goal"] == "kind"


def test_a_table_without_goal_or_text_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(lines("name,size", "Tree {i},{i} m"))
    written = write_guess([str(tmp_path / "t.csv")])
    assert "no column has a few values that many rows share" in " ".join(written.replace("#", "").split())
    assert "# No column holds texts" in written and yaml.safe_load(written)["columns"] == {
        "name": "value",
        "size": {"kind": "number", "unit": "m"},
    }


def test_cells_are_cleaned_before_they_are_looked_at(tmp_path: Path) -> None:
    table = lines(
        "no,sort,name,size,note,about",
        "{i},<b>{sort}</b>,{name} &amp; {i},{size},#NAME?,<p>The {sort} &ldquo;{name} &amp; {i}&rdquo; is "
        "<i>{number}</i> cm wide and stands in any room.</p>",
        sort=["shelf", "lamp"],
        name=["Oak", "Ash", "Elm"],
        size=["<span>30</span> cm", "<span>45</span>&nbsp;cm"],
        number=["30", "45"],
    )
    (tmp_path / "shelves.csv").write_text(table)
    found = guess([str(tmp_path / "shelves.csv")])
    assert found["goal"] == "sort" and found["text"] == "about"
    assert found["columns"]["name"] == "value" and found["columns"]["note"] == "ignored"
    assert found["columns"]["size"] == {"kind": "number", "unit": "cm"}


def test_a_damaged_table_beside_good_ones_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name, (table, _) = next(iter(TRADES.items()))
    (tmp_path / name).write_text(table)
    (tmp_path / "a.xlsx").write_bytes(b"PK\x03\x04" + bytes(100))
    alone = guess([str(tmp_path / name)])
    assert guess([str(tmp_path / "a.xlsx"), str(tmp_path / name)]) == alone
    assert "a.xlsx is not a readable .xlsx file" in " ".join(capsys.readouterr().err.split())
    with pytest.raises(UserError, match=r"a\.xlsx is not a readable \.xlsx file"):
        guess([str(tmp_path / "a.xlsx")])


def test_spoilt_cells_of_columns_that_are_left_out_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = lines(
        "nr,sort,EAN,zip,stock,shelf,rack,name,said",
        'a{i},{sort},"{ean}",{zip},{stock},{shelf},<b>rack 7</b>,{name},"{said}"',
        count=40,
        sort=["bench", "stool"],
        ean=["4,00638E+12", "4006381333931"],
        zip=["97001 x", "#N/A"],
        stock=["12001", "10442", "13020", "9400", "11020"],  # numbers, none of which lost a zero
        shelf=["400638133393", "400638133394", "400638133395", "400638133396", "67812345678"],
        name=["Fir", "Elm"],
        said=["The Fir is a bench for four people, and it lasts.", "The Elm is a bench that keeps you warm and dry."],
    )
    (tmp_path / "t.csv").write_text(table)
    kinds = guess([str(tmp_path / "t.csv")])["columns"]
    assert {name for name, kind in kinds.items() if kind == "ignored"} == {"EAN", "zip", "stock", "shelf", "rack"}
    told = " ".join(capsys.readouterr().err.split())
    assert "Column 'EAN': 20 cells with a long number that a spreadsheet has shortened" in told
    assert "Column 'zip': 20 cells with a spreadsheet's error such as #NAME?" in told
    assert "Column 'shelf': 8 cells that may have lost leading zeros" in told
    assert "'stock'" not in told and "'rack'" not in told  # HTML harms nothing there


def test_damaged_cells_are_reported_by_ingest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = lines(
        "nr,sort,name,said",
        'a{i},bench,{name},"The {name} is a bench for four people, and it lasts."',
        name=["4.0E+12", "5.1E+13", "6.2E+14"],
    )
    (tmp_path / "t.csv").write_text(table)
    assert guess([str(tmp_path / "t.csv")])["columns"]["name"] != "ignored"
    assert not capsys.readouterr().err


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        ("de", ["Die Lampe {i} ist rot und steht auf dem Tisch.", "Der Hocker {i} hat ein Bein für das Bad."]),
        ("fr", ["La lampe {i} est rouge, avec une housse.", "Le tabouret {i} est pour les petits et les grands."]),
        (None, ["The lamp {i} is red and stands on the desk.", "La Mancha {i} is the stool for the bath."]),
        (None, ["La lampada {i} è rossa, con una base di legno.", "Lo sgabello {i} è per il bagno della casa."]),
        (None, ["Die Lampe {i} ist rot und klein.", "The lamp {i} is red and small."]),
        (None, ["Lampe {i}, rot, 40 Watt, Made in Germany, neu", "Hocker {i}, blau, 3 kg, Made in Germany, neu"]),
    ],
)
def test_the_language_of_texts_is_guessed(language: str | None, texts: list[str], tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(lines("nr;kind;text", "a{i};{kind};{text}", 24, kind=["x", "y"], text=texts).replace("{i}", "7"))
    assert guess([str(path)]).get("language") == language
    written = write_guess([str(path)])
    assert ("# 24 of 24 texts have more of the commonest words of" in written) is (language is not None)


def test_cells_with_none_are_named(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(
        lines("nr;kind;caffeine;pack", "a{i};{kind};{c};box", 24, kind=["x", "y"], c=["high", "low", "none"])
    )
    written = write_guess([str(path)])
    assert "# 'none' is read as an empty cell: 'caffeine' (8 cells)." in written
