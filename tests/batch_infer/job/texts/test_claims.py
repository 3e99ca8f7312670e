"""Claims that no column supports, from the mapping to the report, with a model that assembles its texts."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

import pytest
from in_process import allsaid

from allsaid.modeling.saved.model_folder import load
from allsaid.proof.forms.claims import claims_in
from batch_infer.proof.judges import judge_of
from batch_infer.proof.texts import read_rows
from batch_infer.rows.inputs import Row


@pytest.fixture(scope="module")
def world(assembled: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a data set, a run and generated texts."""
    folder = Path(shutil.copytree(assembled, tmp_path_factory.mktemp("claims") / "shop", symlinks=True))
    given = ("--model", str(folder / "run" / "model"), "--input", str(folder / "data"))
    assert allsaid("generate", *given, "--output", str(folder / "texts"), "--direct_running_mode=in_memory") == 0
    return folder


def test_most_of_the_frequent_claims_of_the_sample_are_real(world: Path) -> None:
    with (world / "run" / "claims.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    found = [row["claim"] for row in rows[:20]]
    assert found[:3] == ["easy to carry", "a small workshop", "is no lightweight"]
    carriers = {"costs", "weighs", "price", "colour", "made", "used", "yours", "produced", "get", "try", "looking"}
    assert sum(carriers.isdisjoint(claim.split()) for claim in found) == 20
    assert [row["decision"] for row in rows[:3]] == ["forbidden", "allowed", ""]


def test_no_text_has_a_forbidden_claim_and_all_are_certified(world: Path) -> None:
    rows = list(read_rows(str(world / "texts")))
    assert not any(claims_in([row.text], ["easy to carry"]) for row in rows)
    assert all(row.certified for row in rows)
    claims = [claim for row in rows for claim in row.claims]
    assert "a small workshop" in claims and "easy to carry" not in claims


def test_a_forbidden_claim_in_a_text_is_extra(world: Path) -> None:
    judge = judge_of(load(world / "run" / "model"))
    row = Row("mug", ["weight_kg=0.2 kg"], ["mug"], [["SLOT_WEIGHT_KG"]])
    found = judge.measure(["at", "SLOT_WEIGHT_KG", ",", "it", "is", "easy", "to", "carry", "."], row)
    assert found.given[0] and found.extra == ["claim=easy to carry"] and not found.certified
    (finding,) = [one for one in found.findings if one.column == "claim"]
    assert (finding.grade, finding.kind, finding.passage) == (
        "wrong",
        "the mapping forbids this claim",
        "easy to carry",
    )
    assert judge.claims("It comes from a small workshop.") == ["a small workshop"]


def test_the_report_marks_claims_by_what_the_mapping_decides(world: Path) -> None:
    assert allsaid("report", str(world / "texts")) == 0
    page = (world / "texts" / "report.html").read_text(encoding="utf-8")
    marked = '<mark class="claim" title="claim that no column supports, {}">'
    assert marked.format("allowed") + "a small workshop</mark>" in page and marked.format("undecided") in page


def test_struck_clauses_are_never_used(world: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (world / "run" / "phrasebook.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows[0]["clause"] == "it weighs {weight_kg}" and not any(row["strike"] for row in rows)
    reviewed = world / "reviewed.csv"
    reviewed.write_text("clause,strike\nit weighs {weight_kg},x\n")
    given = ("--input", str(world / "data"), "--direct_running_mode=in_memory", "--limit", "5")
    model = ("--model", str(world / "run" / "model"))
    asked = ("generate", *model, *given, "--output", str(world / "struck"))
    assert allsaid(*asked, "--phrasebook", str(reviewed)) == 0
    assert any("it weighs" in row.text.lower() for row in read_rows(str(world / "texts")))
    assert not any("it weighs" in row.text.lower() for row in read_rows(str(world / "struck")))
    assert json.loads((world / "struck" / "job.json").read_text())["struck"] == ["it weighs {weight_kg}"]
    assert allsaid(*asked) == 1 and "differs in struck" in capsys.readouterr().err
    place = ("--run-dir", str(world / "again"), "--tracking", "offline", "--phrasebook", str(reviewed))
    assert allsaid("train", "assemble", "--data", str(world / "data"), *place) == 0
    with (world / "again" / "phrasebook.csv").open(encoding="utf-8", newline="") as file:
        assert [row["clause"] for row in csv.DictReader(file) if row["strike"]] == ["it weighs {weight_kg}"]
    again = ("--model", str(world / "again" / "model"), "--output", str(world / "later"))
    assert allsaid("generate", *given, *again) == 0
    assert not any("it weighs" in row.text.lower() for row in read_rows(str(world / "later")))
