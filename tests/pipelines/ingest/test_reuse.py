"""The code that decides on a source's data sets: its own imports and the wiring, and nothing of another source."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipelines import sources
from pipelines.closure import closure
from pipelines.ingest import reuse


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the code, of which the versions are told."""
    for room in ("allsaid", "pipelines", "schemas"):
        shutil.copytree(reuse.ROOT / room, tmp_path / room, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(reuse, "ROOT", tmp_path)
    reuse.code_version.cache_clear()
    yield tmp_path
    reuse.code_version.cache_clear()


def versions() -> dict[str, str]:
    reuse.code_version.cache_clear()
    return {name: reuse.code_version(name) for name in sources.names()}


def changed(before: dict[str, str]) -> set[str]:
    return {name for name, version in versions().items() if version != before[name]}


def edit(path: Path) -> None:
    path.write_text(path.read_text() + "\n# another line\n")


def test_a_new_source_leaves_the_others_as_they_are(tree: Path) -> None:
    before = versions()
    shutil.copytree(tree / "pipelines/sources/wikibio", tree / "pipelines/sources/poems")
    shutil.copy(tree / "schemas/box.py", tree / "schemas/poem.py")
    edit(tree / "schemas/borders.py")  # where a new border is added
    assert changed(before) == set()


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("pipelines/sources/mealmaster/join.py", {"mealmaster"}),
        ("pipelines/sources/wikibio/box.py", {"wikibio", "records"}),
        ("pipelines/linking/acts.py", {"dialogue-acts", "dstc2", "records"}),
        ("schemas/copy.py", {"allrecipes", "mealmaster"}),
        ("schemas/pair.py", {"wikisql", "webqsp", "parallel"}),
        ("allsaid/storage/json_stream.py", {"allrecipes", "mealmaster", "wikisql"}),
        ("pipelines/lines.py", {"wikibio", "coref", "webqsp", "parallel"}),
        ("pipelines/fetching/corpora.py", set()),
        ("allsaid/stores/beam.py", set()),
        ("pipelines/ingest/shards.py", set(sources.names())),
        ("pipelines/ingest/corpus.py", set(sources.names())),
        ("schemas/checks/table.py", set(sources.names())),
    ],
)
def test_a_change_concerns_the_sources_that_import_it(tree: Path, file: str, expected: set[str]) -> None:
    before = versions()
    edit(tree / file)
    assert changed(before) == expected


def test_imports_are_followed_wherever_they_stand(tmp_path: Path) -> None:
    modules = {
        "pipelines/__init__.py": "",
        "pipelines/a.py": "import os\nfrom pipelines.room import b, NAME\n",
        "pipelines/room/__init__.py": "NAME = 1\n",
        "pipelines/room/b.py": "def f():\n    import schemas.c as c\n    from training.x import y\n",
        "schemas/c.py": "from pipelines.table import rows\n",
        "pipelines/table.py": "from pipelines.unseen import x\n",
        "pipelines/unseen.py": "",
    }
    for name, code in modules.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(code)
    found = closure(["pipelines.a"], tmp_path, without=["pipelines.table"])
    assert set(found) == {"pipelines", "pipelines.a", "pipelines.room", "pipelines.room.b", "schemas.c"}
    assert "pipelines.unseen" in closure(["pipelines.a"], tmp_path)


@pytest.mark.parametrize(
    "code",
    [
        "from schemas import (\n    a,\n    b,\n)\n",
        "from schemas import (a,  # (the first)\n    b)\n",
        "from schemas import a, \\\n    b\n",
        "if True: import schemas.a; x = 1; import schemas.b\n",
        "from schemas import a\ntext = '''\nfrom the start\n'''\ntry: import schemas.b\nfinally: pass\n",
        "def f(x):\n\tmatch x:\n\t\tcase 1:\n\t\t\tfrom schemas import a, b\n",
    ],
)
def test_imports_of_every_form_are_found(code: str, tmp_path: Path) -> None:
    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas" / "a.py").touch()
    (tmp_path / "schemas" / "b.py").touch()
    (tmp_path / "pipelines.py").write_text(code)
    assert set(closure(["pipelines"], tmp_path)) == {"pipelines", "schemas.a", "schemas.b"}
