"""Full and read-only folders for temporary files, and disks that get full where no output is to blame."""

from __future__ import annotations

import errno
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from fault_worlds import Worlds
from in_process import allsaid
from small_disk import mounted

from allsaid import scratch, stops
from schemas.errors import UserError
from training.tracking import connection, registry

FULL = r"The folder for temporary files, .*small, is full\. Make room there, or set TMPDIR"


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for temporary files with room for 60 kB."""
    with mounted(tmp_path / "small", "size=60k"):
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "small"))
        yield tmp_path / "small"
        for path in [path for path in scratch._held if path.is_relative_to(tmp_path)]:
            scratch.remove(path)


def test_a_model_that_does_not_fit_is_no_fault_of_mlflow(small: Path, worlds: Worlds, own_folder: None) -> None:
    worlds.copy("model", Path())
    Path("chairs/more").write_bytes(bytes(100_000))
    client = connection.connect(connection.tracking_uri())
    client.create_registered_model("shop")
    client.create_model_version("shop", str(Path("chairs").absolute()))
    with pytest.raises(UserError, match=FULL):
        registry.resolve("models:/shop/1")
    subprocess.run(["mount", "-o", "remount,size=9m", str(small)], check=True)
    assert (registry.resolve("models:/shop/1").folder / "more").stat().st_size == 100_000


def test_a_missing_version_is_still_a_fault_of_mlflow(own_folder: None) -> None:
    uri = connection.tracking_uri()
    connection.connect(uri).create_registered_model("shop")
    with pytest.raises(UserError, match=r"MLflow at .*mlflow\.db failed"), connection.plain_faults(uri):
        connection.download("models:/shop/9", Path())


def test_a_plan_that_does_not_fit(
    small: Path, worlds: Worlds, own_folder: None, capsys: pytest.CaptureFixture[str]
) -> None:
    worlds.copy("model", Path())
    (small / "of others").write_bytes(bytes(50_000))
    assert allsaid("generate", "--model", "chairs", "--input", "new.csv", "--output", "texts", "--plan") == 1
    told = " ".join(capsys.readouterr().err.split())
    assert f"The folder for temporary files, {small}, is full." in told and "--output" not in told


def test_a_read_only_folder_for_temporary_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with mounted(tmp_path / "small", "ro"):
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "small"))
        with pytest.raises(UserError, match=r"small, can't be written \(Read-only file system\)\. .*TMPDIR"):
            scratch.folder("test")


def test_no_folder_for_temporary_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(tempfile, "_candidate_tempdir_list", lambda: ["/proc/1/fdinfo"])
    with pytest.raises(UserError, match=r"No folder for temporary files can be written.*TMPDIR"):
        scratch.folder("test")


def test_a_full_run_folder_of_a_training(
    worlds: Worlds, tmp_path: Path, own_folder: None, capsys: pytest.CaptureFixture[str]
) -> None:
    worlds.copy("dataset", tmp_path)
    with mounted(tmp_path / "run", "size=12k"):
        settings = ["--set", "hidden=64", "--tracking", "offline", "--run-dir", "run"]
        assert allsaid("train", "table", "--data", "data", *settings) == 1
    told = " ".join(capsys.readouterr().err.split())
    assert "Error: --run-dir run is full. Make room" in told and "fault of Allsaid" not in told


@pytest.mark.parametrize(
    ("fault", "is_disk"),
    [
        (OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/srv/page.html"), True),
        (OSError("3864 requested and 1520 written"), True),  # NumPy
        (OSError(errno.EBADF, os.strerror(errno.EBADF)), False),
    ],
)
def test_a_full_disk_is_no_fault_of_allsaid(fault: OSError, is_disk: bool, capsys: pytest.CaptureFixture[str]) -> None:
    assert stops.end(fault) == 1
    told = " ".join(capsys.readouterr().err.split())
    assert ("fault of Allsaid" not in told, "A disk is full" in told, str(fault) in told) == (is_disk, is_disk, True)
