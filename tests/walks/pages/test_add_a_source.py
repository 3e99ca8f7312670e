"""docs/add-a-source.md as it stands: its package, installed outside the tree, is a source of the command line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from fuzz_checks import Bench
from fuzz_corpus import sample_of
from fuzzing import OPERATIONS, Case
from in_process import allsaid
from packages import install

from allsaid.modeling import plugins
from pipelines import sources

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "add-a-source.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


@pytest.fixture
def weather(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A folder to be in, with the page's package and its input."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    points = tomllib.loads(blocks("toml")[0])["project"]["entry-points"]
    install(tmp_path, "weather", {"reports": blocks("python")[0]}, points)
    name, _, content = blocks("text")[0].partition("\n")
    Path(name.removeprefix("# ")).write_text(content)
    caches = (plugins.points, sources.find)
    for cached in caches:
        cached.cache_clear()
    yield
    for cached in caches:
        cached.cache_clear()


def test_the_page_holds_all_that_it_takes(weather: None, capsys: pytest.CaptureFixture[str]) -> None:
    for command in blocks("sh")[0].splitlines():
        assert allsaid(*command.split()[1:]) == 0, command

    printed, news = capsys.readouterr()
    assert "Example: allsaid ingest weather --input 'reports-*.txt' --output data" in printed
    assert {*blocks("text")[1].splitlines()} <= {*printed.splitlines()}
    assert re.search(r"^(\d+) of \1 rules for columns and counts hold", news, re.MULTILINE)
    assert allsaid("ingest", "--help") == 0
    assert "weather        Read weather reports: the values of a day" in capsys.readouterr().out


def test_damage_to_its_sample_is_kept_or_rejected(weather: None, tmp_path: Path) -> None:
    corpus = sample_of("weather")
    bench = Bench(tmp_path / "damaged", [corpus])
    for operation in OPERATIONS:
        bench.examine(Case(corpus, 0, ((operation, 1),)))


def test_the_page_names_everything_that_a_source_may_have() -> None:
    kinds = re.findall(r"\(`([A-Z]\w+)`\)", PAGE)
    assert kinds == ["Deferring", "Surveying", "Counting", "Reporting", "Copying"]
