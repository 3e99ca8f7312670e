"""A model of boxes from the files of a corpus to texts for boxes that people wrote."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from batch_tables import read
from in_process import allsaid

from batch_infer.proof.texts import read_rows
from schemas.checks.table import from_table
from schemas.example import NO_ITEM
from schemas.texts.attention import Attention
from schemas.texts.generated import Generated

SAMPLES = Path(__file__).resolve().parents[2] / "samples"


def check_text(row: Generated) -> None:
    """Written as people write, and each word that came from a field is one of that field's."""
    assert row.text and row.error is None
    assert not re.search(r"<|-[lr][rsc]b-|``|''|--|\( | \)| [,.]", row.text), row.text
    for token, item in zip(row.tokens, row.ref_items, strict=True):
        if item != NO_ITEM and token.isalnum():
            assert token.lower() in row.agenda[item].lower(), (token, row.agenda[item])
    assert {*re.findall(r"\d+", row.text)} <= {*re.findall(r"\d+", " ".join(row.agenda))}


@pytest.mark.slow
def test_boxes_are_learned_written_shown_and_scored(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert allsaid("ingest", "wikibio", "--input", str(SAMPLES / "biographies"), "--output", "boxes") == 0
    told = ("--name", "people", "--run-dir", "run", "--set", "epochs=12")
    assert allsaid("train", "table-nlm", "--data", "boxes", *told) == 0
    assert "are the same again" not in capsys.readouterr().out  # the corpus has no text to compare with

    assert allsaid("generate", "--model", "models:/people/1", "--input", "boxes", "--output", "known") == 0
    known = list(read_rows("known"))
    assert len(known) == 24
    for row in known:
        check_text(row)

    people = ("--input", str(SAMPLES / "people.jsonl"), "--output", "people", "--attention")
    assert allsaid("generate", "--model", "models:/people/1", *people) == 0
    found = {row.id: row for row in read_rows("people")}
    for row in found.values():
        check_text(row)
    assert [*found] == ["lovelace", "o-hara", "tolvanen", "vieira"]
    assert found["lovelace"].text.startswith("Ada Lovelace (10 December 1815 – 27 November 1852) was ")
    assert found["o-hara"].text.startswith("McKenna O'Hara Jr. (born 3 May 1971")
    assert "(1894 – 1961)" in found["tolvanen"].text and found["vieira"].goal == "Inês Vieira"
    pictures = from_table(pq.read_table("people/attention"), Attention)
    assert {one.map for picture in pictures for one in picture.weights} == {"places"}

    assert allsaid("report", "people") == 0
    page = Path("people", "report.html").read_text()
    assert page.count('<details class="looked">') == 4 and "tie a word to the line that it was copied from" in page
    assert re.search(r"<mark[^>]*>Ada Lovelace<sup>1</sup></mark>", page)
    capsys.readouterr()
    assert allsaid("evaluate", "models:/people/1", "--data", "boxes") == 0
    scores = capsys.readouterr().out
    assert all(figure in scores for figure in ("BLEU-4", "NIST-4", "ROUGE-4", "PARENT", "perplexity"))

    check_bad_rows("models:/people/1")


BAD = [
    ({}, "The row has no 'fields' with words"),
    ({"name": "Ada", "born": None}, "The value of the field 'born' is no text and no number."),
    ({"name": "w " * 5001}, "The 'fields' of the row have 5,001 words; at most 5,000 can be read."),
    ({"never_seen": "Blorp"}, None),
    ({"ø/ :_1_": "Blorp 7"}, None),
    ({"name": " ".join(map("w{}".format, range(500)))}, None),
    ({"geburtsort": "Köln am Rhein", "größe": "1,80 m", "名前": "山田太郎"}, None),
    ({"name": "<unk> <number> ⟨name_1⟩ SLOT_NAME"}, None),
]


def check_bad_rows(model: str) -> None:
    """A row that can't be read is an error row; all that can be read has a text with a probability."""
    lines = [json.dumps({"id": str(number), "fields": fields}) for number, (fields, _) in enumerate(BAD)]
    Path("bad.jsonl").write_text("\n".join([*lines, '{"id": "9", "fields": {"name": "Ada", "name": "Eva"}}']))
    assert allsaid("generate", "--model", model, "--input", "bad.jsonl", "--output", "bad") == 0
    rows = read(Path("bad"))
    for row, (_, sentence) in zip(rows, BAD, strict=False):
        if sentence is None:
            assert row["error"] is None and row["text"] and -1000 < row["log_probability"] < 0
        else:
            assert row["error"].startswith(sentence)
    assert "the name 'name' occurs twice" in rows[-1]["error"]
