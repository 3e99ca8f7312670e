"""The nights of a shop by `allsaid nightly`: what each start does, what readers see, and what a night tells."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
import yaml
from as_process import json_lines, loaded_by
from fault_worlds import HEADER, Worlds
from in_process import allsaid

from allsaid.storage import files, lock
from allsaid.storage.run_store import RunStore, new_run
from batch_infer.report import report
from pipelines.datasets import snapshot

CONFIG: dict[str, Any] = {
    "ingest": {"source": "records", "input": "shop.csv", "output": "data", "mapping": "chairs.yaml"},
    "generate": {
        "model": "chairs",
        "input": "shop.csv",
        "output": "texts",
        "width": 2,
        "max_tokens": 12,
        "gate": ["errors=0.2", "given_fall=50"],
        "format": "csv",
        "keep_snapshots": 2,
    },
}  # fmt: skip
SAID = "The {} chair {} is {} cm wide and folds."
CHAIRS = ("Alder", "blue", 41), ("Birch", "grey", 52), ("Cedar", "oak", 63), ("Dogwood", "blue", 74), ("Elm", "grey", 8)


def write_table(*more: str, changed: str = "", header: str = f"{HEADER},stock,said") -> None:
    """Five chairs with a text, the width of the first one perhaps ``changed``, and ``more`` lines as they are."""
    lines = [header]
    for number, (name, colour, width) in enumerate(CHAIRS):
        size = changed if changed and not number else width
        lines.append(f"c{number},chair,{name},{colour},{size},yes,{number + 3},{SAID.format(colour, name, size)}")
    Path("shop.csv").write_text("\n".join([*lines, *more]) + "\n")


NEW = "n1,chair,Elm,oak,52,no,7,"  # a row without a text


def write_config(**generate: Any) -> None:
    Path("shop.yaml").write_text(yaml.safe_dump({**CONFIG, "generate": CONFIG["generate"] | generate}))


@pytest.fixture
def shop(worlds: Worlds, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with a table, its mapping, a model that knows it, and what a night is asked for."""
    monkeypatch.chdir(tmp_path)
    worlds.copy("model", tmp_path)
    snapshot.store("data").remove(snapshot.published("data").run)
    Path("data/manifest.json").unlink()
    Path("data/current").unlink()
    Path("data/history.parquet").unlink()
    write_table(NEW)
    write_config()


def seen() -> str:
    """The run that readers see."""
    run = json.loads(Path("texts/published.json").read_text())["run"]
    assert Path("texts/current").resolve() == Path("texts/runs", run).resolve()
    return run


def summary() -> dict[str, Any]:
    return json.loads(Path("texts/current/summary.json").read_text())


def told(capsys: pytest.CaptureFixture[str]) -> str:
    return " ".join(capsys.readouterr().err.split())


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


def write_texts(**texts: str) -> None:
    """An agency's texts by row, of the chairs c0 and c1 if not told otherwise; "" leaves a row out."""
    told = {f"c{n}": SAID.format(colour, name, width) for n, (name, colour, width) in enumerate(CHAIRS[:2])} | texts
    Path("agency.csv").write_text(
        "\n".join(["nr,said", *(f"{row},{text}" for row, text in told.items() if text)]) + "\n"
    )


def test_texts_by_others_are_proven_and_published(shop: None, capsys: pytest.CaptureFixture[str]) -> None:
    asked = {"texts": "agency.csv", "mapping": "chairs.yaml", "input": "shop.csv", "output": "texts"}
    Path("shop.yaml").write_text(yaml.safe_dump({"prove": asked | {"gate": ["given=90", "errors=1"]}}))
    write_texts(c9="A chair that the shop lacks.")
    code, (figures,), _ = json_lines("--log-format", "json", "nightly", "shop.yaml")
    assert (code, figures["status"]) == (0, "published")
    counts = [figures["texts"][name] for name in ("submitted_texts", "rejected_texts", "errors")]
    assert counts == [3, 1, 4]  # four rows of six have no text
    first = seen()
    assert allsaid("nightly", "shop.yaml") == 0 and "Nothing to do" in told(capsys)
    write_texts(c1="The grey chair is 99 cm wide.")
    assert allsaid("nightly", "shop.yaml") == 2
    assert "readers see the texts they saw before" in told(capsys) and seen() == first
    write_texts(c2=SAID.format("oak", "Cedar", 63))
    assert allsaid("nightly", "shop.yaml") == 0 and seen() != first
    assert summary()["errors"] == 3


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


