"""Damage to what a run wrote, and to what it reads: found, told, and mended by reading no more than is needed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from dump_folder import ingest, write
from dumps import cookbook, dump

from allsaid.gates import GateBroken
from allsaid.storage.run_store import run_folder
from pipelines import sources
from pipelines.datasets import history, snapshot
from pipelines.datasets.gates import DataGates
from pipelines.ingest import reuse
from pipelines.ingest import run as room
from pipelines.ingest.request import Request
from pipelines.ingest.run import run
from pipelines.sources.mealmaster.source import Settings
from schemas.errors import UserError
from schemas.runs.history import HISTORY


def remove(path: Path) -> None:
    path.unlink()


def flip(path: Path) -> None:
    """Change one bit, so that the size stays."""
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def cut_off(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:50])


def test_only_the_shard_of_a_damaged_file_is_read_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, a=dump(cookbook(range(12))), b=dump(cookbook(range(12, 30))))
    first = ingest(tmp_path)
    named = {entry["path"]: entry["sha256"] for entries in first.files.values() for entry in entries}
    for harm, name, said, reused in (
        (remove, "records/part-00001.parquet", "is missing; its shard of {}/b.mmf is read again.", 1),
        (flip, "staged/part-00000.parquet", "is damaged; its shard of {}/a.mmf is read again.", 1),
        (cut_off, "staged/part-00001.json", "is damaged; its shard of {}/b.mmf is read again.", 1),
        (flip, "phrases.parquet", "is damaged; it is made again.", 2),
    ):
        harm(tmp_path / "out" / "current" / name)
        again = ingest(tmp_path)
        assert f"{name} {said.format(tmp_path)}" in capsys.readouterr().err
        assert {entry["path"]: entry["sha256"] for found in again.files.values() for entry in found} == named
        assert history.read(str(tmp_path / "out"))[-1].reused == reused
    assert ingest(tmp_path) == again
    assert "Nothing to do" in capsys.readouterr().err


def test_many_damaged_files_are_told_in_a_few_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, a=dump(cookbook(range(12))))
    manifest = ingest(tmp_path)
    folder = Path(run_folder(str(tmp_path / "out"), manifest.run))
    for path in folder.rglob("*.parquet"):
        path.unlink()
    capsys.readouterr()  # what the ingest told of its progress
    assert len(reuse.damaged(str(tmp_path / "out"), manifest)) == 7
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 6 and told[5] == "2 more files of this run are missing or damaged."


def test_a_lost_manifest_is_restored_from_the_newest_run(tmp_path: Path) -> None:
    write(tmp_path, a=dump(cookbook(range(30))))
    published, out = ingest(tmp_path), str(tmp_path / "out")
    write(tmp_path, a=dump(cookbook(range(9))))
    with pytest.raises(GateBroken):
        ingest(tmp_path)
    for harm in (remove, cut_off, flip_all):
        harm(tmp_path / "out" / "manifest.json")
        assert snapshot.last(out) == published
        snapshot.restore(out, published)
        assert snapshot.published(out) == published


def flip_all(path: Path) -> None:
    """Bytes that are no text."""
    path.write_bytes(bytes(255 - byte for byte in path.read_bytes()))


def test_a_run_kept_aside_is_not_published(tmp_path: Path) -> None:
    write(tmp_path, a=dump(cookbook(range(30))), b=dump(cookbook(range(30, 36))))
    before, out = ingest(tmp_path), str(tmp_path / "out")
    (tmp_path / "a.mmf").unlink()
    for _ in range(2):
        with pytest.raises(GateBroken, match="publish it with --gate lost=1") as told:
            ingest(tmp_path)
        assert snapshot.published(out) == before
    aside = told.value.reached
    assert list(snapshot.store(out).runs()) == [before.run, aside.run]
    assert [past.status for past in history.read(out)] == ["published", "aside"]
    write(tmp_path, c=dump(cookbook(range(36, 40))))
    with pytest.raises(GateBroken):
        ingest(tmp_path)
    assert history.read(out)[-1].reused == 1
    (tmp_path / "c.mmf").unlink()
    published = ingest(tmp_path, gates=DataGates(lost=1))
    assert published.fingerprint == aside.fingerprint == snapshot.published(out).fingerprint


def test_what_was_kept_aside_is_published_as_it_is(tmp_path: Path) -> None:
    write(tmp_path, a=dump(cookbook(range(30))))
    ingest(tmp_path)
    write(tmp_path, a=dump(cookbook(range(9))))
    with pytest.raises(GateBroken) as told:
        ingest(tmp_path)
    assert ingest(tmp_path, gates=DataGates(lost=1)) == told.value.reached == snapshot.published(str(tmp_path / "out"))
    assert snapshot.aside(str(tmp_path / "out")) is None
    assert [past.status for past in history.read(str(tmp_path / "out"))] == ["published", "aside", "published"]


@pytest.mark.parametrize("change", [lambda path: path.write_bytes(path.read_bytes() + b"\r\n"), remove])
def test_an_input_that_changes_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Any) -> None:
    """At any moment from the first look on, and whatever the reader says of it."""
    write(tmp_path, a=dump(cookbook(range(12))))
    before = ingest(tmp_path)
    content = dump(cookbook(range(14)))
    for step in ("plan", "_execute", "_make"):
        write(tmp_path, a=content)
        with monkeypatch.context() as patched:
            owner: Any = sources.find("mealmaster") if step == "plan" else room
            whole = getattr(owner, step)

            def changed(*given: Any, whole: Any = whole, step: str = step) -> Any:
                found = whole(*given) if step == "plan" else None
                change(tmp_path / "a.mmf")
                return found if step == "plan" else whole(*given)

            patched.setattr(owner, step, changed)
            with pytest.raises(UserError, match=r"a\.mmf changed while it was read\. Nothing was published"):
                ingest(tmp_path)
        assert snapshot.published(str(tmp_path / "out")) == before
        assert list(snapshot.store(str(tmp_path / "out")).runs()) == [before.run]
        assert not list((tmp_path / "out" / "locks").iterdir())


def test_damage_on_an_object_store(kitchen: Any, capsys: pytest.CaptureFixture[str]) -> None:
    kitchen.put_object(Bucket="kitchen", Key="dumps/a.mmf", Body=dump(cookbook(range(12))))
    out, settings = "s3://kitchen/out", Settings()
    first = run(Request("mealmaster", ["s3://kitchen/dumps/*"], out, settings))
    lost = f"out/runs/{first.run}/staged/part-00000.parquet"
    kitchen.put_object(Bucket="kitchen", Key=lost, Body=b"PAR1")
    kitchen.put_object(Bucket="kitchen", Key="out/manifest.json", Body=b"{")
    again = run(Request("mealmaster", ["s3://kitchen/dumps/*"], out, settings))
    told = capsys.readouterr().err
    assert f"{lost} is damaged; its shard of s3://kitchen/dumps/a.mmf is read again." in told
    assert "s3://kitchen/out/manifest.json is missing or damaged" in told
    assert again.run != first.run and again.files == first.files and snapshot.published(out) == again
    kitchen.put_object(Bucket="kitchen", Key="out/runs/Jan01_host/events.out", Body=b"precious")
    with pytest.raises(UserError, match="holds runs/Jan01_host, which `allsaid ingest` did not write"):
        run(Request("mealmaster", ["s3://kitchen/dumps/*"], out, settings))
    kitchen.delete_object(Bucket="kitchen", Key=f"out/runs/{first.run}/manifest.json")
    snapshot.sweep(out, again, None)
    assert list(snapshot.store(out).complete()) == [again.run]
    assert kitchen.get_object(Bucket="kitchen", Key="out/runs/Jan01_host/events.out")["Body"].read() == b"precious"
    assert json.loads(kitchen.get_object(Bucket="kitchen", Key="out/manifest.json")["Body"].read())["run"] == again.run


def test_a_history_of_another_version(tmp_path: Path) -> None:
    columns = {column: ["1"] for column in HISTORY.names if column != "shards"}
    pq.write_table(pa.table(columns, metadata=HISTORY.metadata), tmp_path / "history.parquet")
    with pytest.raises(UserError, match=r"Another version .* `allsaid ingest` keeps it as history-damaged\.parquet"):
        history.read(str(tmp_path))
