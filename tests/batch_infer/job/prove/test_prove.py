"""Proof of texts by another author: those of a table, with and without a model."""

from __future__ import annotations

import csv
import json
import re
import shlex
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from batch_tables import read
from in_process import allsaid
from small_inn import make

from allsaid.gates import GateBroken
from allsaid.proof import findings
from batch_infer.job import generate, preview, prove
from batch_infer.options.generate import GenerateOptions
from batch_infer.options.job import TextGates
from batch_infer.options.prove import ProveOptions
from batch_infer.proof import summary
from schemas.errors import UserError
from schemas.texts.finding import WRONG
from training.options import TrainOptions
from training.runs import start

SAMPLES = Path(__file__).parents[4] / "samples"
HERE = "--direct_running_mode=in_memory"
MAPPING = """
id: nr
goal: kind
text: about
columns:
  name: value
  colour: value
  weight: {kind: number, unit: kg}
  washable: yes/no
"""
ROWS = (
    {"nr": "1", "kind": "bag", "name": "Alder", "colour": "blue", "weight": "2", "washable": "yes"},
    {"nr": "2", "kind": "bag", "name": "Birch", "colour": "red", "weight": "3", "washable": "no"},
    {"nr": "3", "kind": "tent", "name": "Cedar", "colour": "green", "weight": "4", "washable": ""},
)
GOOD = (
    {"nr": "1", "about": "The Alder is a blue bag of 2 kg. It is washable."},
    {"nr": "2", "about": "The Birch, a bag, weighs 3 kg. It is red, and not washable."},
    {"nr": "3", "about": "Cedar is a green tent. It weighs 4 kg."},
)
# Columns that a proof of the same texts by the same model can't have.
OF_SEARCH = {"origin", "log_probability", "is_assembled", "ref_items"}


