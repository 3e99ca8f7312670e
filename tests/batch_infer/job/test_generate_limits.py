"""What `generate` promises of each text: coverage, banned phrases, several texts, supported numbers."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import apache_beam as beam
import pytest
from apache_beam.runners.portability.fn_api_runner import FnApiRunner
from batch_tables import read, write_lines
from in_process import allsaid

from allsaid.modeling.data.copied import CopyIndex
from allsaid.modeling.saved import model_folder
from batch_infer.job import folder, generate, validate
from batch_infer.job import run as job
from batch_infer.options.generate import GenerateOptions
from batch_infer.options.job import TextGates
from batch_infer.options.texts import TextOptions
from batch_infer.proof import summary as summary_file
from batch_infer.proof.summary import summarize
from batch_infer.proof.tally import Tally, add_up
from batch_infer.report import report
from schemas.errors import UserError

ROWS = [
    {"id": "a", "goal": "Salsa", "agenda": ["2 tomatoes", "1 tb Olive oil", "salt"]},
    {"id": "b", "goal": "Soup", "agenda": ["salt", "2 Smelts"]},
    {"id": "c", "goal": "Soup"},
]


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_lines(tmp_path_factory.mktemp("input") / "rows.jsonl", ROWS)


def run(model: Path, given: Path, output: Path, **options: Any) -> tuple[Any, list[dict[str, Any]]]:
    summary = generate.run(GenerateOptions(str(model), str(given), str(output), width=3, max_tokens=12, **options))
    assert all(outcome.passed for outcome in validate.run(str(output)))
    return summary, read(output)


def test_texts_below_the_bound_name_missing_values(model: Path, given: Path, tmp_path: Path) -> None:
    summary, rows = run(model, given, tmp_path / "out", min_coverage=100.0)
    assert [row["id"] for row in rows] == ["a", "b", "c"]
    assert [row["percent_given"] for row in rows] == [100.0, 50.0, None]
    assert [row["below_min_coverage"] for row in rows] == [False, True, False]
    assert [(row["unfitted"], row["unfitted_why"]) for row in rows] == [([], []), (["2 Smelts"], ["unknown"]), ([], [])]
    told = (summary.below_min_coverage, summary.unfitted_items, summary.min_coverage, summary.input_rows)
    assert told == (1, 1, 100.0, 3)
    assert ("texts below 100% given", "1", "") in summary.rows()
    half, _ = run(model, given, tmp_path / "half", min_coverage=50.0)
    assert (half.below_min_coverage, half.unfitted_items) == (0, 1)
    page = Path(report.write(str(tmp_path / "out"))).read_text()
    assert "below the bound" in page and "2 Smelts" in page and "(unknown)" in page


def test_no_published_text_holds_a_banned_phrase(model: Path, given: Path, tmp_path: Path) -> None:
    ban = tmp_path / "ban.txt"
    ban.write_text("# fats\nOlive oil\nSTIR\nthe add\n")
    _, free = run(model, given, tmp_path / "free", texts=5)
    summary, rows = run(model, given, tmp_path / "out", ban=str(ban), texts=5, min_coverage=100.0)
    pattern = re.compile(r"\b(olive\s+oil|stir|the\s+add)\b", re.IGNORECASE)
    assert any(pattern.search(row["text"]) for row in free)
    assert not any(pattern.search(row["text"]) for row in rows)
    first = rows[0]
    assert (first["below_min_coverage"], first["unfitted"], first["unfitted_why"]) == (
        True,
        ["1 tb Olive oil"],
        ["banned"],
    )
    ban.write_text("\n".join(["add", "the", "salt", "olive", "tomatoes", ".", "stir", "garlic", "f"]))
    summary, rows = run(model, given, tmp_path / "none", ban=str(ban), gate=TextGates(errors=1))
    assert (summary.texts, summary.errors, summary.input_rows) == (0, 3, 3)
    assert rows[0]["error"] == "No text could be made without a word or phrase of --ban."
    with pytest.raises(UserError, match="holds texts of a run that differs in ban, "):
        generate.run(GenerateOptions(str(model), str(given), str(tmp_path / "none"), width=3, max_tokens=12, texts=2))


def test_several_texts_of_a_row_differ_and_are_counted(model: Path, given: Path, tmp_path: Path) -> None:
    summary, rows = run(model, given, tmp_path / "out", texts=4)
    for row_id in ("a", "b"):
        mine = [row for row in rows if row["id"] == row_id]
        assert [row["text_number"] for row in mine] == list(range(len(mine)))
        assert {row["texts_found"] for row in mine} == {len(mine)} and 1 < len(mine) <= 4
        assert len({row["text"].casefold() for row in mine}) == len(mine)
    assert (summary.input_rows, summary.texts, summary.errors) == (3, len(rows) - 1, 1)
    assert rows[-1]["texts_found"] == 0
    one, first = run(model, given, tmp_path / "one")
    assert one.texts_per_row == 1 and [row["texts_found"] for row in first] == [1, 1, 0]


@pytest.mark.parametrize("shards", [1, 5])
def test_the_summary_tells_equal_texts_and_copied_runs(model: Path, tmp_path: Path, shards: int) -> None:
    said = {"percent_given": 100.0, "tokens": 5}
    first, second = Tally(input_rows=3, rows_with_fewer_texts=1), Tally(input_rows=2, below_min_coverage=1)
    for tally, texts in ((first, "aba"), (second, "cd")):
        for text in texts:
            tally.add_text(said, False, text)
    first.add_runs([3, 5, 5])
    second.add_runs([7, 20])
    facts = {"model_name": "m", "model_version": "", "input": "i", "split": "", "input_fingerprint": "f"}
    third = Tally()
    for _ in range(3):
        third.add_text(said, False, "c")
    (tmp_path / "done").mkdir()
    for number, tally in enumerate((first, second, third)):
        (tmp_path / "done" / f"part-{number:05}.json").write_text(tally.to_json())
    with beam.Pipeline(FnApiRunner()) as pipeline:
        total = pipeline | beam.Create([2, 0, 1]) | job.AddUp(str(tmp_path), size=2, blocks=2, shards=shards)
        _ = total | beam.Map(folder.write_total, str(tmp_path))
    added, every = folder.tally_of(str(tmp_path), folder.TOTAL), add_up([first, second, third])
    assert added == replace(every, plain=[], equal_texts=6) and every.texts == 8
    total = summarize([added], [*said], **facts, seconds=1.0, texts_per_second=5.0)
    assert (total.percent_equal_texts, total.longest_copied_run_mean, total.longest_copied_run_p99) == (75.0, 8.0, 20.0)
    assert (total.rows_with_fewer_texts, total.below_min_coverage) == (1, 1)
    # A model folder that holds an index brings the figures into the job's summary.
    bundle = model_folder.load(model)
    index = CopyIndex.build([["add", "the", "salt", "."], ["stir", "garlic"]])
    model_folder.save(tmp_path / "copies", replace(bundle, copies=index))
    given = write_lines(tmp_path / "rows.jsonl", ROWS[:2])
    summary, rows = run(tmp_path / "copies", given, tmp_path / "out")
    runs = index.longest_runs([row["tokens"] for row in rows])
    assert (summary.longest_copied_run_mean, summary.longest_copied_run_p99) == (sum(runs) / 2, max(runs))
    assert json.loads((tmp_path / "out" / summary_file.NAME).read_text())["longest_copied_run_p99"] == max(runs)


def test_the_command_takes_the_options(
    model: Path, given: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ban = tmp_path / "ban.txt"
    asked = [
        "generate",
        "--model",
        str(model),
        "--input",
        str(given),
        "--output",
        str(tmp_path / "out"),
        "--width",
        "2",
    ]
    asked += ["--max-tokens", "9", "--min-coverage", "60", "--texts", "2", "--supported-numbers-only", "--ban"]
    assert allsaid(*asked, str(ban)) == 1
    assert "can't be read (No such file or directory)" in capsys.readouterr().err
    ban.write_text("garlic\n")
    assert allsaid(*asked, str(ban)) == 0
    assert "texts below 60% given" in capsys.readouterr().out
    job = json.loads((tmp_path / "out" / "job.json").read_text())
    assert (job["ban"], job["min_coverage"], job["texts"], job["supported_numbers_only"]) == (["garlic"], 60.0, 2, True)


def test_varied_texts_depend_on_their_row_alone(model: Path, tmp_path: Path) -> None:
    rows = [{**ROWS[0], "id": f"row {number}"} for number in range(8)]
    given = write_lines(tmp_path / "rows.jsonl", rows)
    _, plain = run(model, given, tmp_path / "plain", min_coverage=100.0)
    _, varied = run(model, given, tmp_path / "varied", min_coverage=100.0, variety=True)
    assert len({row["text"] for row in plain}) == 1 < len({row["text"] for row in varied})
    assert [row["percent_given"] for row in plain] == [row["percent_given"] for row in varied]
    last = write_lines(tmp_path / "last.jsonl", rows[-1:])
    _, alone = run(model, last, tmp_path / "alone", min_coverage=100.0, variety=True)
    assert alone == varied[-1:]


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ({"min_coverage": 200.0}, "'min_coverage' must be between 0 and 100; 200.0 is not."),
        ({"texts": 0}, "'texts' must be at least 1; 0 is not."),
        ({"max_copied": float("nan")}, "'max_copied' must be between 0 and 1; nan is not."),
    ],
)
def test_numbers_that_python_gives_are_checked(option: dict[str, Any], sentence: str) -> None:
    with pytest.raises(UserError, match=re.escape(sentence)):
        TextOptions(**option)
