"""Which results are older than the code they measure."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from benchmarks import older, result_file
from benchmarks.older import measured_code

ROOT = result_file.ROOT
AUTHOR = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b"}


CODE = '''"""Bread."""

import os

FLOUR = 500


def bake(minutes: int) -> int:
    """Bake."""
    if minutes < 0:
        raise ValueError("too short")
    crust = minutes + FLOUR
    return crust
'''
RENAMED = """# Loaves
WHEAT = 500


def bake_bread(time):
    if time < 0:
        raise ValueError("give a time from 0")
    return_value = time + WHEAT
    return return_value


def cool():
    return 1
"""


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository of its own with a commit of measured code and its result."""
    monkeypatch.setattr(result_file, "ROOT", tmp_path)
    older.changes.cache_clear()
    older._commits.cache_clear()
    for name, value in AUTHOR.items():
        monkeypatch.setenv(name, value)
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    for path in ("code/bread.py", "benchmarks/results/speed.json"):
        (tmp_path / path).parent.mkdir(parents=True)
    (tmp_path / "code" / "bread.py").write_text(CODE)
    (tmp_path / "code" / "words.txt").write_text("rye")
    (tmp_path / "benchmarks" / "results" / "speed.json").write_text('{"measured": {"commit": "0123abc+"}}')
    result_file.git("add", ".")
    result_file.git("commit", "-q", "-m", "bread")
    return tmp_path


def test_every_result_names_the_code_it_measures() -> None:
    assert sorted(measured_code()) == sorted(path.stem for path in result_file.RESULTS.glob("*.json"))
    paths = {path.removeprefix(":!") for code in measured_code().values() for path in code}
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_a_result_that_is_added_to_has_a_new_date(repository: Path) -> None:
    result_file.write(repository / "speed.json", {"measured": {"commit": "old"}, "one": 1})
    written = json.loads((repository / "speed.json").read_text())
    assert [*written] == ["measured", "one"] and written["measured"]["commit"] != "old"


@pytest.mark.parametrize(
    ("file", "content", "is_changed"),
    [
        ("bread.py", RENAMED, False),
        ("bread.py", CODE.replace("500", "450"), True),
        ("bread.py", CODE.replace("minutes + FLOUR", "minutes - FLOUR"), True),
        ("bread.py", CODE.replace("minutes + FLOUR", "FLOUR + FLOUR"), True),
        ("bread.py", CODE.replace("FLOUR = 500\n", ""), True),
        ("words.txt", "rye, oats", True),
    ],
)
def test_changed_definitions_make_a_result_old(repository: Path, file: str, content: str, is_changed: bool) -> None:
    (repository / "code" / file).write_text(content)
    assert bool(older.changes("HEAD", ("code",))) is is_changed
    assert not older.changes("HEAD", ("code", f":!code/{file}"))


def test_a_moved_definition_changes_nothing(repository: Path) -> None:
    (repository / "code" / "bread.py").rename(repository / "code" / "loaf.py")
    result_file.git("add", ".")
    assert not older.changes("HEAD", ("code",))
    assert older.changes("HEAD", ("code/loaf.py",)), "the path is newer than the commit"


def test_an_old_result_is_marked(repository: Path) -> None:
    """The commit that the result names was rebased, so the one that added the result counts."""
    path = repository / "benchmarks" / "results" / "speed.json"
    assert not older.mark("speed", ["code"]) and "older" not in path.read_text()
    (repository / "code" / "bread.py").write_text(CODE.replace("500", "450"))
    older.changes.cache_clear()
    assert older.mark("speed", ["code"]) and json.loads(path.read_text())["measured"]["older"] is True
    (repository / "code" / "bread.py").write_text(CODE)
    assert older.mark("speed", ["code"]), "until it is measured anew"
