"""docs/add-a-model.md as it stands: its package, installed outside the tree, goes the whole way."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from collections.abc import Callable
from dataclasses import replace
from itertools import chain
from pathlib import Path

import pytest
from in_process import allsaid
from packages import install
from small_data import make_example, publish

from allsaid.modeling import systems
from schemas.runs.manifest import MANIFEST_NAME, Manifest

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "add-a-model.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def kitchen(tmp_path: Path, empty_database: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """A folder to be in, and what puts the page's package and files there; `lines` may be changed before."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    monkeypatch.setenv("PATH", "")  # no Java: METEOR takes half a minute to begin with
    shutil.copy(empty_database, tmp_path)
    systems._find.cache_clear()

    def lay_out(package: str = "kitchen", change: Callable[[str], str] = str) -> None:
        names = re.findall(r"`kitchen/(\w+)\.py`", PAGE)
        code = (text.replace("from kitchen", f"from {package}") for text in blocks("python"))
        modules = dict(zip(names, code, strict=True))
        points = tomllib.loads(blocks("toml")[0].replace('"kitchen.', f'"{package}.'))["project"]["entry-points"]
        install(tmp_path, package, modules | {"lines": change(modules["lines"])}, points)
        for name, text in re.findall(r"# (\w+\.yaml)\n(.*?)(?=# |\Z)", blocks("yaml")[0], re.DOTALL):
            Path(name).write_text(text)

    return lay_out


@pytest.mark.slow
def test_the_page_holds_all_that_it_takes(kitchen: Callable[..., None], capsys: pytest.CaptureFixture[str]) -> None:
    kitchen()
    parts = {"train": range(40), "dev": range(40, 46), "test": range(46, 52)}
    publish(Path("data"), {split: [*map(make_example, numbers)] for split, numbers in parts.items()})

    for command in blocks("sh")[0].splitlines():
        assert allsaid(*command.split()[1:]) == 0, command

    printed = capsys.readouterr()
    assert "Registered as kitchen version 1. It stays challenger: it was measured on 6 dev texts" in printed.err
    assert "% words that the true text has" in printed.out  # of train, evaluate and compare
    assert re.search(r"Bigram .*\d", printed.out) and re.search(r"The line itself .*\d", printed.out)
    lines = [" ".join([*one.goal_tokens, *chain(*one.agenda_tokens)]) for one in map(make_example, parts["test"])]
    assert "Bigram" in Path("compare-kitchen/compare.html").read_text()
    assert any(line in Path("texts/report.html").read_text() for line in lines)


BORDERS = ('("examples",)', "()")
OF_ITS_OWN = """
import json
from pathlib import Path
from types import SimpleNamespace


def examples(data, split):
    with (Path(data.address) / f"{split}.jsonl").open() as file:
        yield from (SimpleNamespace(**json.loads(row)) for row in file)
"""


@pytest.mark.slow
def test_a_task_reads_rows_of_its_own(kitchen: Callable[..., None], capsys: pytest.CaptureFixture[str]) -> None:
    kitchen("pantry", lambda lines: lines.replace("examples, words", "words").replace(*BORDERS) + OF_ITS_OWN)
    manifest = Manifest.from_json((publish(Path("data"), {}) / MANIFEST_NAME).read_text(), "data")
    (Path("data") / MANIFEST_NAME).write_text(replace(manifest, files={}, splits={"test": 2}).to_json())
    for split, numbers in {"train": range(40), "dev": range(40, 46), "test": range(46, 53)}.items():
        rows = [
            {name: getattr(one, name) for name in ("id", "text", "tokens", "goal", "goal_tokens", "agenda_tokens")}
            for one in map(make_example, numbers)
        ]
        (Path("data") / f"{split}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))

    assert allsaid("train", "bigram.yaml", "--data", "data", "--name", "pantry") == 0
    capsys.readouterr()
    assert allsaid("evaluate", "models:/pantry/1", "--data", "data") == 0
    assert re.search(r"│ texts +│ +7 │", capsys.readouterr().out)  # and not the 2 of the manifest
    assert allsaid("compare", "kitchen.yaml", "--data", "data") == 0
    Path("rows.jsonl").write_text(json.dumps({"id": "1", "goal": "Baked rice", "agenda": ["2 cups rice"]}) + "\n")
    asked = ("generate", "--model", "models:/pantry/1", "--input", "rows.jsonl", "--output", "texts")
    assert allsaid(*asked) == 0
    assert allsaid("report", "texts") == 0
