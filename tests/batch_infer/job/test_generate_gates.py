"""Gates and validation of generated texts: what breaks a limit or a rule, and what then stays."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from batch_tables import write_lines
from in_process import allsaid
from small_texts import RUN

from allsaid.gates import GateBroken
from batch_infer.job import generate, validate
from batch_infer.job.gates import measure
from batch_infer.options.generate import GenerateOptions
from batch_infer.options.job import ANY, TextGates
from batch_infer.proof.summary import MEANS, Summary
from schemas.errors import UserError

GOOD = {"goal": "Salsa", "agenda": ["salt", "tomatoes"]}
BAD = {"goal": "Salsa"}
SUMMARY = Summary(
    input_rows=20,
    texts=18,
    errors=2,
    true={},
    search_seconds=1.0,
    **RUN | dict.fromkeys(MEANS) | {"percent_given": 75.0, "extra_items": 1.5},
)


def run(model: Path, given: Path, output: Path, **options: Any) -> Summary:
    return generate.run(GenerateOptions(str(model), str(given), str(output), width=2, max_tokens=9, **options))


def bytes_of(output: Path) -> list[bytes]:
    return [path.read_bytes() for path in sorted((output / "texts").iterdir())]


def failed(output: Path) -> dict[str, tuple[str, ...]]:
    return {outcome.rule: outcome.places for outcome in validate.run(str(output)) if not outcome.passed}


def test_too_many_texts_without_a_certificate() -> None:
    summary = replace(SUMMARY, provable_texts=16, certified_texts=12, uncertified_rows=["r3", "r5", "r9"])
    assert ANY.broken(measure(summary, None)) == TextGates(uncertified=0.25).broken(measure(summary, None)) == []
    assert TextGates(uncertified=0.2).broken(measure(summary, None)) == [
        "25.0% of 16 texts are not certified; the gate 'uncertified' allows 20.0%. The first rows are r3, r5, r9; "
        "their columns 'missing', 'extra' and 'unattested' say why."
    ]
    assert TextGates(uncertified=0).broken(measure(replace(SUMMARY, provable_texts=0), None)) == []  # none is offered


@pytest.mark.parametrize(
    ("just", "beyond", "sentence"),
    [
        (TextGates(given=75), TextGates(given=75.1), "75.00% of the items are given; the gate 'given' asks for 75.1%."),
        (TextGates(extra=1.5), TextGates(extra=1.4), "A text names 1.50 extra items; the gate 'extra' allows 1.4."),
        (
            TextGates(errors=0.1),
            TextGates(errors=0.09),
            "10.0% of 20 rows could not become a text; the gate 'errors' allows",
        ),
        (TextGates(given_fall=5), TextGates(given_fall=4), "The items given went from 80.00% to 75.00%; the gate"),
        (
            TextGates(extra_rise=0.5),
            TextGates(extra_rise=0.4),
            "The extra items per text went from 1.00 to 1.50; the gate",
        ),
        (
            TextGates(errors_rise=0.1),
            TextGates(errors_rise=0),
            "The share of error rows went from 0.0% to 10.0%; the gate",
        ),
    ],
)
def test_each_limit_alone(just: TextGates, beyond: TextGates, sentence: str) -> None:
    last = replace(SUMMARY, percent_given=80.0, extra_items=1.0, errors=0, texts=20)
    assert just.broken(measure(SUMMARY, last)) == []
    (found,) = beyond.broken(measure(SUMMARY, last))
    assert found.startswith(sentence)


def test_without_limits_or_without_texts() -> None:
    nothing = replace(SUMMARY, texts=0, errors=20, percent_given=None, extra_items=None)
    assert TextGates(errors=1).broken(measure(nothing, SUMMARY)) == []
    assert len(ANY.broken(measure(nothing, SUMMARY))) == 1
    assert ANY.broken(measure(replace(SUMMARY, errors=10, texts=10), SUMMARY)) == []
    assert TextGates(given_fall=0, extra_rise=0, errors_rise=0).broken(measure(SUMMARY, nothing)) == []
    assert len(TextGates(given=1, errors=0.5, given_fall=10, errors_rise=0.5).broken(measure(nothing, SUMMARY))) == 4


def test_a_broken_gate_keeps_texts_and_is_in_the_summary(model: Path, tmp_path: Path) -> None:
    given, out = write_lines(tmp_path / "a.jsonl", [GOOD, BAD, GOOD]), tmp_path / "out"
    with pytest.raises(GateBroken, match=r"33.3% of 3 rows could not become a text") as fault:
        run(model, given, out, gate=TextGates(errors=0.3))
    assert fault.value.exit_code == 2 and str(out) in str(fault.value)
    texts = bytes_of(out)
    (sentence,) = json.loads((out / "summary.json").read_text())["gates"]
    assert sentence.startswith("33.3% of 3 rows") and sentence in str(fault.value)
    assert run(model, given, out, gate=TextGates(errors=0.4)).gates == []
    assert json.loads((out / "summary.json").read_text())["gates"] == []
    assert bytes_of(out) == texts


def test_against_an_earlier_run(model: Path, tmp_path: Path) -> None:
    before, after, out = tmp_path / "before", tmp_path / "after", tmp_path / "out"
    run(model, write_lines(tmp_path / "a.jsonl", [GOOD, GOOD]), before)
    worse = write_lines(tmp_path / "b.jsonl", [GOOD, BAD])
    gates = TextGates(errors_rise=0.2)
    with pytest.raises(UserError, match=r"need an earlier run. Name its folder with --against"):
        run(model, worse, after, gate=gates)
    with pytest.raises(UserError, match="is the output itself"):
        run(model, worse, after, gate=gates, against=f"{after}/")
    with pytest.raises(UserError, match="holds no finished texts"):
        run(model, worse, after, gate=gates, against=str(tmp_path))
    assert not after.exists()
    with pytest.raises(GateBroken, match=r"went from 0.0% to 50.0%; the gate 'errors_rise' allows 20.0% more"):
        run(model, worse, after, gate=gates, against=str(before))
    assert run(model, worse, out, gate=gates, against=str(after)).errors == 1


def test_broken_gates_and_rules_set_the_exit_code(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given, out = write_lines(tmp_path / "a.jsonl", [GOOD, BAD, GOOD]), tmp_path / "out"
    asked = ["generate", "--model", str(model), "--input", str(given), "--output", str(out), "--max-tokens", "9"]
    assert allsaid(*asked, "--gate", "errors=0.3") == 2
    assert "the gate 'errors' allows 30.0%" in capsys.readouterr().err
    assert allsaid(*asked, "--gate", "error=0.3") == 1
    assert "There is no setting 'error'" in capsys.readouterr().err
    assert allsaid(*asked, "--gate", "errors=0.4") == 0
    told = capsys.readouterr()
    assert "of 31 rules for columns and counts hold" in told.err and "error rows" in told.out
    assert "Great Expectations" in (out / "validation" / "index.html").read_text()
    change(out, 0, percent_given=101.0)
    assert allsaid("validate", str(out)) == 1
    assert "percent_given is from 0 to 100" in capsys.readouterr().out


def change(output: Path, row: int, **values: Any) -> None:
    path = output / "texts" / "part-00000.parquet"
    table = pq.read_table(path)
    rows = table.to_pylist()
    rows[row] |= values
    pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), path)


def test_sound_texts_keep_every_rule_whatever_their_ids_are(model: Path, tmp_path: Path) -> None:
    table = pa.table({"id": pa.array([5, 6, 6], pa.int32()), "goal": ["Salsa"] * 3, "agenda": [["salt"]] * 3})
    pq.write_table(table, tmp_path / "in.parquet")
    run(model, tmp_path / "in.parquet", tmp_path / "out", gate=TextGates(errors=1))
    assert failed(tmp_path / "out") == {}
    with pytest.raises(UserError, match="holds no finished texts"):
        validate.run(str(tmp_path))


@pytest.mark.parametrize(
    ("values", "rule"),
    [
        ({"extra_count": -1}, "extra_count is at least 0"),
        ({"log_probability": 0.5}, "log_probability is at most 0"),
        ({"ref_items": [-1]}, "tokens and ref_items have the same length"),
        ({"tokens": ["salt"], "ref_items": [7]}, "ref_items holds -1 or positions in agenda"),
        ({"extra_count": None}, "every row has either extra_count or error"),
    ],
)
def test_a_row_that_breaks_one_rule(model: Path, tmp_path: Path, values: dict[str, Any], rule: str) -> None:
    out = tmp_path / "out"
    run(model, write_lines(tmp_path / "a.jsonl", [GOOD, {"id": "x", **GOOD}, BAD]), out)
    change(out, 1, **values)
    assert failed(out)[rule] == ("texts/part-00000.parquet row 1 (x)",)


def test_the_summary_is_held_to_the_rows(model: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run(model, write_lines(tmp_path / "a.jsonl", [GOOD] * 8 + [BAD]), out)
    (out / "texts" / "part-00001.parquet").unlink()
    found = failed(out)
    assert found["input_rows is the number of first texts and error rows"] == ("9 is not 6",)
    assert found["errors is the number of error rows"] == ("1 is not 0",)
    sound = json.loads((out / "summary.json").read_text())
    wrong = {"unfitted_items": 77, "tokens": 1.5, "extra_items": 9.5, "percent_given_any_word": 1.0, "texts_per_row": 3}
    (out / "summary.json").write_text(json.dumps(sound | wrong))
    told = failed(out)
    for rule in (
        "unfitted_items is the number of items in unfitted",
        "rows_with_fewer_texts is the number of rows with a text and fewer than were asked for",
        "tokens is the mean over the texts",
        "extra_items is the mean over the texts",
        "percent_given_any_word is the mean over the texts",
    ):
        assert rule in told
    assert told["it is the job of summary.json"] == ("texts_per_row",)
    (out / "job.json").write_text("[" * 100_000)
    assert "it can be read" in failed(out)
    (out / "texts" / "part-00000.parquet").write_bytes(b"PAR1")
    assert failed(out)["every file is there and is Parquet"] == ("texts/part-00000.parquet",)
