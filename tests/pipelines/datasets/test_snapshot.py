"""A data set is published in one step; what an output folder may hold."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from small_manifest import EMPTY

from allsaid.storage.run_store import new_run, run_folder
from pipelines.datasets import snapshot
from schemas.errors import UserError
from schemas.runs.manifest import Manifest

ONE, TWO = "20261121T100000Z-00000001", "20261121T110000Z-00000002"


def manifest(run: str) -> Manifest:
    rejected = {"clean": {"no_directions": 1}}
    return replace(EMPTY, run=run, read=3, kept=2, rejected=rejected, splits={"train": 2})


def test_readers_see_the_last_published_run(tmp_path: Path) -> None:
    output = str(tmp_path)
    first, second = new_run(), new_run()
    assert first != second
    snapshot.publish(output, manifest(first))
    assert snapshot.folder(output) == str(tmp_path / "runs" / first)
    snapshot.publish(output, manifest(second))
    assert snapshot.published(output) == manifest(second)
    assert (tmp_path / "current").resolve() == (tmp_path / "runs" / second).resolve()
    assert Path(run_folder(output, first), "manifest.json").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["current", "manifest.json", "runs"]


def test_the_link_survives_moving_the_data_set(tmp_path: Path) -> None:
    snapshot.publish(str(tmp_path / "here"), manifest(ONE))
    (tmp_path / "here").rename(tmp_path / "there")
    assert (tmp_path / "there" / "current" / "manifest.json").exists()


@pytest.mark.parametrize("name", ["part-00000.written", "part-00000.parquet", "phrases.parquet", "summary.json"])
def test_a_run_killed_while_it_wrote_a_file_is_removed(name: str, tmp_path: Path) -> None:
    snapshot.publish(str(tmp_path), manifest(TWO))
    staged = tmp_path / "runs" / ONE / "staged"
    staged.mkdir(parents=True)
    (staged / "begun").touch()
    (staged / f"{name}.0123abcd.new").touch()
    snapshot.sweep(str(tmp_path), manifest(TWO), None)
    assert [*snapshot.store(str(tmp_path)).runs()] == [TWO]


def test_nothing_published(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="holds no data set"):
        snapshot.published(str(tmp_path))


def test_readers_see_a_whole_manifest_while_publishing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each step of publishing is watched: the manifest's path never holds part of a file."""
    snapshot.publish(str(tmp_path), manifest(ONE))
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
    snapshot.publish(str(tmp_path), manifest(TWO))
    assert seen == [ONE, ONE, ONE, TWO, TWO, TWO]  # before and after: the record, the manifest, the link
    assert (tmp_path / "current").readlink() == Path("runs") / TWO