def test_texts_by_others_are_mended_by_a_model(shop: None) -> None:
    asked = {"texts": "agency.csv", "model": "chairs", "input": "shop.csv", "output": "texts", "mend": True}
    Path("shop.yaml").write_text(yaml.safe_dump({"prove": asked}))
    write_texts(c1="The grey chair is 99 cm wide.")
    assert allsaid("nightly", "shop.yaml") == 0
    rows = {row["id"]: row for row in pq.ParquetDataset("texts/current/texts").read().to_pylist()}
    assert {name: row["origin"] for name, row in rows.items()} == {
        "c0": "submitted",
        **dict.fromkeys(["c1", "c2", "c3", "c4", "n1"], "model"),
    }
    assert rows["c1"]["replaced"] == ["The grey chair is 99 cm wide."]
    first = seen()
    assert allsaid("nightly", "shop.yaml") == 0 and seen() == first
    write_texts(c0="The blue chair is 99 cm wide.", c1="The grey chair is 99 cm wide.")
    assert allsaid("nightly", "shop.yaml") == 0 and seen() != first
    assert (summary()["taken_over"], summary()["mended_rows"], summary()["replaced_texts"]) == (5, 6, 2)
    write_texts(c0="The blue chair is 98 cm wide.", c1="The grey chair is 99 cm wide.")
    code, (figures,), _ = json_lines("--log-format", "json", "nightly", "shop.yaml", "--plan")
    assert (code, figures["plan"]["reused"], figures["plan"]["searched"]) == (0, 5, 1)


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


def test_texts_by_others_in_an_object_store(shop: None, kitchen: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """Texts with doubled, unknown and missing ids, and an empty one; readers find those of the published run."""
    place = "s3://kitchen/"
    asked = {"texts": f"{place}agency/*.csv", "model": "chairs", "input": f"{place}shop.csv", "output": f"{place}texts"}
    Path("shop.yaml").write_text(yaml.safe_dump({"prove": asked | {"mend": True, "gate": ["errors=0.1"]}}))
    kitchen.upload_file("shop.csv", "kitchen", "shop.csv")
    write_texts()
    with Path("agency.csv").open("a") as file:
        file.write("c1,The grey chair is 52 cm wide.\nc9,A chair.\n,A chair.\nc2,\n")
    kitchen.upload_file("agency.csv", "kitchen", "agency/one.csv")

    code, (figures,), _ = json_lines("--log-format", "json", "nightly", "shop.yaml")
    assert (code, figures["status"]) == (0, "published")
    found = figures["texts"]
    assert (found["submitted_texts"], found["rejected_texts"], found["errors"]) == (6, 3, 0)
    kept = found["texts"] - found["mended_rows"]
    assert kept + found["replaced_texts"] + found["rejected_texts"] == found["submitted_texts"]

    def published() -> tuple[str, dict[str, str]]:
        run = json.loads(files.read_text(f"{place}texts/published.json"))["run"]
        (path,) = (f"{place}texts/runs/{run}/texts/{name}" for name in files.below(f"{place}texts/runs/{run}/texts"))
        with files.open_read(path) as stream:
            return run, {row["id"]: row["origin"] for row in pq.read_table(stream).to_pylist()}

    first, origins = published()
    assert set(origins) == {"c0", "c1", "c2", "c3", "c4", "n1"} and origins["c2"] == "model"
    capsys.readouterr()
    assert allsaid("nightly", "shop.yaml") == 0 and "Nothing to do" in told(capsys)
    write_table(*(f"b{number},,Elm,oak,5{number},no,1," for number in range(2)))
    kitchen.upload_file("shop.csv", "kitchen", "shop.csv")
    assert allsaid("nightly", "shop.yaml") == 2 and published() == (first, origins)


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
