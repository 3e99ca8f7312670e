"""Drift between nights: what changed is told by name, and a gate keeps the run aside."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from as_process import json_lines
from fault_worlds import HEADER
from in_process import allsaid
from night_shop import CHAIRS, CONFIG, seen, summary, told, write_table, write_texts

FIRST = "nr,sort,name,colour,width,foldable,stock,maker,said"
DRIFTED = "nr,sort,name,colour,width,foldable,in_store,gift,said"


def write_chairs(header: str, kind: str = "{}", maker: str = "m{}") -> None:
    lines = [f"c{n},chair,{name},{colour},{kind.format(n + 40)},yes,{n + 3},{maker.format(n)},"
             for n, (name, colour, _) in enumerate(CHAIRS)]  # fmt: skip
    Path("shop.csv").write_text("\n".join([header, *lines]) + "\n")


def test_drift_between_nights_is_told_by_name(shop: None, capsys: pytest.CaptureFixture[str]) -> None:
    Path("shop.yaml").write_text(yaml.safe_dump({"generate": CONFIG["generate"]}))  # without an ingest
    write_chairs(FIRST)
    assert allsaid("nightly", "shop.yaml") == 0
    write_chairs(DRIFTED, "some {} or so", "g{}")
    code, (figures,), news = json_lines("--log-format", "json", "nightly", "shop.yaml")
    assert (code, figures["status"], figures["ingest"]) == (0, "published", None)
    found = {(one["column"], one["change"]): one["sentence"] for one in figures["drift"]}
    assert list(found) == [("stock", "renamed"), ("maker", "missing"), ("gift", "new"), ("width", "kind")]
    assert found["width", "kind"] == (
        "The column 'width' changed its kind: numbers were 100% of its cells and are 0%; words were 0% and are 100%, "
        "such as 'some 42 or so'."
    )
    assert set(found.values()) <= {line["message"] for line in news if line["level"] == "warning"}
    assert figures["texts"]["drift"] == summary()["drift"] == list(found.values())
    page = Path("texts/current/report.html").read_text()
    assert "Since the run before: The column &#39;maker&#39; is missing" in page
    before = seen()
    write_chairs(DRIFTED.replace("width", "breadth"), "some {} or so", "g{}")
    assert allsaid("nightly", "shop.yaml") == 1
    news_now = told(capsys)
    assert "The column 'width' is now called 'breadth': their values are equal in 100% of the rows. Write" in news_now
    assert "lacks the column 'width'" in news_now and seen() == before


def test_drift_is_a_gate_and_readers_texts_stay(shop: None, capsys: pytest.CaptureFixture[str]) -> None:
    def write_drift(**limits: Any) -> None:
        Path("shop.yaml").write_text(yaml.safe_dump({"generate": CONFIG["generate"], "drift": limits}))

    write_drift(columns="freeze", kinds="freeze", values=0.1)
    write_chairs(FIRST)
    assert allsaid("nightly", "shop.yaml") == 0
    first = seen()
    write_chairs(DRIFTED, "some {} or so")
    for _ in range(2):  # the second start judges what is there
        assert allsaid("nightly", "shop.yaml") == 2
        news = told(capsys)
        assert "The column 'maker' is now called 'gift'" in news and "The gate 'columns' is 'freeze'." in news
        assert "changed its kind: numbers were 100%" in news and "The gate 'kinds' is 'freeze'." in news
        assert seen() == first
    aside = max(path.name for path in Path("texts/runs").iterdir() if path.is_dir())
    assert "Quality gate broken: The column" in Path("texts/runs", aside, "report.html").read_text()
    write_drift(columns="evolve")
    assert allsaid("nightly", "shop.yaml") == 0 and seen() == aside and summary()["gates"] == []


def write_colours(*colours: str) -> None:
    lines = [f"c{n},chair,{CHAIRS[n % 5][0]},{colour},4{n},yes,1," for n, colour in enumerate(colours)]
    Path("shop.csv").write_text("\n".join([f"{HEADER},stock,said", *lines]) + "\n")


def test_values_of_the_published_run_are_known(shop: None, capsys: pytest.CaptureFixture[str]) -> None:
    Path("shop.yaml").write_text(yaml.safe_dump({"generate": CONFIG["generate"], "drift": {"values": 0.2}}))
    usual = ["blue", "grey", "oak", "blue"] * 2
    write_colours(*usual, "mauve", "mauve")
    assert allsaid("nightly", "shop.yaml") == 0  # 20% are allowed
    first = seen()
    write_colours("pink", "pink", "pink", *usual[3:], "mauve", "mauve")
    assert allsaid("nightly", "shop.yaml") == 2 and seen() == first
    told_now = (
        "30.0% of the values of 'colour' were neither in training nor in the published run, such as 'pink'; the gate"
    )
    assert f"{told_now} 'values' allows 20.0%." in told(capsys)
    Path("shop.csv").write_text(Path("shop.csv").read_text().replace("chair,", "stool,"))
    assert allsaid("nightly", "shop.yaml") == 2 and seen() == first
    aside = max(path for path in Path("texts/runs").iterdir() if path.is_dir())
    colour, goal = json.loads((aside / "summary.json").read_text())["gates"][-2:]
    assert "'colour'" in colour and "'goal'" in goal  # in the order of their names
    write_colours(*usual[:4], "mauve", "mauve", "mauve", "mauve", "pink", "pink")  # 60% were not in training
    assert allsaid("nightly", "shop.yaml") == 0 and seen() != first


def test_gates_on_drift_need_what_they_compare(shop: None, capsys: pytest.CaptureFixture[str]) -> None:
    write_texts()
    asked = {"texts": "agency.csv", "mapping": "chairs.yaml", "input": "shop.csv", "output": "texts"}
    Path("shop.yaml").write_text(yaml.safe_dump({"prove": asked, "drift": {"values": 0.1}}))
    assert allsaid("nightly", "shop.yaml") == 1
    assert "drift: 'values' needs a model that knows the values of its training" in told(capsys)
    of_data = CONFIG | {"generate": CONFIG["generate"] | {"input": "data"}, "drift": {"kinds": "freeze"}}
    Path("shop.yaml").write_text(yaml.safe_dump(of_data))
    Path("data/manifest.json").write_text("{}")
    assert allsaid("nightly", "shop.yaml") == 1
    assert "drift: 'columns' and 'kinds' compare tables, and the input is not one." in told(capsys)


@pytest.mark.parametrize("mend", [False, True])
def test_values_of_rows_without_a_text_count_as_drift(
    shop: None, mend: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = {"texts": "agency.csv", "model": "chairs", "input": "shop.csv", "output": "texts", "mend": mend}
    prove = asked | {"gate": ["errors=1"]}
    Path("shop.yaml").write_text(yaml.safe_dump({"prove": prove, "drift": {"values": 0.1}}))
    write_texts()
    write_table("n2,chair,Elm,pink,9,no,7,")
    assert allsaid("nightly", "shop.yaml") == 2
    assert "16.7% of the values of 'colour' were neither in training nor in the published run, such as 'pink'" in told(
        capsys
    )
    assert not Path("texts/published.json").exists()
