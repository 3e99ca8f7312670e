"""What goes wrong on a schedule: locks that are lost, gates on what is unchanged, runs that were kept aside."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest
from as_process import json_lines
from dump_folder import ingest, write
from dumps import cookbook, dump, recipe

from allsaid.gates import GateBroken
from pipelines.datasets import history, snapshot
from pipelines.datasets.gates import DataGates
from pipelines.ingest import reuse
from pipelines.ingest.request import Request
from pipelines.ingest.run import run
from pipelines.sources.allrecipes import source as allrecipes
from pipelines.sources.dialogue_acts import source as dialogue_acts
from schemas.errors import UserError

ROOT = Path(__file__).resolve().parents[3]


def test_a_run_that_lost_its_lock_publishes_nothing(tmp_path: Path) -> None:
    write(tmp_path, a=dump(cookbook(range(20))))
    out, ended = tmp_path / "out", threading.Event()

    def steal() -> None:
        while not ended.wait(0.01):
            for path in (out / "locks").glob("*.json"):
                path.unlink(missing_ok=True)

    thief = threading.Thread(target=steal, daemon=True)
    thief.start()
    with pytest.raises(UserError, match=r"did not renew its lock on .*Nothing was published; start it again"):
        ingest(tmp_path)
    ended.set()
    thief.join()
    assert snapshot.last(str(out)) is None and not snapshot.store(str(out)).runs()


def test_what_is_unchanged_is_held_to_the_gates_as_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, a=dump([*cookbook(range(8)), recipe("Nothing", [], "Wait.")]))
    first = ingest(tmp_path)
    assert first.rejected_total
    with pytest.raises(GateBroken, match=r"records rejected is .* Readers see it nevertheless\.") as told:
        ingest(tmp_path, gates=DataGates(rejected=0))
    assert told.value.reached == first
    assert "Nothing to do" in capsys.readouterr().err


def test_losses_are_told_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "train.json").write_text(json.dumps([["goodbye()", f"bye {n}", "x"] for n in range(20)])[:-1])
    for _ in range(2):
        run(Request("dialogue-acts", [str(tmp_path / "train.json")], str(tmp_path / "out"), dialogue_acts.NoSettings()))
        assert "Lost: " in capsys.readouterr().err


def test_another_source_does_not_take_a_data_set_s_place(tmp_path: Path) -> None:
    write(tmp_path, a=dump(cookbook(range(8))))
    ingest(tmp_path)
    (tmp_path / "train.json").write_text(json.dumps([["goodbye()", "bye", "bye"]]))
    with pytest.raises(UserError, match="holds a data set of the source 'mealmaster', not 'dialogue-acts'"):
        run(Request("dialogue-acts", [str(tmp_path / "train.json")], str(tmp_path / "out"), dialogue_acts.NoSettings()))


def test_runs_kept_aside_do_not_crowd_out_good_ones(tmp_path: Path) -> None:
    out, days = str(tmp_path / "out"), [f"2026-11-0{day}" for day in range(1, 8)]
    write(tmp_path, a=dump(cookbook(range(12))))
    good = [ingest(tmp_path, run_date=day, keep_snapshots=2) for day in days[:3]]
    for day in days[3:6]:
        with pytest.raises(GateBroken, match="is kept aside in"):
            ingest(tmp_path, run_date=day, keep_snapshots=2, gates=DataGates(unknown=0))
    left = list(snapshot.store(out).runs())
    assert left[:2] == [manifest.run for manifest in good[1:]] and left[2].startswith(f"run_date={days[5]}/")
    assert len(left) == 3 == len(list((tmp_path / "out" / "runs").iterdir()))
    said, *_ = (tmp_path / "out" / "runs" / left[2] / snapshot.ASIDE_NAME).read_text().splitlines()
    assert "the gate 'unknown' allows 0.0%" in said
    assert [past.status for past in history.read(out)] == ["published"] * 3 + ["aside"] * 3


@pytest.mark.slow
def test_a_broken_gate_leaves_the_figures(tmp_path: Path) -> None:
    given = ("--input", str(ROOT / "samples" / "*.mmf"), "--output", str(tmp_path / "data"), "--gate", "rejected=0")
    code, (figures,), news = json_lines("ingest", "mealmaster", *given, "--log-format", "json")
    assert (code, figures["read"], news[-1]["exit_code"]) == (2, 111, 2)


def test_a_library_s_version_is_part_of_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    before = reuse.code_version("records")
    reuse.code_version.cache_clear()
    versions: dict[str, Any] = {"spacy": "9.9"}
    monkeypatch.setattr(reuse, "version", lambda name: versions.get(name, "1"))
    assert reuse.code_version("records") != before
    reuse.code_version.cache_clear()


def test_a_shard_of_several_files_says_so_in_the_manifest(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for number in range(70):
        record = {"title": f"Soup {number}", "ingredients": ["1 leek"], "directions": ["Cook the leek. " * 9]}
        (tmp_path / "in" / f"{number}.json").write_text(json.dumps(record))
    manifest = run(Request("allrecipes", [str(tmp_path / "in")], str(tmp_path / "out"), allrecipes.Settings()))
    assert len(manifest.inputs) < 70 == sum(1 + entry["more"] for entry in manifest.inputs)
    assert all(entry["read"] == 1 + entry["more"] for entry in manifest.inputs)
    assert " read with it" in (tmp_path / "out" / "runs" / manifest.run / "README.md").read_text()
