"""docs/add-a-model.md as it stands: its package, installed outside the tree, goes the whole way."""

from __future__ import annotations

import re
import shutil
import tomllib
from itertools import chain
from pathlib import Path

import pytest
from in_process import allsaid
from packages import install
from small_data import make_example, publish

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "add-a-model.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.slow
def test_the_page_holds_all_that_it_takes(
    tmp_path: Path, empty_database: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    monkeypatch.setenv("PATH", "")  # no Java: METEOR takes half a minute to begin with
    shutil.copy(empty_database, tmp_path)
    names = re.findall(r"`kitchen/(\w+)\.py`", PAGE)
    points = tomllib.loads(blocks("toml")[0])["project"]["entry-points"]
    install(tmp_path, "kitchen", dict(zip(names, blocks("python"), strict=True)), points)
    for name, text in re.findall(r"# (\w+\.yaml)\n(.*?)(?=# |\Z)", blocks("yaml")[0], re.DOTALL):
        Path(name).write_text(text)
    parts = {"train": range(40), "dev": range(40, 46), "test": range(46, 52)}
    publish(Path("data"), {split: map(make_example, numbers) for split, numbers in parts.items()})

    for command in blocks("sh")[0].splitlines():
        assert allsaid(*command.split()[1:]) == 0, command

    printed = capsys.readouterr()
    assert "Registered as kitchen version 1. There was no champion yet." in printed.err
    assert "% words that the true text has" in printed.out  # of train, evaluate and compare
    assert re.search(r"Bigram .*\d", printed.out) and re.search(r"The line itself .*\d", printed.out)
    lines = [" ".join([*one.goal_tokens, *chain(*one.agenda_tokens)]) for one in map(make_example, parts["test"])]
    assert "Bigram" in Path("compare-kitchen/compare.html").read_text()
    assert any(line in Path("texts/report.html").read_text() for line in lines)
