"""Runs among other runs: what is unchanged is not read again, one run at a time."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path

import pytest
from another_run import NAME, another_run
from dump_folder import SETTINGS, ingest, write
from dumps import cookbook, dump

from pipelines.datasets import history, snapshot
from pipelines.datasets.gates import DataGates, measure
from pipelines.ingest.request import Request
from pipelines.ingest.run import run
from pipelines.sources.mealmaster.source import Settings
from schemas.errors import UserError
from schemas.runs.history import Mean
from schemas.runs.manifest import Manifest


def fresh(folder: Path, where: Path, settings: Settings = SETTINGS) -> Manifest:
    """The same input read by a first run elsewhere."""
    return run(Request("mealmaster", [str(folder / "*.mmf")], str(where), settings))


def test_a_second_run_does_nothing_and_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, a=dump(cookbook(range(20))))
    first = ingest(tmp_path)
    assert ingest(tmp_path) == first
    assert "Nothing to do" in capsys.readouterr().err
    assert list(snapshot.store(str(tmp_path / "out")).runs()) == [first.run]
    assert len(history.read(str(tmp_path / "out"))) == 1


def test_only_changed_input_is_read(tmp_path: Path) -> None:
    write(tmp_path, a=dump(cookbook(range(20))), b=dump(cookbook(range(15, 50))), c=dump(cookbook(range(50, 70))))
    ingest(tmp_path)
    write(tmp_path, b=dump(cookbook(range(30, 55))), aa=dump(cookbook(range(70, 80))))
    (tmp_path / "c.mmf").unlink()
    again = ingest(tmp_path, gates=DataGates(lost=1))
    expected = fresh(tmp_path, tmp_path / "elsewhere")
    assert again.fingerprint == expected.fingerprint
    assert (again.splits, again.rejected, again.statistics) == (expected.splits, expected.rejected, expected.statistics)
    assert again.files == expected.files
    assert [(past.shards, past.reused) for past in history.read(str(tmp_path / "out"))] == [(3, 0), (3, 1)]


def test_settings_of_later_steps_do_not_make_files_read_again(tmp_path: Path) -> None:
    write(tmp_path, a=dump(cookbook(range(20))), b=dump(cookbook(range(20, 50))))
    ingest(tmp_path)
    other = Settings(dev_share=0.3, test_share=0.1, phrase_passes=1)
    again = ingest(tmp_path, other)
    assert again.fingerprint == fresh(tmp_path, tmp_path / "elsewhere", other).fingerprint
    assert history.read(str(tmp_path / "out"))[-1].reused == 2


def test_snapshots_by_date_and_no_more_than_asked_for(tmp_path: Path) -> None:
    out = str(tmp_path / "out")
    write(tmp_path, a=dump(cookbook(range(20))))
    days = ("2026-11-01", "2026-11-02", "2026-11-03")
    made = [ingest(tmp_path, run_date=day, keep_snapshots=2) for day in days]
    assert made[2].run.startswith("run_date=2026-11-03/")
    assert list(snapshot.store(out).runs()) == [made[1].run, made[2].run]
    assert snapshot.published(out) == made[2]
    assert (tmp_path / "out" / "current" / "manifest.json").is_file()
    assert [past.run_date for past in history.read(out)] == list(days)
    assert ingest(tmp_path, run_date=days[2]) == made[2]
    titles = [past.title for past in history.read(out)]
    assert titles == [f"{day}, made {manifest.created}" for day, manifest in zip(days, made, strict=True)]


def test_the_picture_leaves_out_what_is_counted_by_column(tmp_path: Path) -> None:
    write(tmp_path, a=dump(cookbook(range(20))))
    ingest(tmp_path)
    (past,) = history.read(str(tmp_path / "out"))
    columns = [Mean(f"given column {number}", 1.0) for number in range(40)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a legend that fills the picture makes matplotlib warn
        assert history.draw(str(tmp_path / "out"), [replace(past, means=[*past.means, *columns])] * 2)


def test_the_second_of_two_runs_is_refused_or_waits(tmp_path: Path) -> None:
    write(tmp_path, a=dump(cookbook(range(20))))
    out = tmp_path / "out"
    with another_run(str(out)) as ends_after:
        with pytest.raises(UserError, match=rf"Another run, {NAME}, is writing to .*--wait MINUTES"):
            ingest(tmp_path)
        assert not snapshot.store(str(out)).runs()
        ends_after(0.5)
        assert ingest(tmp_path, wait_minutes=1).kept
    assert not list((out / "locks").iterdir())


def test_gates(tmp_path: Path) -> None:
    write(tmp_path, a=dump(cookbook(range(60))))
    before = ingest(tmp_path)
    write(tmp_path, a=dump(cookbook(range(40))))
    after = ingest(tmp_path, gates=DataGates(lost=1))
    assert DataGates(lost=1).broken(measure(after, before)) == DataGates(lost=0.4).broken(measure(after, before)) == []
    lost, drift, unknown = (DataGates(), DataGates(drift=0.0), DataGates(unknown=0.0))
    assert f"fewer than the {before.kept} of run" in lost.broken(measure(after, before))[0]
    assert lost.broken(measure(after, before))[0].endswith("If that is right, publish it with --gate lost=1.")
    assert any("The mean of 'tokens' went from" in sentence for sentence in drift.broken(measure(after, before)))
    assert "are not in the training part; the gate 'unknown' allows 0.0%" in unknown.broken(measure(after, before))[-1]
    assert lost.broken(measure(after, None)) == []
