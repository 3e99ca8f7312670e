"""A data set is published in one step; what an output folder may hold."""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path

import pytest

from allsaid.storage import files
from pipelines.datasets import snapshot
from schemas.errors import UserError
from schemas.runs.manifest import Manifest

ONE, TWO = "20261121T100000Z-00000001", "20261121T110000Z-00000002"


def manifest(run: str) -> Manifest:
    return Manifest(
        run=run,
        source="mealmaster",
        created="2026-11-21T10:00:00Z",
        settings={},
        unit="examples",
        shards=[],
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


def test_runs_stand_in_the_order_in_which_they_began() -> None:
    names = []
    for _ in range(50):
        names.append(snapshot.new_run())
        time.sleep(0.001)
    assert names == sorted(set(names)) and all(re.fullmatch(snapshot.RUN_NAME, name) for name in names)


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
    snapshot.publish(str(tmp_path / "here"), manifest(ONE))
    (tmp_path / "here").rename(tmp_path / "there")
    assert (tmp_path / "there" / "current" / "manifest.json").exists()


def test_nothing_published(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="holds no data set"):
        snapshot.published(str(tmp_path))


def test_what_an_output_folder_may_hold(tmp_path: Path) -> None:
    snapshot.check_output(str(tmp_path / "new"))
    snapshot.publish(str(tmp_path), manifest(ONE))
    (tmp_path / "runs" / ONE / "examples").mkdir()
    (tmp_path / "validation").mkdir()
    (tmp_path / "validation" / "index.html").write_text("")
    (tmp_path / "report.html").write_text("")
    snapshot.check_output(str(tmp_path))
    (tmp_path / "thesis.tex").write_text("")
    with pytest.raises(UserError, match=r"holds thesis\.tex, which is no earlier run"):
        snapshot.check_output(str(tmp_path))


@pytest.mark.parametrize(
    "stranger",
    [
        "reports-2026.xlsx",
        "manifest.json.bak",
        "locks.txt",
        "current/index.html",
        "locks/keys.json",
        "validation/notes.txt",
        "runs/Jan01_host/events.out",
        "runs/notes.txt",
        f"runs/{ONE}.zip",
        f"runs/run_date=2026-11-01-old/{ONE}/manifest.json",
        "runs/run_date=2026-11-01/Jan01_host/events.out",
    ],
)
def test_what_only_begins_like_ours_is_a_stranger(tmp_path: Path, stranger: str) -> None:
    (tmp_path / stranger).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / stranger).write_text("precious")
    named = "/".join(stranger.split("/")[: 1 if stranger.startswith("current") else 2])
    with pytest.raises(UserError, match=f"holds {re.escape(named)}, which is no earlier run"):
        snapshot.check_output(str(tmp_path))
    snapshot.sweep(str(tmp_path), None, 1)
    assert (tmp_path / stranger).read_text() == "precious"


def test_only_runs_with_our_mark_are_swept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Marked by what begins a run, or, as runs of old, by the manifest that names them."""
    names = [f"20261121T10000{number}Z-0000000{number}" for number in range(6)]
    unmarked, begun, old, copied, notes, last = names
    for name in (old, notes, last):
        snapshot.publish(str(tmp_path), manifest(name))
    for name in (begun, notes):
        snapshot.begin(snapshot.run_folder(str(tmp_path), name))
    # What a worker was killed in the middle of (`files.whole`), of which nobody but us can have made the name.
    (tmp_path / "runs" / begun / "staged" / "part-00001.parquet.0a1b2c3d.new").write_text("half")
    for name in (unmarked, copied):
        (tmp_path / "runs" / name / "examples").mkdir(parents=True)
        (tmp_path / "runs" / name / "examples" / "part-00000.parquet").write_text("rows")
    (tmp_path / "runs" / copied / "manifest.json").write_text(manifest("another").to_json())
    (tmp_path / "runs" / notes / "examples").mkdir()
    (tmp_path / "runs" / notes / "examples" / "notes.txt").write_text("precious")
    snapshot.sweep(str(tmp_path), snapshot.last(str(tmp_path)), 1)
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == [unmarked, copied, notes, last]
    told = capsys.readouterr().err
    assert f"{notes} holds examples/notes.txt, which Allsaid did not write" in told
    assert told.count("has no mark of a run of Allsaid") == 2


def test_a_removal_that_was_killed_leaves_the_mark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The manifest goes first, the mark last; what is left in between is no complete run, and swept the next time."""
    for name in (ONE, TWO):
        snapshot.publish(str(tmp_path), manifest(name))
    with monkeypatch.context() as killed:
        killed.setattr(files, "remove", lambda *_: sys.exit(9))
        with pytest.raises(SystemExit):
            snapshot.sweep(str(tmp_path), manifest(TWO), 1)
    assert snapshot.runs(str(tmp_path)) == {ONE: False, TWO: True}
    snapshot.sweep(str(tmp_path), manifest(TWO), None)
    assert snapshot.runs(str(tmp_path)) == {TWO: True}


def test_an_output_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="is a file"):
        snapshot.check_output(str(tmp_path / "file"))


def test_a_reader_in_the_middle_of_publishing_sees_a_whole_manifest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
    assert seen == [ONE, TWO, TWO, TWO]
    assert (tmp_path / "current").readlink() == Path("runs") / TWO
