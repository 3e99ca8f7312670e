"""A data set is published in one step; what an output folder may hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from console import UserError
from pipelines import snapshot
from schemas.manifest import Manifest


def manifest(run: str) -> Manifest:
    return Manifest(
        run=run,
        source="mealmaster",
        created="2026-11-21T10:00:00Z",
        settings={},
        unit="examples",
        shares=[],
        inputs=[],
        files={},
        read=3,
        kept=2,
        rejected={"clean": {"no_directions": 1}},
        splits={"train": 2},
        statistics={},
        losses=[],
        fingerprint="f",
    )


def test_readers_see_the_last_published_run(tmp_path: Path) -> None:
    output = str(tmp_path)
    first, second = snapshot.new_run(), snapshot.new_run()
    assert first != second
    snapshot.publish(output, manifest(first))
    assert snapshot.folder(output) == str(tmp_path / "runs" / first)
    snapshot.publish(output, manifest(second))
    assert snapshot.published(output) == manifest(second)
    assert (tmp_path / "current").resolve() == (tmp_path / "runs" / second).resolve()
    assert Path(snapshot.run_folder(output, first), "manifest.json").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["current", "manifest.json", "runs"]


def test_the_link_survives_moving_the_data_set(tmp_path: Path) -> None:
    snapshot.publish(str(tmp_path / "here"), manifest("one"))
    (tmp_path / "here").rename(tmp_path / "there")
    assert (tmp_path / "there" / "current" / "manifest.json").exists()


def test_nothing_published(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="holds no data set"):
        snapshot.published(str(tmp_path))


def test_what_an_output_folder_may_hold(tmp_path: Path) -> None:
    snapshot.check_output(str(tmp_path / "new"))
    snapshot.publish(str(tmp_path), manifest("one"))
    (tmp_path / "runs" / "one" / "examples").mkdir()
    (tmp_path / "validation").mkdir()
    (tmp_path / "validation" / "index.html").write_text("")
    (tmp_path / "report.html").write_text("")
    snapshot.check_output(str(tmp_path))
    (tmp_path / "thesis.tex").write_text("")
    with pytest.raises(UserError, match=r"holds thesis\.tex, which is no earlier run"):
        snapshot.check_output(str(tmp_path))


def test_an_output_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="is a file"):
        snapshot.check_output(str(tmp_path / "file"))


def test_a_reader_in_the_middle_of_publishing_sees_a_whole_manifest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each step of publishing is watched: the manifest's path never holds part of a file."""
    snapshot.publish(str(tmp_path), manifest("one"))
    seen = []

    def look(*_: object) -> None:
        seen.append(snapshot.published(str(tmp_path)).run)

    replace = Path.replace

    def watched(self: Path, target: Path) -> Path:
        look()
        try:
            return replace(self, target)
        finally:
            look()

    monkeypatch.setattr(Path, "replace", watched)
    snapshot.publish(str(tmp_path), manifest("two"))
    assert seen == ["one", "two", "two", "two"]
    assert (tmp_path / "current").readlink() == Path("runs/two")
