"""`allsaid generate` by a task without items: its rows, its figures, and no others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from in_process import allsaid
from small_documents import install_diary, lay_out_diary, untrained_diary

from allsaid.modeling import systems
from batch_infer.proof import summary as summary_file
from batch_infer.proof.texts import read_rows
from batch_infer.pyfunc import ServedModel


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory):
    """A folder with the package, a data set and a model."""
    folder = tmp_path_factory.mktemp("diary")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        install_diary(folder)
        untrained_diary(folder / "model", lay_out_diary(folder / "data"))
        yield folder
    systems._find.cache_clear()


def generate(world: Path, given: str, output: str, *more: str) -> int:
    asked = ("--model", str(world / "model"), "--input", str(world / given), "--output", str(world / output))
    return allsaid("generate", *asked, "--direct_running_mode=in_memory", *more)


def test_a_data_set_that_only_the_task_reads(world: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert generate(world, "data", "texts", "--show") == 0

    told = capsys.readouterr()
    assert "long words a text" in told.out and "tokens a text" in told.out
    assert "given" not in told.out and "extra" not in told.out and "never" not in told.err
    found = summary_file.read(str(world / "texts"))
    assert (found.texts, found.errors, found.percent_given, found.extra_items) == (8, 0, None, None)
    assert found.true["long"] == pytest.approx(1.25) and found.means.keys() == {"long"}
    assert [row.id for row in read_rows(str(world / "texts"))] == [f"test-{place}" for place in range(8)]
    assert all(row.percent_given is None and row.extra_count is None for row in read_rows(str(world / "texts")))


def test_lines_that_only_the_task_reads(world: Path) -> None:
    lines = [{"id": "a", "day": "Monday"}, {"id": "b"}, {"id": "c", "day": 3}, {"day": "Friday"}]
    (world / "rows.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert generate(world, "rows.jsonl", "of-lines", "--keep", "day") == 0
    found = summary_file.read(str(world / "of-lines"))
    assert (found.texts, found.errors, found.true) == (2, 2, {})
    assert [one.example for one in found.reasons] == [
        "The row has no day.",
        "The task 'diary.pages' can't read the row (AttributeError: 'int' object has no attribute 'strip').",
    ]
    assert [row.goal for row in read_rows(str(world / "of-lines"))] == ["Monday", "Friday"]


def test_reports_show_measured_figures_only(world: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert generate(world, "data", "one") == 0
    assert generate(world, "data", "other", "--width", "1", "--max-tokens", "2") == 0
    capsys.readouterr()
    assert allsaid("report", str(world / "one")) == 0
    page = (world / "one" / "report.html").read_text()
    assert "long words a text" in page and "8 texts</h1>" in page and "Day 3" in page
    assert "given" not in page.partition("<body>")[2] and "extra" not in page.partition("<body>")[2]
    assert allsaid("compare", "--texts", str(world / "one"), str(world / "other")) == 0
    told = capsys.readouterr()
    assert "of 8 texts differ" in told.out and "given" not in told.out + told.err


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (("--gate", "given=50"), "The gate 'given' limits '% given items (head word)', which is not measured"),
        (("--gate", "extra=1"), "The gate 'extra' limits 'extra items a text', which is not measured"),
        (
            ("--min-coverage", "80"),
            "The setting 'min_coverage' needs a row's goal and agenda, which the rows of the task 'diary.pages'",
        ),
        (("--variety",), "The setting 'variety' needs"),
        (("--refuse-unfamiliar",), "Models of the task 'diary.pages' don't record the rows of their training."),
        (("--keep", "day"), "--keep day: the rows that the task 'diary.pages' reads have no columns."),
        (("--split", "all"), "--split all: a data set has the splits train, dev, test."),
    ],
)
def test_what_such_a_task_has_not_is_refused(
    world: Path, asked: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert generate(world, "data", "refused", *asked) == 1
    assert told in " ".join(capsys.readouterr().err.split())


def test_mlflow_gives_the_model_the_values_of_its_rows(world: Path) -> None:
    import pandas as pd

    found = ServedModel(str(world / "model")).predict(pd.DataFrame({"day": ["Monday", ""]}))
    assert found["error"].tolist() == [None, "The row has no day."]
    assert isinstance(found["text"][0], str) and found["percent_given"].tolist() == [None, None]
