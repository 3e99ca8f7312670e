"""`allsaid compare`: one call trains and evaluates, the next finds everything in MLflow."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from browser import Watched, chromium
from in_process import allsaid
from inn_table import TABLE
from small_inn import make
from small_study import make_key

from allsaid.proof.figures import FIGURES
from evaluation.compare import compare, differ, marks, page, table
from evaluation.compare.comparison import Comparison
from evaluation.compare.marks import Piece
from evaluation.options import CompareOptions
from evaluation.rating.forms import QUESTIONS
from evaluation.tasks.rows import Row
from schemas.errors import UserError
from training.tracking import connection


@pytest.fixture(scope="module")
def inn(tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> Path:
    """A folder with a data set, the table, an MLflow database and what the first call has made."""
    folder = tmp_path_factory.mktemp("inn")
    make(folder)
    shutil.copy(empty_database, folder)
    (folder / "inn.yaml").write_text(TABLE)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.delenv("MLFLOW_TRACKING_URI", raising=False)
        patch.setenv("PATH", "")  # no Java: METEOR alone takes longer than everything else here
        assert allsaid("compare", "inn.yaml", "--data", "data", "--output", "out") == 0
    return folder


@pytest.fixture
def there(inn: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(inn)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    monkeypatch.setenv("PATH", "")
    return inn


@pytest.fixture(scope="module")
def found(inn: Path) -> Comparison:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(inn)
        patch.delenv("MLFLOW_TRACKING_URI", raising=False)
        patch.setenv("PATH", "")
        return compare.run(CompareOptions("inn.yaml", "data", "out"))


def test_a_second_call_trains_nothing_and_prints_the_same_table(
    there: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (there / "out" / "compare.md").read_text()
    runs = sorted((there / "out" / "runs").iterdir())
    assert [path.name[:6] for path in runs] == ["ours-1", "ours-2"]
    monkeypatch.setattr(compare.start, "train", None)
    monkeypatch.setattr(compare.evaluate, "measure", None)
    assert allsaid("compare", "inn.yaml", "--data", "data", "--output", "out") == 0
    assert (there / "out" / "compare.md").read_text() == before
    printed = capsys.readouterr().out
    assert "A table of an inn" in printed and "55.52" in printed and " ± " in printed


def test_minutes_of_training_are_those_of_the_run_that_trained(found: Comparison) -> None:
    assert found.lines[0].values(compare.MINUTES) == []
    infos = [found.server.run(run.train_id).info for run in found.lines[1].runs]
    took = [(info.end_time - info.start_time) / 60_000 for info in infos]  # each has one epoch, and so one loss
    assert found.lines[1].values(compare.MINUTES) == took and min(took) > 0


def test_reference_texts_have_a_line_with_intervals(found: Comparison) -> None:
    assert found.truth() == []
    given = FIGURES["percent_given"]
    (line,) = replace(found, table=replace(found.table, figures=(given.key,))).truth()
    assert (line.entry.label, line.cell(given)) == ("Reference texts", "100.0 [100.0, 100.0]")


def test_figures_are_found_by_model_and_data_set(found: Comparison) -> None:
    client = found.server.client
    experiment = client.get_experiment_by_name("dialogue").experiment_id
    digest = found.data.manifest.fingerprint[:36]
    runs = client.search_runs([experiment], f"dataset.digest = '{digest}' and tags.kind = 'evaluate'")
    assert len(runs) == 3
    ours = next(run for run in runs if run.info.run_id == found.lines[1].runs[0].run_id)
    assert {key: ours.data.tags[key] for key in ("task", "system", "protocol", "split", "model_name")} == {
        "task": "dialogue",
        "system": "ours",
        "protocol": "paper,rnnlg",
        "split": "test",
        "model_name": "inn-ours",
    }
    (given,) = ours.inputs.dataset_inputs
    assert (given.dataset.name, [tag.value for tag in given.tags]) == ("dialogue-acts", ["test"])
    assert (ours.data.params["width"], ours.data.params["seed"]) == ("2", "1")
    (logged,) = client.get_run(ours.info.run_id).inputs.model_inputs
    metrics = {one.key: one.value for one in client.get_logged_model(logged.model_id).metrics}
    assert metrics["bleu/paper"] == ours.data.metrics["bleu/paper"] == found.lines[1].values("bleu/paper")[0]


def test_every_run_holds_the_same_dev_examples(found: Comparison) -> None:
    tables = [found.server.table(run.run_id) for line in found.lines for run in line.runs]
    assert len(tables) == 3 and len(tables[0]) == 12
    assert {tuple(row["id"] for row in rows) for rows in tables} == {tuple(row["id"] for row in tables[0])}
    handcrafted = next(row for row in tables[0] if row["agenda"] == ["name=red door", "food=soup"])
    assert handcrafted["text"] == "soup is at red door" and handcrafted["missing"] == []
    assert handcrafted["reference"] == "red door serves soup ."


def test_the_page_stands_alone_and_shows_texts_side_by_side(found: Comparison, there: Path) -> None:
    page = (there / "out" / "compare.html").read_text()
    assert not re.search(r"""(src|href)=["']?(https?:|/)""", page)
    for wanted in ("A table of an inn", "55.52", "Learning curves", "Reference", "HDC", "Missing: "):
        assert wanted in page, wanted
    assert page.count('<div class="theirs"') == 1  # the paper gives one figure


