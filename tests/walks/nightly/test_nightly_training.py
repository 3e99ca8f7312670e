"""Nightly runs that train: when, with what outcome, and whose texts readers see."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from as_process import json_lines, loaded_by
from fault_worlds import MAPPING, chairs
from in_process import allsaid
from openlineage_events import Events, parent_of

from batch_infer.nights.training import WAITING, Training, due, settle
from batch_infer.options.nightly import NightlyTrainOptions
from training.tracking import versions
from training.tracking.promotion import compare_rows
from training.tracking.versions import Versions

WEAK = {"config": "table", "set": ["hidden=4", "epochs=1", "score_texts=40", "max_tokens=20", "sample_texts=1"]}
GOOD = {"config": "assemble"}
CONFIG: dict[str, Any] = {
    "ingest": {
        "source": "records",
        "input": "shop.csv",
        "output": "data",
        "mapping": "chairs.yaml",
        "set": ["dev_share=0.5", "test_share=0"],
        "gate": ["lost=1"],
    },
    "generate": {"model": "models:/shop@champion", "input": "shop.csv", "output": "texts", "width": 2},
}


def write_table(rows: int) -> None:
    Path("shop.csv").write_text(chairs(rows))


def night(**train: Any) -> int:
    """A nightly run with this section `train`."""
    Path("shop.yaml").write_text(yaml.safe_dump(CONFIG | {"train": train}))
    return allsaid("nightly", "shop.yaml")


def summary() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path("texts/current/summary.json").read_text())
    return found


def runs() -> list[str]:
    return sorted(path.name for path in Path("texts/runs").iterdir() if path.is_dir())


@pytest.fixture
def shop(own_folder: None) -> None:
    """A folder with a table, its mapping and an empty registry."""
    Path("chairs.yaml").write_text(MAPPING)
    write_table(80)


@pytest.mark.slow
def test_a_better_challenger_takes_over(shop: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert night(**WEAK, rows="10%") == 0
    assert summary()["model_version"] == "1"
    assert summary()["training"] == [
        "A training was due: 'shop' has no champion yet.",
        "Version 1: It is the first champion.",
    ]
    assert night(**GOOD, rows="10%") == 0 and "Nothing to do" in capsys.readouterr().err
    assert loaded_by("nightly", "shop.yaml") == (0, set())  # the registry is as the run before left it
    first = runs()

    write_table(90)
    assert night(**GOOD, rows="10%") == 0
    assert versions.read("shop").champion == summary()["model_version"] == "2"
    due, verdict = summary()["training"]
    assert due == (
        "A training was due: The data set has 90 examples, and the newest version of 'shop' was trained on 80."
    )
    assert verdict.startswith("Version 2: It is no worse on the rows of the nightly run: % given")
    assert "Version 2: It is no worse" in Path("texts/current/report.html").read_text()
    assert len(runs()) == len(first) + 1  # the champion's texts of the same rows are gone

    write_table(100)
    assert night(**WEAK, rows="10%") == 0
    assert versions.read("shop").champion == summary()["model_version"] == "2"
    assert summary()["training"][1].startswith("Version 3: It stays challenger: ")
    assert summary()["texts"] == 100


def test_a_refused_challenger_can_be_promoted_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    tagged: list[str] = []
    monkeypatch.setattr(versions, "refuse", lambda *values: tagged.extend(values))
    waiting = Training("", WAITING, "2", "It is better on dev.")
    decision = compare_rows({"texts": 24.0}, {"texts": 24.0})
    sentence = settle(waiting, "shop", decision).sentence
    assert sentence == (
        "It stays challenger: on the rows of the nightly run, it was measured on 24 texts, and promotion needs 30. "
        "`allsaid promote shop 2` makes it champion by hand."
    )
    assert tagged == ["shop", "2", sentence]


@pytest.mark.slow
def test_the_training_is_a_step_in_openlineage(shop: None, monkeypatch: pytest.MonkeyPatch) -> None:
    events = Events(Path("events.jsonl").absolute(), monkeypatch)
    assert night(**GOOD, every="7d") == 0
    found = events.read()
    names = [event["job"]["name"] for event in found if event["eventType"] == "COMPLETE"]
    assert names == ["nightly.shop.ingest", "nightly.shop.train", "nightly.shop.generate", "nightly.shop"]
    (whole,) = {event["run"]["runId"] for event in found if event["job"]["name"] == "nightly.shop"}
    assert {parent_of(event) for event in found if event["run"]["runId"] != whole} == {whole}


@pytest.mark.slow
def test_a_training_that_fails_leaves_the_champion(shop: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert night(**WEAK, drift=True) == 0
    first = runs()
    Path("shop.csv").write_text(Path("shop.csv").read_text().replace("foldable,said", "foldable,said,stock"))
    broken = WEAK | {"set": ["epochs=no"]}
    assert night(**broken, drift=True) == 3
    assert runs()[:-1] == first  # the night published
    assert summary()["model_version"] == "1"
    due, failed = summary()["training"]
    assert due.startswith("A training was due: The table changed. The column 'stock' is new; ")
    assert failed.startswith("The training failed, so the champion stays: 'epochs' must be")
    assert "Its folder is" not in failed  # it began none
    assert "The training failed, so the champion stays" in Path("texts/current/report.html").read_text()
    capsys.readouterr()

    assert night(**broken, drift=True) == 3  # nothing else is to be done, but the training is tried again
    told = " ".join(capsys.readouterr().err.split())
    assert "Nothing to do" in told and "A training is due: The table changed." in told
    assert night(**WEAK, drift=True) == 0
    assert versions.read("shop").newest == "2"
    assert night(**WEAK, drift=True) == 0 and versions.read("shop").newest == "2"


def test_a_training_ends_with_a_nightly_run_that_is_killed() -> None:
    silent = "import os, sys, time; print(os.getpid(), file=sys.stderr, flush=True); time.sleep(3600)"
    program = f"import sys; from batch_infer.nights import training; training._run([sys.executable, '-c', {silent!r}])"
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True) as night:
        assert night.stderr is not None and int(night.stderr.readline()) != night.pid
        night.kill()
        night.wait()
    until = time.monotonic() + 100
    with pytest.raises(ProcessLookupError):
        while time.monotonic() < until:
            os.killpg(night.pid, 0)
            time.sleep(0.1)


@pytest.mark.slow
def test_a_version_that_waits_is_compared_by_the_next_run(shop: None) -> None:
    """A training by hand, or a run that was killed after its training, leaves one."""
    assert night(**WEAK, every="7d") == 0
    train = ["train", "assemble", "--data", "data", "--name", "shop", "--run-dir", "by_hand", "--keep-champion"]
    assert allsaid(*train) == 0
    known = versions.read("shop")
    assert (known.champion, known.waiting) == ("1", "2") and known.reason.startswith("It is better: ")
    assert night(**WEAK, every="7d") == 0  # of the same table
    known = versions.read("shop")
    assert (known.champion, known.waiting) == ("2", "") and summary()["model_version"] == "2"


@pytest.mark.parametrize(
    ("train", "sentence"),
    [
        ({"config": "assemble"}, "train needs a rule that starts a training: 'every', 'drift' or 'rows'."),
        ({"every": "7d"}, "train has no key 'config', which is needed"),
        ({"config": "assemble", "every": "weekly"}, "'every' must be a number of days or hours, such as 7d; 'weekly'"),
        ({"config": "assemble", "rows": "many"}, "'rows' must be a percentage, such as 10%; 'many' is not."),
        ({"config": "assemble", "every": "7d", "set": ["seed=1,2"]}, "a nightly run trains no grid."),
        ({"config": "assemble", "every": "7d", "name": "shop"}, "has the key 'name', which follows from the other"),
        ({"config": "assemble", "every": "7d", "resume": True}, "train has the key 'resume'; the valid ones are"),
    ],
)
def test_mistakes_of_the_section_are_reported(
    train: dict[str, Any], sentence: str, shop: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert night(**train) == 1
    assert sentence in " ".join(capsys.readouterr().err.split())
    assert not Path("texts").exists()


def test_a_training_needs_the_champion_as_its_model(shop: None, capsys: pytest.CaptureFixture[str]) -> None:
    generate = CONFIG["generate"] | {"model": "chairs"}
    Path("shop.yaml").write_text(yaml.safe_dump(CONFIG | {"generate": generate, "train": GOOD | {"rows": "10%"}}))
    assert allsaid("nightly", "shop.yaml") == 1
    assert "'train' needs models:/NAME@champion as the model of 'generate', not 'chairs'." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("rules", "age_in_days", "rows", "is_due"),
    [
        ({"every": "7d"}, 6.9, 80, False),
        ({"every": "7d"}, 7.1, 80, True),
        ({"every": "12h"}, 0.6, 80, True),
        ({"rows": "10%"}, 99, 87, False),
        ({"rows": "10%"}, 99, 88, True),
        ({"rows": "10%"}, 99, 72, True),
        ({"every": "7d", "rows": "10%"}, 1, 90, True),  # one rule is enough
    ],
)
def test_when_a_training_is_due(rules: dict[str, Any], age_in_days: float, rows: int, is_due: bool) -> None:
    options = NightlyTrainOptions(config="assemble", data="data", name="shop", **rules)
    known = Versions("1", "", "1", "", time.time() - age_in_days * 86400, 80)
    assert bool(due(options, known, rows, [], None)) == is_due


@pytest.mark.slow
def test_a_version_that_is_not_promoted_is_not_trained_again(shop: None, capsys: pytest.CaptureFixture[str]) -> None:
    write_table(40)  # too few dev texts for a promotion
    for _ in range(2):
        assert night(**GOOD, rows="10%") == 1
        error = " ".join(capsys.readouterr().err.split()).partition("Error: ")[2]
        assert "'shop' has no champion: version 1" in error and error.count("`allsaid promote shop 1`") == 1
    assert allsaid("promote", "shop", "1") == 0
    assert night(**GOOD, rows="10%") == 0


@pytest.mark.slow
def test_a_fault_of_the_input_ends_a_run_before_it_trains(shop: None, capsys: pytest.CaptureFixture[str]) -> None:
    apart = CONFIG | {"generate": CONFIG["generate"] | {"input": "new.csv"}, "train": GOOD | {"drift": True}}
    Path("shop.yaml").write_text(yaml.safe_dump(apart))
    assert allsaid("nightly", "shop.yaml") == 1
    told = " ".join(capsys.readouterr().err.split())
    assert f"--input new.csv matches no file in {Path.cwd()}." in told and not versions.read("shop").newest
    Path("new.csv").write_text(chairs(30))
    assert allsaid("nightly", "shop.yaml") == 0 and versions.read("shop").newest == "1"
    Path("new.csv").write_text(chairs(30).replace(",width,", ",breadth,"))
    assert allsaid("nightly", "shop.yaml") == 1
    assert "lacks the column 'width'" in " ".join(capsys.readouterr().err.split())
    assert versions.read("shop").newest == "1"


def plan_of(**sections: Any) -> dict[str, Any]:
    """The plan of a nightly run, which must write nothing."""
    Path("shop.yaml").write_text(yaml.safe_dump(CONFIG | sections))
    before = sorted(Path().rglob("*"))
    code, (plan,), _ = json_lines("--log-format", "json", "nightly", "shop.yaml", "--plan")
    assert (code, sorted(Path().rglob("*"))) == (0, before)
    return plan


def test_the_plan_of_the_first_nightly_run(shop: None) -> None:
    plan = plan_of(train=GOOD | {"every": "7d"})
    assert (plan["status"], plan["data_set"]) == ("would be the first", "none yet; the ingest makes it")
    assert plan["training"] == "would start: 'shop' has no champion yet."
    assert plan["plan"] is plan["drift"] is None
    assert "not known: 'shop' has no champion yet." in plan["unknown"][0]


@pytest.mark.slow
def test_plan_and_run_agree_on_drift_and_training(shop: None) -> None:
    frozen = {"train": GOOD | {"drift": True, "rows": "10%"}, "drift": {"columns": "freeze"}}
    assert night(**GOOD, drift=True) == 0
    plan = plan_of(**frozen)
    assert (plan["status"], plan["training"], plan["plan"]) == ("nothing to do", "none by any rule", None)
    assert loaded_by("nightly", "shop.yaml", "--plan") == (0, set())

    write_table(85)
    plan = plan_of(**frozen)
    assert (plan["training"], plan["drift"]) == ("none by any rule but perhaps 'rows'", [])
    assert (plan["plan"]["rows"], plan["plan"]["reused"]) == (85, 80)
    assert any("it does if the data set has 72 examples or fewer, or 88 or more." in one for one in plan["unknown"])

    Path("shop.csv").write_text(Path("shop.csv").read_text().replace("foldable,said", "foldable,said,stock"))
    plan = plan_of(**frozen)
    (change,) = plan["drift"]
    assert plan["training"] == f"would start: The table changed. {change}"
    assert plan["gates"] == [f"{change} The gate 'columns' is 'freeze'."]
    for _ in range(2):  # the second start meets the same change, and trains no second time
        assert allsaid("nightly", "shop.yaml") == 2
        assert versions.read("shop").newest == "2"
    assert plan_of(**frozen)["training"] == "none by any rule"
