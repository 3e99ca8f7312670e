"""Sources are found by their folders, and each offers what the wiring asks of it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from pipelines import sources
from pipelines.source import Awaiting, Handling, Source
from schemas.borders import BY_NAME

ROOT = Path(__file__).resolve().parents[3]


def test_a_source_is_a_folder() -> None:
    of_corpora = {"mealmaster", "allrecipes", "dstc2", "wikibio", "dialogue-acts", "coref", "wikisql", "webqsp"}
    assert of_corpora | {"records", "dialogues", "parallel"} <= {*sources.names()}


@pytest.mark.parametrize("name", sources.names())
def test_a_source_offers_what_the_wiring_asks_for(name: str) -> None:
    source = sources.find(name)
    assert isinstance(source, Source)
    assert isinstance(source.HANDLING, Handling)
    assert set(source.BORDERS) <= BY_NAME.keys()
    if isinstance(source, Awaiting):
        assert "content_hash" in BY_NAME[source.BORDERS[0]].schema.names


@pytest.mark.parametrize("room", ["pipelines/ingest", "pipelines/datasets", "pipelines/validation", "schemas"])
def test_no_source_is_known_by_name(room: str) -> None:
    names = {*sources.names()} - BY_NAME.keys()  # "records" is the name of a border, too
    for path in (ROOT / room).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            assert not (isinstance(node, ast.Constant) and node.value in names), (path, node.value)
            if isinstance(node, ast.ImportFrom):
                assert not (node.module or "").startswith("pipelines.sources."), (path, node.module)