@pytest.mark.browser
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (400, "dark")])
def test_the_page_fits_its_window(found: Comparison, there: Path, width: int, scheme: str) -> None:
    with chromium() as browser:
        page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
        watched = Watched(page)
        page.goto((there / "out" / "compare.html").as_uri())
        watched.assert_sound(tables_scroll=True)
        assert page.locator("h1").inner_text().startswith("A table of an inn")
        assert page.locator("svg").count() == 1  # the learning curves


@pytest.mark.browser
def test_a_wide_table_is_reached_and_scrolled_by_keyboard(found: Comparison, there: Path) -> None:
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 400, "height": 900})
        page.goto((there / "out" / "compare.html").as_uri())
        page.keyboard.press("Tab")
        assert page.locator(".wide").evaluate(
            "one => one === document.activeElement && one.scrollWidth > one.clientWidth"
        )
        page.keyboard.press("ArrowRight")
        page.wait_for_function("document.activeElement.scrollLeft > 0")


def test_ratings_are_part_of_the_comparison(there: Path, found: Comparison, capsys: pytest.CaptureFixture[str]) -> None:
    key = make_key(
        task="dialogue",
        data_name="dialogue-acts",
        data_fingerprint=found.data.manifest.fingerprint,
        systems=["ours", "Truth"],
        rows=["a"],
        sheets=[[[0, 0], [0, 1]], [[0, 1], [0, 0]]],
    )
    key.write("key.json")
    for rater, ratings in enumerate(([2, 5], [4, 3]), start=1):
        answers = [
            {"text": text, "question": question, "rating": rating}
            for text, rating in enumerate(ratings, start=1)
            for question in QUESTIONS
        ]
        Path(f"answers-{rater}.json").write_text(json.dumps({"study": "5", "rater": rater, "answers": answers}))
    assert found.ratings == []
    assert allsaid("rate", "read", "answers-1.json", "answers-2.json", "--key", "key.json") == 0
    capsys.readouterr()
    assert allsaid("compare", "inn.yaml", "--data", "data", "--output", "rated") == 0
    assert re.search(r"ours +│ +2\.50 │ +2 │ +│ +2\.50", capsys.readouterr().out)
    lines = (there / "rated" / "compare.md").read_text().splitlines()
    assert "| ours | 2.50 | 2 |  | 2.50 | 2 |  | 2.50 | 2 |  |" in lines
    assert any(
        "Study 5: 1 row of the test part, 2 raters. Answers: 12 read = 12 used + 0 rejected." in one for one in lines
    )
    page = (there / "rated" / "compare.html").read_text()
    assert "Human ratings" in page and "Krippendorff" in page
    assert allsaid("compare", "inn.yaml", "--data", "data", "--output", "rated", "--systems", "handcrafted") == 0
    assert "Human ratings" not in (there / "rated" / "compare.md").read_text()


def test_what_differs_from_the_paper_is_a_note(there: Path, found: Comparison) -> None:
    assert "Unlike in the paper, trained: another inn." in found.notes()
    Path("odd.yaml").write_text(TABLE.replace("{trained: ", "{taught: "))
    with pytest.raises(UserError, match="'differs' must hold reasons as texts, by every, trained, bleu/paper, slot"):
        table.read("odd.yaml")


