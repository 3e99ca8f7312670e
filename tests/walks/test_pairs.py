"""A model of pairs from logical forms to questions for forms that people wrote."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from in_process import allsaid
from small_pairs import as_array, entry, question

from batch_infer.proof import summary as summary_file
from batch_infer.proof.texts import read_rows

QUERY = 'SELECT TABLEalias0.KEEPER_FIELD FROM TABLE AS TABLEalias0 WHERE TABLEalias0.LIGHT_FIELD = "var0" ;'
LIGHTS = [f"{name} {place}" for name in ("Old", "Red", "Long") for place in ("Head", "Bar", "Rock", "Neck")]
MODEL = "models:/ask/1"


def asked(light: str, number: int) -> dict[str, object]:
    split = ("train", "train", "dev", "test")[number % 4]
    return entry(QUERY, question(f"Who keeps {light}?", split, var0=light), var0=light)


def test_questions_are_learned_written_shown_and_scored(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("forms.json").write_bytes(as_array([asked(light, number) for number, light in enumerate(LIGHTS)]))
    assert allsaid("ingest", "wikisql", "--input", "forms.json", "--output", "questions") == 0
    assert "│ items in the text    │    12 │" in capsys.readouterr().out
    small = ("epochs=8", "hidden=24", "text_cutoff=6", "batch_size=6", "learning_rate=0.02", "dropout=0", "width=3")
    settings = [part for setting in (*small, "sample_texts=0") for part in ("--set", setting)]
    assert allsaid("train", "scratchpad", "--data", "questions", "--name", "ask", "--run-dir", "run", *settings) == 0

    lines = [
        {"id": "named", "source": 'select keeper where light = "Red Bar"', "items": ["Red Bar"]},
        {"id": "free", "source": 'select keeper where light = "Red Bar"'},
        {"id": "none"},
    ]
    Path("forms.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert allsaid("generate", "--model", MODEL, "--input", "forms.jsonl", "--output", "texts", "--attention") == 0
    found = {row.id: row for row in read_rows("texts")}
    assert found["named"].text and found["named"].text == found["free"].text
    assert (found["named"].goal, found["named"].agenda) == (lines[0]["source"], ["Red Bar"])
    assert [*found["named"].used, *found["named"].missing] == ["Red Bar"]
    assert found["free"].percent_given == 100
    assert [one.example[:27] for one in summary_file.read("texts").reasons] == ["The row has no 'source', a "]

    assert allsaid("generate", "--model", MODEL, "--input", "questions", "--output", "known", "--split", "dev") == 0
    summary = summary_file.read("known")
    assert summary.measured == ["percent_given", "tokens"] and summary.true["percent_given"] == 100
    assert "% values named" in [label for label, _, _ in summary.rows()]
    assert allsaid("report", "texts") == 0 and "Red Bar" in Path("texts", "report.html").read_text()
    capsys.readouterr()
    assert allsaid("evaluate", MODEL, "--data", "questions") == 0
    scores = capsys.readouterr().out
    assert all(figure in scores for figure in ("BLEU-4 of each text", "ROUGE-L", "values named", "perplexity"))