def write(path: Path, rows: Sequence[Mapping[str, str]]) -> str:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(dict.fromkeys(name for row in rows for name in row)))
        writer.writeheader()
        writer.writerows(rows)
    return str(path)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A folder with a table, its mapping, and good texts."""
    write(tmp_path / "table.csv", ROWS)
    write(tmp_path / "texts.csv", GOOD)
    (tmp_path / "mapping.yaml").write_text(MAPPING, encoding="utf-8")
    return tmp_path


def options(shop: Path, texts: str = "texts.csv", output: str = "proof", **more: Any) -> ProveOptions:
    given: dict[str, Any] = {"mapping": str(shop / "mapping.yaml")} | more
    return ProveOptions(
        str(shop / "table.csv"), str(shop / output), texts=str(shop / texts), beam_args=(HERE,), **given
    )


def test_right_texts_state_all_of_their_rows(shop: Path) -> None:
    found = prove.run(options(shop))
    assert (found.texts, found.submitted_texts, found.rejected_texts, found.percent_given) == (3, 3, 0, 100)
    rows = read(shop / "proof")
    assert [(row["missing"], row["extra"], row["origin"]) for row in rows] == [([], [], "submitted")] * 3
    assert [row["text"] for row in rows] == [row["about"] for row in GOOD]


def test_what_a_text_omits_and_adds_is_reported(shop: Path) -> None:
    wrong = {"nr": "1", "about": "The Alder is a red bag of 5 kg. It is not washable."}
    write(shop / "texts.csv", [wrong, *GOOD[1:]])
    prove.run(options(shop))
    row = read(shop / "proof")[0]
    assert row["missing"] == ["colour=blue", "weight=2 kg", "washable=yes"]
    assert row["extra"] == ["colour=red", "5 kg", "washable=no"]


def test_the_opposite_of_an_answer_is_wrong_in_any_table(shop: Path) -> None:
    """All rows have the same answer, or none, so that the table alone shows no opposite."""
    write(shop / "table.csv", [row | {"washable": "yes", "for_children": "no", "vegan": ""} for row in ROWS])
    (shop / "mapping.yaml").write_text(MAPPING + "  for_children: yes/no\n  vegan: yes/no\n", encoding="utf-8")
    wrong = "The Alder is a blue bag of 2 kg. It is not washable. Great for kids. It is vegan."
    write(shop / "texts.csv", [{"nr": "1", "about": wrong}, *GOOD[1:]])
    prove.run(options(shop))
    row = read(shop / "proof")[0]
    assert row["extra"] == ["washable=no", "for_children=yes", "vegan=yes"]
    grades = {(finding["line"], finding["grade"], finding["kind"]) for finding in row["findings"]}
    assert {("washable=no", WRONG, findings.OPPOSITE), ("for_children=yes", WRONG, findings.OPPOSITE)} <= grades


def test_show_prints_all_texts_with_findings_first(
    shop: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    birch, cedar = "The Birch is a red bag of 9 kg.", "The Cedar is green."
    wrong = [{"nr": "2", "about": birch}, {"nr": "3", "about": cedar}]
    write(shop / "texts.csv", [GOOD[0], *wrong])
    monkeypatch.setattr(preview, "SHOWN", 1)
    prove.run(options(shop, show=True))
    printed = capsys.readouterr().out
    assert printed.index(birch) < printed.index(cedar)
    assert GOOD[0]["about"] not in printed
    assert "Printed: all texts with a finding (2), and 0 of the 1 others." in printed
    assert allsaid("report", str(shop / "proof")) == 0
    counts = "3 texts, 2 flagged (worst finding: 1 wrong, 1 missing). Most findings: weight 3, washable 1."
    assert counts in capsys.readouterr().err


def test_a_name_may_be_left_out_but_must_be_right(shop: Path) -> None:
    mapping = (
        (shop / "mapping.yaml")
        .read_text(encoding="utf-8")
        .replace("name: value", "name: {kind: value, may_omit: true}")
    )
    (shop / "mapping.yaml").write_text(mapping, encoding="utf-8")
    texts = ("A blue bag of 2 kg. It is washable.", "The Alder, a bag, weighs 3 kg. It is red, and not washable.")
    right = {"nr": "3", "about": "Cedar is a green tent. It weighs 4 kg."}
    write(shop / "texts.csv", [*({"nr": str(number), "about": text} for number, text in enumerate(texts, 1)), right])
    prove.run(options(shop))
    assert [(row["percent_given"], row["extra"]) for row in read(shop / "proof")] == [
        (100, []),
        (100, ["name=alder"]),
        (100, []),
    ]
    assert "name=Alder" not in read(shop / "proof")[0]["agenda"]


def test_the_report_of_a_proof_begins_with_its_faults(shop: Path) -> None:
    wrong = {"nr": "2", "about": "The Birch is a red bag of 9 kg. It is not washable."}
    write(shop / "texts.csv", [GOOD[0], wrong, GOOD[2]])
    prove.run(options(shop))
    assert allsaid("report", str(shop / "proof")) == 0
    page = (shop / "proof" / "report.html").read_text(encoding="utf-8")
    assert "<h1>1 of 3 texts needs a look</h1>" in page
    tiles = re.findall(r'class="value">([^<]*)</span><span class="label">([^<]*)', page)
    assert tiles[:3] == [("2", "texts without a finding"), ("1", "wrong statements"), ("1", "missing values")]
    assert re.findall("<h2>(.*?)</h2>", page) == ["Findings", "Worst texts", "Best texts", "Means", "Spread"]
    assert page.count("9 kg</span>") == 1  # once in the card, not as a finding and as an extra item


def test_each_text_is_proven_or_rejected(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    more = [
        {"nr": "9", "about": "Of no row."},
        {"nr": "", "about": "Without an id."},
        {"nr": "2", "about": " "},
        {"nr": "3", "about": "A second text."},
    ]
    texts = write(shop / "texts.csv", [*reversed(GOOD[1:]), *more])
    given = ("--input", str(shop / "table.csv"), "--mapping", str(shop / "mapping.yaml"))
    assert allsaid("prove", texts, *given, "--output", str(shop / "proof"), HERE) == 0
    found = summary.read(str(shop / "proof"))
    assert (found.submitted_texts, found.texts, found.rejected_texts, found.errors) == (6, 3, 3, 1)
    assert found.rows_with_several_texts == 1
    sentences = {one.example for one in found.rejected}
    assert sentences == {
        "No row of the input has the id '9'.",
        "The cell of 'nr', the id, is empty.",
        "The text of '2' is empty.",
    }
    rows = read(shop / "proof")
    assert [(row["id"], row["text_number"], row["texts_found"]) for row in rows] == [
        ("1", 0, 0),
        ("2", 0, 1),
        ("3", 0, 2),
        ("3", 1, 2),
    ]
    assert rows[0]["error"] == "No text of the row was given." and rows[3]["text"] == "A second text."
    rejected = pq.read_table(shop / "proof" / "rejected").to_pylist()
    assert [(row["reason"], row["id"]) for row in rejected] == [("no_id", ""), ("no_text", "2"), ("unknown_id", "9")]
    told = capsys.readouterr()
    assert "1 row had several texts" in " ".join(told.err.split())
    assert "Rejected texts" in told.out and "Rows without a text" in told.out


def test_texts_of_rows_at_fault_are_rejected(shop: Path) -> None:
    """Two rows of one id, and a row without a goal."""
    write(shop / "table.csv", [*ROWS, {**ROWS[0], "name": "Aspen"}, {**ROWS[1], "nr": "5", "kind": ""}])
    write(shop / "texts.csv", [*GOOD, {"nr": "5", "about": "The Birch."}])
    found = prove.run(options(shop, gate=TextGates(errors=1)))
    assert (found.submitted_texts, found.texts, found.rejected_texts, found.errors) == (4, 2, 2, 3)


@pytest.mark.parametrize("kind", ["jsonl", "xlsx", "parquet"])
def test_texts_in_any_format_have_the_same_proof(shop: Path, kind: str) -> None:
    path = shop / f"texts.{kind}"
    if kind == "jsonl":
        path.write_text("".join(json.dumps({"id": int(row["nr"]), "text": row["about"]}) + "\n" for row in GOOD))
    elif kind == "xlsx":
        book = openpyxl.Workbook()
        for row in [{"nr": "nr", "about": "about"}, *GOOD]:
            book.active.append([int(row["nr"]) if row["nr"].isdigit() else row["nr"], row["about"]])
        book.save(path)
    else:
        pq.write_table(pa.Table.from_pylist(list(GOOD)), path)
    prove.run(options(shop))
    prove.run(options(shop, path.name, "other"))
    assert read(shop / "other") == read(shop / "proof")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"mapping": ""}, r"Give --mapping FILE, .* or --model"),
        ({"model": "run/model"}, r"Give --mapping FILE, .* not both"),
        ({"texts": "none.csv"}, r"TEXTS .*none\.csv matches no file"),
        ({"texts": "table.csv"}, r"table\.csv has no column 'about' or 'text'\. Its columns are: nr, kind, name"),
        ({"mend": True}, r"--mend writes texts by a model\. Give --model"),
        ({"previous": "night"}, r"--previous night: without a model, a proof depends on all rows"),
        ({"mapping": "none.yaml"}, r"--mapping none\.yaml can't be read"),
    ],
)
def test_a_fault_of_the_request_is_a_sentence(shop: Path, change: dict[str, str], sentence: str) -> None:
    with pytest.raises(UserError, match=sentence):
        prove.run(options(shop, **change))
    assert not (shop / "proof").exists()


def test_a_lacking_column_is_one_of_the_given_mapping(shop: Path) -> None:
    mapping = (shop / "mapping.yaml").read_text(encoding="utf-8").replace("columns:", "columns:\n  hue: value", 1)
    (shop / "mapping.yaml").write_text(mapping, encoding="utf-8")
    sentence = r"lacks the column 'hue', which --mapping .*mapping\.yaml names\..* get `optional: true` in the mapping"
    with pytest.raises(UserError, match=sentence):
        prove.run(options(shop))


def test_texts_of_a_part_of_the_table_need_a_gate(shop: Path) -> None:
    write(shop / "texts.csv", GOOD[:1])
    with pytest.raises(GateBroken, match=r"66.7% of 3 rows have no proven text.*add --gate errors=1\."):
        prove.run(options(shop))


def test_a_broken_gate_ends_with_2_and_keeps_the_proof(shop: Path) -> None:
    texts = write(shop / "texts.csv", [{"nr": "1", "about": "The Alder."}, *GOOD[1:]])
    given = ("--input", str(shop / "table.csv"), "--mapping", str(shop / "mapping.yaml"), "--gate", "given=99.5")
    assert allsaid("prove", texts, *given, "--output", str(shop / "proof"), HERE) == 2
    assert allsaid("report", str(shop / "proof")) == 0
    assert allsaid("validate", str(shop / "proof")) == 0


def test_requirements_that_a_text_does_not_meet_are_reported(shop: Path) -> None:
    (shop / "require.yaml").write_text("all: [weighs]\nBag: It is washable\n", encoding="utf-8")
    found = prove.run(options(shop, require=str(shop / "require.yaml"), max_characters=50))
    rows = read(shop / "proof")
    assert [row["unfitted"] for row in rows] == [
        ["require=weighs"],
        ["require=It is washable", "max_characters=50"],
        [],
    ]
    assert rows[1]["unfitted_why"] == ["required", "too long"] and found.unfitted_items == 3


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        ("", r"--require .*require\.yaml has no phrases by goal\. Write lines of goal: \[phrase, phrase\]"),
        ("bag: [5]", r"what 'bag' must have is no phrase, nor a list of phrases"),
        ("bag: [", r"--require .*require\.yaml can't be read"),
    ],
)
def test_a_fault_of_the_requirements_is_a_sentence(shop: Path, written: str, sentence: str) -> None:
    (shop / "require.yaml").write_text(written, encoding="utf-8")
    with pytest.raises(UserError, match=sentence):
        prove.run(options(shop, require=str(shop / "require.yaml")))


def test_the_same_command_does_nothing_a_second_time(shop: Path) -> None:
    prove.run(options(shop))
    before = {path: path.stat().st_mtime_ns for path in (shop / "proof" / "texts").iterdir()}
    prove.run(options(shop))
    assert {path: path.stat().st_mtime_ns for path in (shop / "proof" / "texts").iterdir()} == before
    write(shop / "texts.csv", GOOD[:2])
    with pytest.raises(UserError, match=r"texts of another run: submitted_fingerprint differ"):
        prove.run(options(shop))


def test_files_are_the_same_for_any_order_of_texts(shop: Path) -> None:
    """Also of files with few rows each."""
    rows = [{**ROWS[number % 3], "nr": str(number)} for number in range(450)]
    texts = [{**GOOD[number % 3], "nr": str(number)} for number in range(450)]
    write(shop / "table.csv", rows)
    write(shop / "texts.csv", texts)
    write(shop / "other.csv", texts[::-1])
    prove.run(options(shop))
    prove.run(options(shop, "other.csv", "other"))
    parts = sorted(path.name for path in (shop / "proof" / "texts").iterdir())
    assert len(parts) == 3 and read(shop / "proof") == read(shop / "other")


@pytest.fixture(scope="module")
def trained(assembled: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a model of the sample table, and two texts for each of some rows."""
    folder = Path(shutil.copytree(assembled, tmp_path_factory.mktemp("trained") / "shop", symlinks=True))
    rows = (SAMPLES / "products.csv").read_text(encoding="utf-8").splitlines(keepends=True)[:60]
    (folder / "table.csv").write_text("".join(rows), encoding="utf-8")
    given = ("--model", str(folder / "run" / "model"), "--input", str(folder / "table.csv"), "--texts", "2")
    assert allsaid("generate", *given, "--output", str(folder / "texts"), HERE) == 0
    return folder


