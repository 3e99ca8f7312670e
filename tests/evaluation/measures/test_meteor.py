"""METEOR 1.5 by the true jar, where Java is."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.measures import meteor


@pytest.mark.slow
def test_the_jar_scores_texts_with_their_references() -> None:
    if why := meteor.unavailable():
        pytest.skip(why)
    same = "red door serves soup ."
    other = "the old mill has pies , and no kids are allowed ."
    figures = meteor.figures("meteor", [same, "", "rain"], [[same], [other], [other, "rain"]], of_texts="each")
    assert figures == {"meteor": pytest.approx(46.11, abs=0.01), "each": pytest.approx(200 / 3, abs=1)}


def test_without_java_there_is_a_sentence_and_no_figure(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert meteor.figures("meteor", ["a"], [["a"]]) == {}
    assert "needs Java, which is not installed" in meteor.unavailable()


def test_a_java_that_fails_costs_the_figure_only(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "java").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "java").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin")
    assert meteor.figures("meteor", ["a"], [["a"]]) == {}
    assert "METEOR failed" in capsys.readouterr().err
