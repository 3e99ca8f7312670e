"""Which results are older than the code they measure."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from benchmarks import result_file
from benchmarks.older import changed_lines, main, measured_code

ROOT = result_file.ROOT
AUTHOR = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b"}


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository of its own, with a commit of the first, the second and the third of May."""
    monkeypatch.setattr(result_file, "ROOT", tmp_path)
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    for day, lines in (1, "one\n"), (2, "one\ntwo\n"), (3, "1\ntwo\nthree\n"):
        for name, value in {**AUTHOR, "GIT_COMMITTER_DATE": f"2026-05-0{day}T12:00:00Z"}.items():
            monkeypatch.setenv(name, value)
        (tmp_path / "code").mkdir(exist_ok=True)
        (tmp_path / "code" / "lines.py").write_text(lines)
        result_file.git("add", ".")
        result_file.git("commit", "-q", "-m", f"Day {day}")
    return tmp_path


def test_every_result_names_the_code_it_measures() -> None:
    assert sorted(measured_code()) == sorted(path.stem for path in result_file.RESULTS.glob("*.json"))
    assert [path for code in measured_code().values() for path in code if not (ROOT / path).exists()] == []


def test_changed_lines_since_a_commit_are_counted(repository: Path) -> None:
    commits = result_file.git("rev-list", "--abbrev-commit", "HEAD").splitlines()
    assert [changed_lines(commit, "2026-05-03", ["code"]) for commit in commits] == [0, 3, 4]
    assert changed_lines(f"{commits[1]}+", "2026-05-02", ["code"]) == 3, "+: with uncommitted changes"
    assert changed_lines(commits[-1], "2026-05-01", ["other"]) == 0


def test_a_lost_commit_is_replaced_by_the_last_of_its_day(repository: Path) -> None:
    assert [changed_lines("0000000", f"2026-05-0{day}", ["code"]) for day in (1, 2, 3)] == [4, 3, 0]


def test_older_results_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    main()
    assert f" of {len(measured_code())} results are older than the code they measure." in capsys.readouterr().out