def test_the_proof_of_own_texts_is_that_of_generate(trained: Path) -> None:
    given = ("--model", str(trained / "run" / "model"), "--input", str(trained / "table.csv"))
    texts = str(trained / "texts" / "texts" / "*.parquet")
    assert allsaid("prove", texts, *given, "--output", str(trained / "proof"), HERE) == 0
    for proven, generated in zip(read(trained / "proof"), read(trained / "texts"), strict=True):
        assert {name for name in generated if proven[name] != generated[name]} <= OF_SEARCH
    assert allsaid("validate", str(trained / "proof")) == 0


def test_generate_prefers_texts_that_meet_the_requirements(trained: Path) -> None:
    """A bound that the best texts of some rows exceed; a text is never cut."""
    plain = [row["text"] for row in read(trained / "texts") if row["text_number"] == 0]
    bound = sorted(map(len, plain))[len(plain) // 2]
    given = ("--model", str(trained / "run" / "model"), "--input", str(trained / "table.csv"), "--texts", "2")
    output = trained / "short"
    assert allsaid("generate", *given, "--max-characters", str(bound), "--output", str(output), HERE) == 0
    rows = read(output)
    assert all((len(row["text"]) > bound) == (row["unfitted"] == [f"max_characters={bound}"]) for row in rows)
    firsts = [row["text"] for row in rows if row["text_number"] == 0]
    assert sum(len(text) <= bound for text in firsts) > sum(len(text) <= bound for text in plain)


def test_reference_texts_are_proven_by_the_model(trained: Path) -> None:
    """The table has its reference texts in the column that the mapping names; most have a forbidden claim or more."""
    given = ("--model", str(trained / "run" / "model"), "--input", str(trained / "table.csv"))
    table = str(trained / "table.csv")
    assert allsaid("prove", table, *given, "--output", str(trained / "people"), HERE) == 0
    found = read(trained / "people")
    claimed = [row for row in found if "easy to carry" in row["text"]]
    assert claimed and all("claim=easy to carry" in row["extra"] and not row["certified"] for row in claimed)
    assert any(row["certified"] for row in found)


def test_a_night_publishes_the_texts_without_a_finding(shop: Path) -> None:
    """Of three rows, one text is right, one is wrong, and one is missing."""
    write(
        shop / "texts.csv", [GOOD[0], {"nr": "2", "about": "The Birch, a bag, weighs 9 kg. It is red, not washable."}]
    )
    asked = {name: str(shop / path) for name, path in (("texts", "texts.csv"), ("input", "table.csv"))}
    asked |= {"mapping": str(shop / "mapping.yaml"), "output": str(shop / "night"), "format": "csv"}
    current, runs = shop / "night" / "current", set[Path]()
    for publish, rows, count in (("certified", ["1"], 1), ("certified", ["1"], 1), ("all", ["1", "2", "3"], 2)):
        (shop / "night.yaml").write_text(json.dumps({"prove": {**asked, "publish": publish}}), encoding="utf-8")
        assert allsaid("nightly", str(shop / "night.yaml"), HERE) == 0
        runs.add(current.resolve())
        assert len(runs) == count  # a run with the same settings does nothing
        with (current / "texts.csv").open(encoding="utf-8-sig", newline="") as file:
            table = csv.DictReader(file)
            assert [row["nr"] for row in table] == rows
            assert [*(table.fieldnames or ())][:4] == ["nr", "about", "proof", "reason"]  # as in the shop's table
        found = summary.read(str(current))
        counts = (1, 2) if publish == "certified" else (None, None)
        assert (found.published, found.kept_aside, found.texts + found.errors) == (*counts, 3)
        assert (current / "texts-kept-aside.csv").exists() == (publish == "certified")


def test_a_model_knows_which_values_are_names(trained: Path) -> None:
    values = json.loads((trained / "run" / "model" / "lexicon.json").read_text(encoding="utf-8"))["values"]
    assert "Finland" in values["made_in"] and {"ivory", "sky blue"} <= {*values["colour"]}


def test_an_ingredient_in_lower_case_is_extra_and_no_name_is(shop: Path) -> None:
    """Blue is in the text of a row whose values begin with capitals; cedar is the wood, and no Cedar."""
    write(shop / "table.csv", [{**row, "colour": "Red" if row["colour"] == "red" else row["colour"]} for row in ROWS])
    texts = "The Birch, a bag of cedar, weighs 3 kg. It is Red and blue, and not washable."
    write(shop / "texts.csv", [GOOD[0], {"nr": "2", "about": texts}, GOOD[2]])
    prove.run(options(shop))
    assert [row["extra"] for row in read(shop / "proof")] == [[], ["colour=blue"], []]


def test_texts_that_are_not_certified_are_replaced(trained: Path) -> None:
    """Of four rows: a certified text, a wrong one, none, and two of which one is certified."""
    good = {row["id"]: row["text"] for row in read(trained / "texts")}
    first, second, third, fourth = list(good)[:4]
    texts = write(
        trained / "mixed.csv",
        [
            {"id": first, "text": good[first]},
            {"id": second, "text": "It is a thing."},
            {"id": fourth, "text": "It is a thing."},
            {"id": fourth, "text": good[fourth]},
            {"id": "nobody", "text": "It is a thing."},
        ],
    )
    given = ("--model", str(trained / "run" / "model"), "--input", str(trained / "table.csv"), "--mend")
    assert allsaid("prove", texts, *given, "--output", str(trained / "mended"), HERE) == 0
    rows = {row["id"]: row for row in read(trained / "mended") if row["text_number"] == 0}
    assert all(row["certified"] for row in rows.values() if row["id"] != fourth)
    assert [rows[name]["origin"] for name in (first, second, third, fourth)] == [
        "submitted",
        "model",
        "model",
        "submitted",
    ]
    assert (rows[second]["replaced"], rows[first]["replaced"]) == (["It is a thing."], [])
    found = summary.read(str(trained / "mended"))
    assert (found.submitted_texts, found.replaced_texts, found.rejected_texts) == (5, 1, 1)
    assert found.texts - found.mended_rows == 3 and found.mended_rows == len(rows) - 2
    assert allsaid("validate", str(trained / "mended")) == allsaid("report", str(trained / "mended")) == 0


def test_unchanged_rows_with_unchanged_texts_are_reused(trained: Path) -> None:
    """Of 59 rows, one without a text: a text and a row change, a text comes, one goes, and rows are reversed."""
    good = {row["id"]: row["text"] for row in read(trained / "texts") if row["text_number"] == 0}
    first, second, third, fourth = list(good)[:4]
    lines = (trained / "table.csv").read_text(encoding="utf-8").splitlines()
    header, rows = lines[0], lines[1:]

    def prove_with(name: str, texts: Mapping[str, str], table: Sequence[str], *more: str) -> summary.Summary:
        (trained / "today.csv").write_text("\n".join([header, *table]) + "\n", encoding="utf-8")
        path = write(trained / "today_texts.csv", [{"id": row, "text": text} for row, text in texts.items()])
        given = ("--model", str(trained / "run" / "model"), "--input", str(trained / "today.csv"), "--mend", HERE)
        assert allsaid("prove", path, *given, "--output", str(trained / name), *more) == 0
        return summary.read(str(trained / name))

    texts = {row: text for row, text in good.items() if row != first}
    prove_with("night", texts, rows)
    del texts[third]
    texts |= {first: good[first], second: "It is a thing.", "nobody": "It is a thing."}
    assert rows[3].startswith(fourth)
    table = [rows[3].replace(rows[3].split(",")[1], "sofa", 1), *reversed(rows[:3]), *rows[4:]]
    whole = prove_with("whole", texts, table)
    fast = prove_with("fast", texts, table, "--previous", str(trained / "night"))
    assert (fast.taken_over, whole.taken_over) == (len(rows) - 4, 0)
    timed = {"taken_over": 0, "search_seconds": 0, "seconds": 0, "texts_per_second": 0}
    assert replace(fast, **timed) == replace(whole, **timed)
    assert read(trained / "fast") == read(trained / "whole")


def test_the_proof_of_own_texts_of_acts_is_that_of_generate(tmp_path: Path) -> None:
    data = str(make(tmp_path))
    asked = ("epochs=15", "hidden=24", "batch_size=3", "learning_rate=0.02", "optimiser=adam", "max_tokens=12")
    folder = tmp_path / "run"
    start.train(TrainOptions(config="dialogue", data=data, set=asked, run_dir=folder, tracking="offline"))
    model = str(folder / "model")
    generate.run(GenerateOptions(model, data, str(tmp_path / "texts"), beam_args=(HERE,)))
    texts = str(tmp_path / "texts" / "texts" / "*.parquet")
    prove.run(ProveOptions(data, str(tmp_path / "proof"), texts=texts, model=model, beam_args=(HERE,)))
    for proven, generated in zip(read(tmp_path / "proof"), read(tmp_path / "texts"), strict=True):
        assert {name for name in generated if proven[name] != generated[name]} <= OF_SEARCH


def test_the_first_example_of_the_page_prints_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (SAMPLES.parent / "docs" / "prove.md").read_text(encoding="utf-8")
    command, shown = re.findall(r"^```(?:bash)?\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)[:2]
    monkeypatch.chdir(tmp_path)
    words = shlex.split(command.replace("\\\n", ""))
    given = [str(SAMPLES.parent / word) if word.startswith("samples/") else word for word in words[1:]]
    assert len(command.splitlines()) == 5 and allsaid(*given, HERE) == 0
    assert shown in capsys.readouterr().out


def test_marks_before_decimals_are_those_that_the_table_shows(tmp_path: Path) -> None:
    """The price of the second row is unclear by itself: 1299 beside "24,90", and no 1.299 of an English text."""
    write(
        tmp_path / "table.csv",
        [{"nr": "1", "kind": "bag", "price": "24,90"}, {"nr": "2", "kind": "bag", "price": "1.299"}],
    )
    write(
        tmp_path / "texts.csv",
        [{"nr": "1", "about": "A bag for 24.90 EUR."}, {"nr": "2", "about": "A bag for 1299 EUR."}],
    )
    mapping = "id: nr\ngoal: kind\ntext: about\nlanguage: en\ncolumns: {price: {kind: number, unit: EUR}}\n"
    (tmp_path / "mapping.yaml").write_text(mapping, encoding="utf-8")
    prove.run(options(tmp_path))
    assert [row["missing"] for row in read(tmp_path / "proof")] == [[], []]
