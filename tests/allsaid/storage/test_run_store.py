"""The folders of runs: their order, what an output folder may hold, and what is removed of it."""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path

import pytest

from allsaid.storage import files
from allsaid.storage.run_store import RUN_NAME, RunStore, new_run
from batch_infer.nights import folders
from pipelines.datasets import snapshot
from schemas.errors import UserError

NAMES = [f"20261121T10000{number}Z-0000000{number}" for number in range(6)]
ONE, TWO, *_ = NAMES
RECORDS = {"ingest": f"{ONE}/manifest.json", "nightly": f"{ONE}.json"}


@pytest.fixture(params=[snapshot.LAYOUT, folders.LAYOUT], ids=["ingest", "nightly"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> RunStore:
    return RunStore(str(tmp_path), request.param)


def begin(store: RunStore, run: str) -> Path:
    """Write the mark of a run; return its folder."""
    mark = Path(store.folder(run), store.layout.mark)
    mark.parent.mkdir(parents=True)
    mark.write_text("begun")
    return Path(store.folder(run))


def publish(store: RunStore, run: str) -> None:
    begin(store, run)
    store.finish(run, "{}")
    store.publish(run, run)


def test_names_of_runs_sort_in_the_order_in_which_runs_began() -> None:
    names = []
    for _ in range(50):
        names.append(new_run())
        time.sleep(0.001)
    assert names == sorted(set(names)) and all(re.fullmatch(RUN_NAME, name) for name in names)


def test_runs_are_complete_with_their_record(store: RunStore) -> None:
    publish(store, TWO)
    begin(store, ONE)
    assert (list(store.runs()), list(store.complete())) == ([ONE, TWO], [TWO])
    assert (Path(store.output) / "runs" / RECORDS[store.layout.command].replace(ONE, TWO)).exists()
    assert Path(store.pointer).read_text() == TWO
    assert (Path(store.output) / "current").readlink() == Path("runs", TWO)


def test_an_output_folder_may_hold_runs_and_pages(store: RunStore, tmp_path: Path) -> None:
    store.check()
    publish(store, ONE)
    (tmp_path / "runs" / ONE / "examples").mkdir()
    store.check()
    (tmp_path / "thesis.tex").write_text("")
    with pytest.raises(UserError, match=rf"holds thesis\.tex, which `allsaid {store.layout.command}` did not write"):
        store.check()


@pytest.mark.parametrize("page", ["validation/index.html", "report.html"])
def test_pages_about_a_data_set_are_known(tmp_path: Path, page: str) -> None:
    (tmp_path / page).parent.mkdir(exist_ok=True)
    (tmp_path / page).write_text("")
    snapshot.store(str(tmp_path)).check()


@pytest.mark.parametrize(
    "foreign",
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
def test_similar_names_are_foreign_and_stay(store: RunStore, tmp_path: Path, foreign: str) -> None:
    (tmp_path / foreign).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / foreign).write_text("precious")
    named = "/".join(foreign.split("/")[: 1 if foreign.startswith("current") else 2])
    with pytest.raises(UserError, match=f"holds {re.escape(named)}, which"):
        store.check()
    store.sweep("", [], [], 1)
    assert (tmp_path / foreign).read_text() == "precious"


def test_only_marked_runs_without_foreign_files_are_swept(
    store: RunStore, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    unmarked, begun, old, copied, notes, last = NAMES
    for name in (old, notes, last):
        publish(store, name)
    killed = "staged/part-00001.parquet" if store.layout.command == "ingest" else "done/part-00001.json"
    half = begin(store, begun) / f"{killed}.0a1b2c3d.new"  # as `files.whole` leaves it when a worker is killed
    half.parent.mkdir(exist_ok=True)
    half.write_text("half")
    rows = "examples" if store.layout.command == "ingest" else "texts"
    for name in (unmarked, copied):
        (tmp_path / "runs" / name / rows).mkdir(parents=True)
        (tmp_path / "runs" / name / rows / "part-00000.parquet").write_text("rows")
    store.finish(copied, "{}")
    (tmp_path / "runs" / notes / rows).mkdir()
    (tmp_path / "runs" / notes / rows / "notes.txt").write_text("precious")
    store.sweep(last, [old, notes, last], [], 1)
    assert list(store.runs()) == [unmarked, copied, notes, last]
    told = capsys.readouterr().err
    assert f"{notes} holds {rows}/notes.txt, which Allsaid did not write" in told
    assert told.count("the mark of a run of Allsaid, so it is kept") == 2


def test_a_killed_removal_leaves_the_mark(store: RunStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """The record goes first, the mark last; what is left in between is no complete run, and swept the next time."""
    for name in (ONE, TWO):
        publish(store, name)
    with monkeypatch.context() as killed:
        killed.setattr(files, "remove", lambda *_: sys.exit(9))
        with pytest.raises(SystemExit):
            store.sweep(TWO, [ONE, TWO], [], 1)
    assert (list(store.runs()), list(store.complete())) == ([ONE, TWO], [TWO])
    store.sweep(TWO, [TWO], [], None)
    assert list(store.runs()) == [TWO]


def test_the_refused_run_and_the_one_readers_see_are_kept(store: RunStore) -> None:
    for name in NAMES[:5]:
        publish(store, name)
    store.sweep(NAMES[0], [NAMES[0], NAMES[2], NAMES[4]], [NAMES[1], NAMES[3]], 1)
    assert list(store.runs()) == [NAMES[0], NAMES[3], NAMES[4]]


def test_an_output_that_is_a_file(store: RunStore, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="is a file"):
        RunStore(str(tmp_path / "file"), store.layout).check()
