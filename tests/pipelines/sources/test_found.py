"""Sources are found by their folders and by entry points, and each offers what the wiring asks of it."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest
from packages import install

from allsaid.modeling import plugins
from pipelines import sources
from pipelines.commands.ingest import GUESS
from pipelines.ingest import reuse
from pipelines.source import Deferring, Handling
from pipelines.sources.about import About, about
from schemas.borders import BY_NAME
from schemas.errors import UserError

ROOT = Path(__file__).resolve().parents[3]


def test_a_source_is_a_folder() -> None:
    of_corpora = {"mealmaster", "allrecipes", "dstc2", "wikibio", "dialogue-acts", "coref", "wikisql", "webqsp"}
    assert of_corpora | {"records", "dialogues", "parallel"} <= {*sources.names()}


@pytest.mark.parametrize("name", sources.names())
def test_a_source_offers_what_the_wiring_asks_for(name: str) -> None:
    source = sources.find(name)
    assert isinstance(source.handling, Handling)
    assert set(source.borders) <= BY_NAME.keys()
    if isinstance(source, Deferring):
        assert "content_hash" in BY_NAME[source.borders[0]].schema.names


def test_the_page_has_a_row_for_each_source() -> None:
    page = (ROOT / "docs" / "mapping.md").read_text().partition("### The tables of each source")[2]
    rows = re.findall(r"^\| `([a-z0-9-]+)` \|", page, re.MULTILINE)
    assert {*sources.shipped_names()} <= {*rows}


@pytest.mark.parametrize(
    ("source", "file", "content", "sentence"),
    [
        ("coref", "a.csv", "a,b\n1,2\n", "no documents in CoNLL columns.*Give files of CoNLL columns"),
        (
            "webqsp",
            "a.txt",
            "name\tprice\nmug\t3.50\n",
            r"no questions of WebQSP: no line near its beginning is a question",
        ),
        ("wikisql", "a.json", '[{"title": "Soup"}]', "no queries of text2sql-data"),
    ],
)
def test_a_file_of_another_kind_is_refused(tmp_path: Path, source: str, file: str, content: str, sentence: str) -> None:
    (tmp_path / file).write_text(content)
    found = sources.find(source)
    with pytest.raises(UserError, match=rf"{re.escape(file)} has {sentence}"):
        found.plan([str(tmp_path / file)], found.settings())


@pytest.mark.parametrize("name", sources.shipped_names())
def test_the_help_of_a_source_is_what_its_class_says(name: str) -> None:
    said, source = about(name), sources.find(name)
    assert said == About(inspect.cleandoc(type(source).__doc__ or ""), source.options)
    assert f"\n\nExample: allsaid ingest {name} --input " in said.help
    assert {*said.options} - {GUESS} <= {field.name for field in fields(source.settings)}


@pytest.mark.parametrize("room", ["pipelines/ingest", "pipelines/datasets", "pipelines/validation", "schemas"])
def test_no_source_is_known_by_name(room: str) -> None:
    names = {*sources.names()} - BY_NAME.keys()  # "records" is the name of a border, too
    for path in (ROOT / room).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            assert not (isinstance(node, ast.Constant) and node.value in names), (path, node.value)
            if isinstance(node, ast.ImportFrom):
                assert not (node.module or "").startswith("pipelines.sources."), (path, node.module)


FRIENDLY = """
from pipelines.source import Handling, Source
from . import words


class Letters(Source):
    "Read letters."

    borders = ("pairs",)
    handling = Handling("", "")

    def read(self, shard, settings):
        yield from ()


post = Letters()
"""


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on the path, whose entry points are looked up anew."""
    monkeypatch.syspath_prepend(tmp_path)
    caches = (plugins.points, sources.find, reuse.code_version)
    for cached in caches:
        cached.cache_clear()
    yield tmp_path
    for cached in caches:
        cached.cache_clear()


def test_a_package_adds_a_source_by_an_entry_point(path: Path) -> None:
    points = {"letters": "post_office.mail:Letters", "post": "post_office.mail:post"}
    install(path, "post_office", {"mail": FRIENDLY, "words": ""}, {"allsaid.sources": points})
    assert sources.names() == (*sources.shipped_names(), "letters", "post")
    for name in points:
        assert type(sources.find(name)).__name__ == "Letters"
        assert sources.module_of(name) == "post_office.mail"
        assert about(name) == About("Read letters.", {})
    before = {name: reuse.code_version(name) for name in ("letters", "webqsp")}
    (path / "post_office" / "words.py").write_text("HELLO = 1\n")  # which the source imports
    reuse.code_version.cache_clear()
    assert reuse.code_version("letters") != before["letters"]
    assert reuse.code_version("webqsp") == before["webqsp"]


@pytest.mark.parametrize(
    ("name", "point", "sentence"),
    [
        ("webqsp", "post_office.mail:Letters", "has the name of a source of Allsaid. Rename it"),
        ("letters", "post_office.mail", "is no subclass of pipelines.source.Source. Write it as package.module:Class"),
        ("letters", "post_office.mail:Parcels", "fails to load"),
        ("parcels", None, "There is no source 'parcels'. The sources are allrecipes, "),
    ],
)
def test_an_entry_point_that_is_wrong_is_refused(path: Path, name: str, point: str | None, sentence: str) -> None:
    if point:
        install(path, "post_office", {"mail": FRIENDLY, "words": ""}, {"allsaid.sources": {name: point}})
    with pytest.raises(UserError, match=sentence):
        sources.find(name)
    assert name in sources.shipped_names() or re.search(sentence, about(name).help)
