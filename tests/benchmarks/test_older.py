"""Which results are older than the code they measure."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from benchmarks import result_file
from benchmarks.older import changed_lines, main, measured_code

ROOT = result_file.ROOT
AUTHOR = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b"}


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository of its own with three commits; the second has a result."""
    monkeypatch.setattr(result_file, "ROOT", tmp_path)
    for name, value in AUTHOR.items():
        monkeypatch.setenv(name, value)
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    for path in ("code/lines.py", "benchmarks/results/speed.json"):
        (tmp_path / path).parent.mkdir(parents=True)
    for number, lines in enumerate(("one\n", "one\ntwo\n", "1\ntwo\nthree\n")):
        (tmp_path / "code" / "lines.py").write_text(lines)
        if number == 1:
            (tmp_path / "benchmarks" / "results" / "speed.json").write_text("{}")
        result_file.git("add", ".")
        result_file.git("commit", "-q", "-m", lines)
    return tmp_path


def test_every_result_names_the_code_it_measures() -> None:
    assert sorted(measured_code()) == sorted(path.stem for path in result_file.RESULTS.glob("*.json"))
    assert [path for code in measured_code().values() for path in code if not (ROOT / path).exists()] == []


def test_a_result_that_is_added_to_has_a_new_date(repository: Path) -> None:
    result_file.write(repository / "speed.json", {"measured": {"commit": "old"}, "one": 1})
    written = json.loads((repository / "speed.json").read_text())
    assert [*written] == ["measured", "one"] and written["measured"]["commit"] != "old"


def test_changed_lines_since_a_commit_are_counted(repository: Path) -> None:
    commits = result_file.git("rev-list", "--abbrev-commit", "HEAD").splitlines()
    assert [changed_lines("speed", commit, ["code"]) for commit in commits] == [0, 3, 4]
    assert changed_lines("speed", f"{commits[1]}+", ["code"]) == 3, "+: with uncommitted changes"
    assert changed_lines("speed", commits[-1], ["other"]) == 0


def test_a_lost_commit_is_replaced_by_the_results_own(repository: Path) -> None:
    assert changed_lines("speed", "0000000", ["code"]) == 3


def test_older_results_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    main()
    assert f" of {len(measured_code())} results are older than the code they measure." in capsys.readouterr().out
