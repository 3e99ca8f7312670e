"""Faults of texts, requests and requirements: each is rejected with its reason, or a sentence."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest
from batch_tables import read
from in_process import allsaid
from small_proof import GOOD, HERE, ROWS, options, write

from allsaid.gates import GateBroken
from batch_infer.job import prove
from batch_infer.options.job import TextGates
from batch_infer.proof import summary
from schemas.errors import UserError


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


def test_a_lacking_column_is_one_of_the_given_mapping(shop: Path) -> None:
    mapping = (shop / "mapping.yaml").read_text(encoding="utf-8").replace("columns:", "columns:\n  hue: value", 1)
    (shop / "mapping.yaml").write_text(mapping, encoding="utf-8")
    sentence = r"lacks the column 'hue', which --mapping .*mapping\.yaml names\..* get `optional: true` in the mapping"
    with pytest.raises(UserError, match=sentence):
        prove.run(options(shop))