def test_two_runs_texts_are_compared(there: Path, found: Comparison, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = (line.runs[0].run_id for line in found.lines)
    assert allsaid("compare", "--texts", first, second) == 0
    printed = capsys.readouterr()
    assert re.search(r"1[0-2] of 12 texts differ", printed.out)
    assert "missing: " in printed.out and "handcrafted gives more: 100.0% of the items" in printed.err
    assert differ.run(first, first) == []
    with pytest.raises(UserError, match="has no run 0000"):
        differ.run(first, "0000")
    with pytest.raises(UserError, match=r"holds no texts.json. Give a run of `allsaid evaluate`"):
        differ.run(first, found.lines[1].runs[0].train_id)


def test_other_data_is_trained_anew(found: Comparison) -> None:
    entry = found.table.systems[1]
    tags = {"kind": "train", "dataset_fingerprint": found.data.manifest.fingerprint}
    hashes = {run.data.tags["config_hash"] for run in found.server.find(tags)}
    assert len(hashes) == 2 and entry.config == "dialogue"
    assert found.server.find(tags | {"dataset_fingerprint": "another"}) == []


def test_earlier_models_use_todays_search_settings(
    there: Path, found: Comparison, monkeypatch: pytest.MonkeyPatch
) -> None:
    (there / "shorter.yaml").write_text(TABLE.replace("max_tokens=9", "max_tokens=3"))
    monkeypatch.setattr(compare.start, "train", None)
    shorter = compare.run(CompareOptions("shorter.yaml", "data", "shorter"))
    runs = [line.runs[0] for line in (found.lines[1], shorter.lines[1])]
    assert runs[0].train_id == runs[1].train_id
    assert [found.server.run(run.run_id).data.params["max_tokens"] for run in runs] == ["9", "3"]


def test_of_a_file_of_several_tables_it_is_the_one_for_the_data(
    there: Path, found: Comparison, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_recipes = "title: Recipes\ntask: recipes\nsplit: test\nfigures: [bleu]\nsystems: {near: {label: N, texts: nn}}"
    (there / "both.yaml").write_text(f"{of_recipes}\n---\n{TABLE}")
    monkeypatch.setattr(compare.start, "train", None)
    both = compare.run(CompareOptions("both.yaml", "data", "both"))
    assert both.table.task == "dialogue" and [line.runs for line in both.lines] == [line.runs for line in found.lines]
    assert [entry.key for entry in table.read("both.yaml").systems] == ["near"]
    with pytest.raises(UserError, match="There is no system 'near'; the table has handcrafted, ours"):
        compare.run(CompareOptions("both.yaml", "data", systems="near"))


def test_what_cannot_be_compared_is_told(there: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UserError, match="There is no table 'none', neither as a file nor among the shipped ones"):
        compare.run(CompareOptions("none", "data"))
    with pytest.raises(UserError, match="There is no system 'x'; the table has handcrafted, ours"):
        compare.run(CompareOptions("inn.yaml", "data", systems="x"))
    with pytest.raises(UserError, match="compares systems for recipes, but data holds dialogue"):
        compare.run(CompareOptions("recipes", "data"))
    for change, told in (
        (("task: dialogue", "task: songs"), "Table 'odd' compares systems for songs, but data holds dialogue"),
        (
            ("bleu/paper, slot", "blue/paper, slot"),
            "names the figures blue/paper; the valid ones are bleu/paper, bleu/",
        ),
        (("texts: handcrafted", "texts: handcrafter"), "asks for the baseline 'handcrafter'; .* mean 'handcrafted'"),
    ):
        (there / "odd.yaml").write_text(TABLE.replace(*change))
        with pytest.raises(UserError, match=told):
            compare.run(CompareOptions("odd.yaml", "data"))
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "http://127.0.0.1:9")
    with pytest.raises(UserError, match=r"MLflow at http://127.0.0.1:9 failed"):
        compare.run(CompareOptions("inn.yaml", "data"))


def test_a_table_of_no_paper_has_no_columns_for_one(found: Comparison) -> None:
    ours = replace(found, table=replace(found.table, systems=tuple(replace(e, paper={}) for e in found.table.systems)))
    assert ours.header() == ["system", *(figure.short for figure in found.figures)]
    assert {len(cells) for cells in ours.cells()} == {len(ours.header())}
    assert page.markdown(ours).splitlines()[2].startswith("Our figures. ")
    assert 'class="paper"' in page.html(found) and 'class="paper"' not in page.html(ours)
    truth = replace(found.table, truth={"slot_error_percent": 0.4})
    assert truth.figures_of_paper == {"bleu/paper", "slot_error_percent"}


def test_faults_of_a_text_are_marked_where_they_stand() -> None:
    text = "Add milk. Warm it.\nAdd salt and Milk."
    row = Row("1", "Pie", ["2 cups milk"], "", text, [], [], ["salt"], ["2 cups milk"])
    assert marks.pieces(row) == [
        Piece("Add milk. Warm it.\nAdd "),
        Piece("salt", "extra"),
        Piece(" and "),
        Piece("Milk", "doubled"),
        Piece("."),
    ]
    act = Row("2", "inform", ["name=red door"], "", "red door has SLOT_AREA", [], [], ["SLOT_AREA"], [])
    assert marks.pieces(act) == [Piece("red door has "), Piece("SLOT_AREA", "extra")]


def test_the_table_reads_back(there: Path) -> None:
    lines = (there / "out" / "compare.md").read_text().splitlines()
    assert "| system | BLEU-4, paper's | paper | % slot errors | minutes of training |" in lines
    assert any(line.startswith("Our figures beside the paper's. ") for line in lines)
    assert sum(line.startswith("| Ours | models:/inn-ours/") for line in lines) == 2
    assert json.dumps(lines) and connection.tracking_uri().endswith("mlflow.db")
