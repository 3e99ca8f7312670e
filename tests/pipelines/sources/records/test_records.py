"""A user's own table: mapping, kinds of files and columns, what becomes of the rows, and what is wrong with some."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from small_table import MAPPING, ROWS, as_csv, ingest, kept

from allsaid.console import UserError
from pipelines.language.delex import relexicalise
from pipelines.source import Kept, Lost, Result
from pipelines.sources.records.findings.guess import guess, write_guess
from pipelines.sources.records.mapping import Column, parse_mapping
from pipelines.sources.records.source import Settings, plan, read
from pipelines.sources.records.values import forms_of, spellings, values_of
from schemas.act import ACT, Slot
from schemas.box import BOX
from schemas.example import EXAMPLE, NEW, USED
from schemas.numbers import Amount, read_amount
from schemas.rejected import Rejected
from schemas.table import to_table

ROOT = Path(__file__).resolve().parents[4]


def test_a_row_becomes_example_act_and_box(tmp_path: Path) -> None:
    data = as_csv(ROWS)
    (example, act, box), (second, second_act, _) = kept(ingest(tmp_path, data))
    assert (example.id, example.goal, example.goal_tokens) == ("7", "Tent", ["tent"])
    assert example.agenda == [
        "name=The Heron", "price=1299.90 EUR", "made of=nylon", "made of=steel", "is_waterproof=yes",
    ]  # fmt: skip
    told = "waterproof , and made of SLOT_MADE_OF_2 and SLOT_MADE_OF : SLOT_NAME costs SLOT_PRICE . waterproof to 2 m !"
    assert example.tokens == told.split()
    assert [(kind, item) for kind, item in zip(example.ref_types, example.ref_items, strict=True) if kind] == [
        (NEW, 4), (NEW, 3), (NEW, 2), (NEW, 0), (NEW, 1), (USED, 4),
    ]  # fmt: skip
    assert example.surface[5:12] == ["steel", "and", "Nylon", ":", "the Heron", "costs", "€ 1,299.90"]
    assert example.text == "Waterproof, and made of steel and Nylon: the Heron costs €1,299.90. Waterproof to 2 m!"
    assert [(one.position, one.written) for one in act.exceptions] == [(11, "€ 1,299.90")]
    assert act.slots[1] == Slot("price", "1299.90 eur")
    assert relexicalise(act.tokens, act.slots, act.exceptions) == act.normalised
    assert data[example.offset :].startswith(b"7,Tent")
    assert data[second.offset :].startswith(b'8,"Lamp')
    assert second.agenda == ['name=Glow "II"', "is_waterproof=no"]
    assert second_act.tokens[3:9] == ["SLOT_NAME", "—", '"', "waterproof", '"', "?"]

    assert box is not None
    assert (box.source_id, box.fields) == ("7", ["name"] * 2 + ["price"] * 2 + ["made of"] * 2 + ["is_waterproof"])
    assert (box.positions, box.ends) == ([1, 2, 1, 2, 1, 2, 1], [2, 1, 2, 1, 2, 1, 1])
    assert box.originals == ["The", "Heron", "1299.90", "EUR", "nylon", "steel", "yes"]
    assert [sentence.originals[0] for sentence in box.sentences] == ["Waterproof", "Waterproof"]
    tables = (to_table([example, second], EXAMPLE), to_table([act, second_act], ACT), to_table([box], BOX))
    assert [table.num_rows for table in tables] == [2, 2, 1]


def test_found_and_given_values_are_counted(tmp_path: Path) -> None:
    first, second = ingest(tmp_path, as_csv(ROWS))
    assert isinstance(first, Kept) and isinstance(second, Kept)
    assert {name: count for name, count in first.figures.items() if " " in name} == {
        "given name": 1, "found name": 1, "given price": 1, "found price": 1, "given made of": 2, "found made of": 2,
        "given is_waterproof": 1, "found is_waterproof": 1, "not_a_number price": 0, "not_yes_or_no is_waterproof": 0,
    }  # fmt: skip
    assert second.figures["given price"] == second.figures["found price"] == 0
    assert first.words["goal"] == ["tent"]


def content(results: list[Result]) -> list[Any]:
    return [(row.tokens, row.ref_types, row.ref_items, row.agenda, row.goal, row.id) for row, _, _ in kept(results)]


def test_every_kind_of_file_tells_the_same(tmp_path: Path) -> None:
    wanted = content(ingest(tmp_path, as_csv(ROWS)))
    for delimiter in ";\t|":
        assert content(ingest(tmp_path, as_csv(ROWS, delimiter, bom=True))) == wanted
    assert content(ingest(tmp_path, as_csv(ROWS, "#"), {**MAPPING, "delimiter": "#"})) == wanted
    assert content(ingest(tmp_path, gzip.compress(as_csv(ROWS)), name="table.csv.gz")) == wanted
    typed = [
        {**ROWS[0], "nr": 7, "price": 1299.9, "made of": ["nylon", "steel"], "is_waterproof": True},
        {**ROWS[1], "nr": 8, "price": None, "made of": [], "is_waterproof": False},
    ]
    lines = "\ufeff" + "".join(f"{json.dumps(row)}\n\n" for row in typed).replace("1299.9,", "1299.90,")
    assert content(ingest(tmp_path, lines.encode())) == wanted
    columns = [{**row, "price": str(row["price"] or "") and "1299.90"} for row in typed]
    pq.write_table(pa.Table.from_pylist(columns), tmp_path / "t.parquet")
    results = ingest(tmp_path, (tmp_path / "t.parquet").read_bytes())
    assert content(results) == wanted
    assert [row.offset for row, _, _ in kept(results)] == [0, 1]


def test_a_table_without_ids(tmp_path: Path) -> None:
    mapping = {key: value for key, value in MAPPING.items() if key != "id"}
    ids = [row.id for row, _, _ in kept(ingest(tmp_path, as_csv([*ROWS, ROWS[0]]), mapping))]
    assert len(set(ids)) == 3 and all(len(one) == 16 for one in ids)
    assert ids == [row.id for row, _, _ in kept(ingest(tmp_path, as_csv([*ROWS, ROWS[0]], "|"), mapping))]


BAD: list[tuple[dict[str, str], str]] = [
    ({"nr": "7"}, "doubled_id"),
    ({"nr": " "}, "no_id"),
    ({"about": "N/A"}, "no_text"),
    ({"about": "..."}, "no_text"),
    ({"about": "word " * 20_000}, "long_text"),
    ({"kind": ""}, "no_goal"),
    ({"name": "x" * 3000}, "long_value"),
    ({"made of": "/".join("abcdefghij" * 11)}, "too_many_slots"),
]


@pytest.mark.parametrize(("cells", "reason"), BAD)
def test_a_bad_row_is_rejected_with_its_place(tmp_path: Path, cells: dict[str, str], reason: str) -> None:
    data = as_csv([ROWS[0], {**ROWS[1], **cells}, {**ROWS[1], "nr": "9"}])
    first, bad, last = ingest(tmp_path, data)
    assert isinstance(first, Kept) and isinstance(last, Kept) and isinstance(bad, Rejected)
    assert (bad.stage, bad.reason) == ("read", reason)
    assert bad.detail.endswith(".") and data[bad.offset :].startswith(bad.head) and bad.head


def test_rows_that_are_no_rows(tmp_path: Path) -> None:
    good = as_csv(ROWS)
    lines = b'9,Tent\r\n\r\n10,Tent,a,b,c,d,e,f,g\r\n11,Tent,"open\r\n'
    results = ingest(
        tmp_path, good + lines + b"x" * 140_000 + b"\r\n" + good.split(b"\r\n", 1)[1].replace(b"7,T", b"12,T")
    )
    reasons = Counter(one.reason for one in results if isinstance(one, Rejected))
    assert reasons == {"ragged_row": 2, "open_quote": 1, "bad_csv": 1, "doubled_id": 1}
    assert [one.rows["examples"][0].id for one in results if isinstance(one, Kept)] == ["7", "8", "12"]

    text = json.dumps(ROWS[0])
    results = ingest(tmp_path, f'{text}\n{{"nr": 1\n[1]\n{"[" * 5000}\n{text.replace("7", "6", 1)}\n'.encode())
    assert [one.reason if isinstance(one, Rejected) else "" for one in results] == [
        "", "bad_json", "not_an_object", "bad_json", "",
    ]  # fmt: skip
    nested = {**ROWS[0], "name": {"first": "x"}, "about": "\ud800 tent"}
    (bad,) = ingest(tmp_path, json.dumps(nested).encode())
    assert isinstance(bad, Rejected) and bad.reason == "bad_value"
    ((example, _, _),) = kept(ingest(tmp_path, json.dumps({**nested, "name": "x"}).encode()))
    assert example.tokens == ["?", "tent"]


def test_other_bytes_are_read_by_evidence(tmp_path: Path) -> None:
    data = as_csv([{**ROWS[0], "name": "Café Größe"}]).decode().encode("cp1252")
    ((example, _, _),) = kept(ingest(tmp_path, data))
    assert example.agenda[0] == "name=Café Größe"


def test_damaged_files(tmp_path: Path) -> None:
    rows = [{**ROWS[0], "nr": str(number), "about": f"a tent {number**7}"} for number in range(3000)]
    packed = gzip.compress(as_csv(rows))
    results = ingest(tmp_path, packed[: len(packed) // 2], name="table.csv.gz")
    assert isinstance(results[-1], Lost) and sum(isinstance(one, Kept) for one in results) > 500

    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "t.parquet", row_group_size=500, compression="none")
    data = bytearray((tmp_path / "t.parquet").read_bytes())
    middle = len(data) // 2
    data[middle : middle + 20_000] = b"\xff" * 20_000
    results = ingest(tmp_path, bytes(data))
    assert any(isinstance(one, Lost | Rejected) for one in results)
    assert sum(isinstance(one, Kept) for one in results) >= 500


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is empty"),
        (b"\xef\xbb\xbf \n", "is empty"),
        ("a;b\n".encode("utf-32"), "UTF-32"),
        (b"PAR1 and no more", "no Parquet file"),
        (b"[1, 2]", "no JSON lines"),
        (b"nr,nr\n1,2\n", "column 'nr' more than once"),
        (b"nr,kind,about\n", "lacks the columns 'name', 'price', 'made of', 'is_waterproof', which"),
        (b"nr,kind,about\n", "Its columns are: nr, kind, about."),
    ],
)
def test_what_is_no_table(tmp_path: Path, data: bytes, said: str) -> None:
    with pytest.raises(UserError, match=said):
        ingest(tmp_path, data)


def test_a_bad_file_among_good_ones_is_lost(tmp_path: Path) -> None:
    (tmp_path / "other.csv").write_bytes(b"a,b\n1,2\n")
    ingest(tmp_path, as_csv(ROWS))
    settings = Settings(mapping=str(tmp_path / "mapping.yaml"))
    shares = plan([str(tmp_path / "other.csv"), str(tmp_path / "table.csv")], settings)
    (lost,) = read(shares[0], settings)
    assert isinstance(lost, Lost) and "other.csv lacks the columns 'nr', 'kind', " in lost.sentence


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"goal": None}, "does not say which column is the goal"),
        ({"text": None}, "does not say which column is the text"),
        ({"columns": {}}, "names no columns"),
        ({"columns": {"name": "ignored"}}, "ignores all columns"),
        ({"columns": {"name": "word"}}, "kind 'word'; the valid ones are value, list, yes/no, number, ignored"),
        ({"columns": {"name": {"kind": "value", "unit": "m"}}}, "has 'unit'; the valid keys are kind"),
        ({"columns": {"a b": "value", "A-b": "value"}}, "share the placeholder SLOT_A_B"),
        ({"kolumns": {}}, "has 'kolumns'; the valid keys are id, goal"),
        ({"columns": {"about": "value"}}, "has the text's column 'about' under 'columns:' as well"),
        ({"delimiter": ";;"}, "should be one character"),
        ({"rewrite": {"st": ""}}, "'rewrite' should hold"),
        ({"columns": {"name": {"kind": "value", "optional": "maybe"}}}, "'optional' should be true or false"),
        (
            {"columns": {"name": {"kind": "value", "was": ["kind"]}}},
            "'kind' stands under 'was:' of 'name', but is a co",
        ),
        (
            {"goal": {"name": "kind", "was": "title"}, "columns": {"name": {"kind": "value", "was": "title"}}},
            "old name",
        ),
        ({"goal": {"column": "kind"}}, "'goal' has 'column'; the valid keys are name, was"),
        ({"goal": {"was": "kind"}}, "does not say which column is the goal"),
    ],
)
def test_a_bad_mapping(change: dict[str, Any], said: str) -> None:
    with pytest.raises(UserError, match=said):
        parse_mapping({**MAPPING, **change}, "m.yaml")


def test_a_mapping_that_cant_be_read(tmp_path: Path) -> None:
    (tmp_path / "m.yaml").write_text("a: [")
    for path, said in (("", "--mapping"), (str(tmp_path / "m.yaml"), "can't be read"), ("/no/m.yaml", "can't be read")):
        with pytest.raises(UserError, match=said):
            plan([], Settings(mapping=path))


def test_yaml_may_read_yes_and_no_otherwise() -> None:
    mapping = parse_mapping(yaml.safe_load("goal: a\ntext: b\ncolumns: {c: yes/no, d: {kind: yes}}"), "m.yaml")
    assert [column.kind for column in mapping.columns] == ["yes/no", "yes/no"]


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


def amount(cell: str) -> Amount:
    found = read_amount(cell)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("cell", "number", "unit"),
    [
        ("1 299,99", "1299.99", ""),
        ("1.299,99 €", "1299.99", "€"),
        ("17½ kg", "17.5", "kg"),
        ("1-3/4 in.", "1.75", "in"),
        ("ca. 2 kg", "2", "kg"),
        ("~5", "5", ""),
        ("≤ 10 bar", "10", "bar"),
        ("min. 30", "30", ""),
        ("30 min", "30", "min"),
        ("-40 °C", "-40", "°c"),
        ("−40", "-40", ""),
        ("1.2e3", "1200", ""),
        ("12 m2", "12", "m2"),
        ("EUR 20,-", "20", "eur"),
    ],
)
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
    assert isinstance(one, Kept)
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


def test_text_that_looks_like_a_placeholder_or_a_mark_is_text(tmp_path: Path) -> None:
    row = {**ROWS[0], "kind": "SLOT_PRICE", "about": "SLOT_NAME <unk> <pad> </text> SLOT_PRICE x<br>y SLOT_NAME_2"}
    ((example, act, _),) = kept(ingest(tmp_path, as_csv([row])))
    assert not any(token.startswith("SLOT_") for token in example.tokens + example.goal_tokens)
    assert not {"<unk>", "<pad>", "<text>", "</text>", "<none>"}.intersection(example.tokens)
    assert relexicalise(act.tokens, act.slots, act.exceptions) == act.normalised == " ".join(example.tokens)


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


def test_guess(tmp_path: Path) -> None:
    path = tmp_path / "shop.csv"
    texts = "it is a thing that we like for many reasons , and more than one"
    rows = [f"{i};{'lamp' if i % 2 else 'mug'};Nr {i} x;{i}.50;{i} kg;red, blue;yes;{texts};" for i in range(40)]
    path.write_text("code;Type;name;price (EUR);weight;colours;safe;text;empty\n" + "\n".join(rows))
    assert guess([str(path)]) == {
        "id": "code",
        "goal": "Type",
        "text": "text",
        "columns": {
            "name": "value",
            "price (EUR)": {"kind": "number", "unit": "EUR"},
            "weight": "number",
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
