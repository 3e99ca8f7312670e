"""The nights of a shop by `allsaid nightly`: what each start does, what readers see, and what a night tells."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import yaml
from as_process import json_lines, loaded_by
from fault_worlds import HEADER
from in_process import allsaid
from night_shop import CONFIG, NEW, seen, summary, told, write_config, write_table

from allsaid.storage import lock
from allsaid.storage.run_store import RunStore, new_run
from batch_infer.report import report
from pipelines.datasets import snapshot


def test_the_nights_of_a_shop(shop: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert allsaid("nightly", "shop.yaml") == 0
    first = seen()
    assert f"texts/runs/{first} " in capsys.readouterr().out
    assert (summary()["input_rows"], summary()["searched"], snapshot.published("data").kept) == (6, 6, 5)
    assert Path("texts/current/report.html").exists() and Path("texts/current/texts.csv").exists()
    assert Path("data/validation/index.html").exists() and Path("texts/current/validation/index.html").exists()

    there = sorted(map(str, Path("texts").rglob("*")))
    capsys.readouterr()
    assert allsaid("nightly", "shop.yaml") == 0
    assert f"Nothing to do: texts/runs/{first} was made from the same table, model, settings" in told(capsys)
    assert sorted(map(str, Path("texts").rglob("*"))) == there
    assert loaded_by("nightly", "shop.yaml") == (0, set())

    write_table(NEW, changed="47")
    assert allsaid("nightly", "shop.yaml") == 0
    second = seen()
    assert second > first and (summary()["searched"], summary()["taken_over"]) == (1, 5)

    # A damaged file costs its rows, and is made again though the table is the same.
    (damaged,) = Path("texts/current/texts").iterdir()
    damaged.write_bytes(b"PAR1")
    assert allsaid("nightly", "shop.yaml") == 0
    assert "texts/part-00000.parquet is missing or damaged." in told(capsys)
    third = seen()
    assert summary()["searched"] == 6 and pq.read_table("texts/current/texts").num_rows == 6
    assert sorted(path.name for path in Path("texts/runs").iterdir()) == [
        name for run in (second, third) for name in (run, f"{run}.json")
    ]


def test_a_night_that_breaks_a_gate_is_kept_aside(shop: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert allsaid("nightly", "shop.yaml") == 0
    first = seen()
    bad = [f"b{number},,Elm,oak,5{number},no,1," for number in range(2)]
    write_table(NEW, *bad)
    for _ in range(2):  # the second start judges what is there
        assert allsaid("nightly", "shop.yaml") == 2
        aside = max(path.name for path in Path("texts/runs").iterdir() if path.is_dir())
        news = told(capsys)
        assert "25.0% of 8 rows could not become a text; the gate 'errors' allows 20.0%" in news
        assert f"The texts stay in texts/runs/{aside}, unpublished;" in news and "publishes them as they are." in news
        assert seen() == first != aside and len(list(Path("texts/runs").iterdir())) == 4
    write_config(gate=["errors=0.3"])
    assert allsaid("nightly", "shop.yaml") == 0
    assert seen() == aside and summary()["searched"] == 0

    Path("shop.csv").write_text("\n".join(Path("shop.csv").read_text().splitlines()[:3]) + "\n")
    assert allsaid("nightly", "shop.yaml") == 2  # the ingest's own gate
    assert "60.0% fewer than the 5 of run" in told(capsys)
    assert seen() == aside


def test_the_history_of_nightly_runs(shop: None) -> None:
    assert allsaid("nightly", "shop.yaml") == 0
    write_table(NEW, "b1,,Elm,oak,50,no,1,", "b2,,Elm,oak,51,no,1,", header=f"{HEADER},shelf,said")
    assert allsaid("nightly", "shop.yaml") == 2
    killed, early = Path("texts/runs", new_run()), new_run()
    killed.mkdir()
    (killed / "job.json").write_text("{}")
    Path("texts/locks").mkdir(exist_ok=True)
    Path(f"texts/locks/{early}.json").write_text("{}")  # killed before its first file
    code, (found,), said = json_lines("--log-format", "json", "history", "texts")
    first, aside, *left = found["runs"]
    assert (code, first["run"], [night["run"] for night in left]) == (0, seen(), sorted([killed.name, early]))
    statuses = ["published, seen by readers", "kept aside", "unfinished", "unfinished"]
    assert [night["status"] for night in found["runs"]] == statuses
    assert [(night["texts"], night["errors"], night["searched"], night["reused"]) for night in found["runs"]] == [
        (6, 0, 6, 0),
        (6, 2, 0, 6),
        (None, None, None, None),
        (None, None, None, None),
    ]
    lines = [line["message"] for line in said]
    assert any(line.startswith(f"{aside['run']}: 25.0% of 8 rows could not become a text") for line in lines)
    assert any(line.startswith(f"{aside['run']}: The column 'stock' is now called 'shelf'") for line in lines)
    assert allsaid("history", "texts", "--picture") == 1
    code, (data_set,), _ = json_lines("--log-format", "json", "history", "data")
    assert code == 0 and [past["status"] for past in data_set["runs"]] == ["published", "published"]


def test_an_interrupted_night_is_gone_on_with(
    shop: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(folder: str) -> str:
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr(report, "write", killed)
        assert allsaid("nightly", "shop.yaml") == 130
    (left,) = Path("texts/runs").iterdir()
    assert not Path("texts/published.json").exists()
    capsys.readouterr()
    assert allsaid("nightly", "shop.yaml") == 0
    assert seen() == left.name
    assert "holds the finished texts of this run" in told(capsys)


def test_a_link_that_a_kill_left_behind_is_set_right(
    shop: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert allsaid("nightly", "shop.yaml") == 0
    first = seen()
    write_table(NEW, changed="47")

    link = RunStore._link

    def killed(store: RunStore, run: str) -> None:
        if store.output == "texts":
            raise KeyboardInterrupt
        link(store, run)

    with monkeypatch.context() as broken:
        broken.setattr(RunStore, "_link", killed)
        assert allsaid("nightly", "shop.yaml") == 130
    assert Path("texts/current").resolve().name == first
    assert allsaid("nightly", "shop.yaml") == 0
    assert seen() > first and "texts/current did not link to the published run; it is corrected." in told(capsys)


def test_a_plan_counts_what_a_night_would_do(shop: None) -> None:
    assert allsaid("nightly", "shop.yaml") == 0
    doubled = ["n3,chair,Elm,oak,52,no,7,"] * 2
    write_table(NEW, "n2,stool,Fir,pink,9,no,7,", *doubled, changed="48")
    before = sorted(Path().rglob("*"))
    code, (figures,), _ = json_lines("--log-format", "json", "nightly", "shop.yaml", "--plan")
    assert code == 0 and sorted(Path().rglob("*")) == before
    counts = [
        figures["plan"][name] for name in ("rows", "searched", "reused", "errors", "unfamiliar", "files", "workers")
    ]
    assert counts == [9, 2, 5, 2, 1, 1, 1]
    assert figures["plan"]["seconds_per_row"] > 0 and figures["plan"]["megabytes"] > 100


def test_one_night_at_a_time(shop: None, capsys: pytest.CaptureFixture[str]) -> None:
    with lock.held("texts", new_run(), 0):
        assert allsaid("nightly", "shop.yaml") == 1
    assert "Another run" in told(capsys) and not Path("texts/runs").exists()


@pytest.mark.parametrize(
    ("section", "change", "sentence"),
    [
        (
            "generate",
            {"widht": 3},
            "generate has the key 'widht'; the valid ones are model, input, output,",
        ),
        ("generate", {"previous": "x"}, "has the key 'previous'"),
        ("generate", {"width": 0}, "shop.yaml: generate: 'width' must be at least 1; 0 is not."),
        ("generate", {"width": {"width": 3}}, "generate: 'width' must be one value"),
        ("generate", {"keep_snapshots": 0}, "generate: 'keep_snapshots' must be at least 1; 0 is not."),
        ("generate", {"model": None}, "generate has no key 'model', which is needed"),
        ("generate", {"gate": ["eror=1"]}, "There is no setting 'eror'; the valid ones are given, extra, errors"),
        ("ingest", {"source": "record"}, "ingest: 'source' must be one of allrecipes, coref,"),
        ("drift", {"columns": "thaw"}, "drift: 'columns' must be one of evolve, freeze; 'thaw' is not."),
        ("drift", {"values": 2}, "drift: 'values' must be between 0 and 1; 2.0 is not."),
        ("ingest", {"guess": "x"}, "ingest has the key 'guess'; the valid ones are input, output, set"),
    ],
)
def test_mistakes_of_a_section_are_told(
    section: str, change: dict[str, Any], sentence: str, shop: None, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("shop.yaml").write_text(yaml.safe_dump(CONFIG | {section: CONFIG.get(section, {}) | change}))
    assert allsaid("nightly", "shop.yaml") == 1
    assert sentence in told(capsys)
    assert not Path("texts").exists()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[1]", "shop.yaml must have the sections ingest and train and generate and prove and drift"),
        ("ingest: {}", "shop.yaml must have one of the sections 'generate'"),
        ("texts: {}", "has the section 'texts'; the valid ones are ingest, train, generate, prove, drift."),
        ("a: [", "shop.yaml can't be read"),
    ],
)
def test_what_is_no_such_file_is_told(
    text: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("shop.yaml").write_text(text)
    assert allsaid("nightly", "shop.yaml") == 1
    assert sentence in told(capsys)


def test_the_plan_of_a_first_run_that_reads_its_data_set(shop: None) -> None:
    write_config(input="data")
    before = sorted(Path().rglob("*"))
    code, (figures,), _ = json_lines("--log-format", "json", "nightly", "shop.yaml", "--plan")
    assert (code, figures["plan"], sorted(Path().rglob("*"))) == (0, None, before)
    assert figures["unknown"][0] == "The rows and the cost of the texts are not known: the ingest makes data first."
