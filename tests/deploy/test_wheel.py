"""The built wheel, installed in an empty environment outside the checkout, makes the whole walk."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest
from fault_worlds import Worlds
from in_process import allsaid
from job_service import job_service

ROOT = Path(__file__).resolve().parents[2]
UV = Path(sys.executable).with_name("uv")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    shutil.rmtree(ROOT / "build" / "lib", ignore_errors=True)  # setuptools would take over modules that are gone
    return built("wheel", ROOT, tmp_path_factory.mktemp("wheel"))


def built(kind: str, source: Path, folder: Path) -> Path:
    """Build a wheel or an sdist; return its file."""
    command = [str(UV), "build", "-q", f"--{kind}", "--out-dir", str(folder), str(source)]
    subprocess.run(command, check=True, capture_output=True)
    return next(folder.glob("allsaid-*"))


@pytest.mark.slow
def test_the_sdist_gives_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    sdist = built("sdist", ROOT, tmp_path / "sdist")
    subprocess.run(["tar", "-xzf", sdist, "-C", tmp_path], check=True)  # Python 3.11.2 has no filter for archives
    unpacked = tmp_path / sdist.name.removesuffix(".tar.gz")
    assert {"LICENSE", "README.md", "CHANGELOG.md", "constraints.txt", "pyproject.toml"} <= {
        path.name for path in unpacked.iterdir()
    }
    again = built("wheel", unpacked, tmp_path / "again")
    assert zipfile.ZipFile(again).namelist() == zipfile.ZipFile(wheel).namelist()


def test_the_wheel_has_configs_and_samples(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert "training/configs/agenda/checklist-demo.yaml" in names
    assert "training/configs/agenda/checklist-paper.yaml" in names
    assert any(name.startswith("samples/") and ".mmf" in name for name in names)
    assert {
        "batch_infer/report/report.html.j2",
        "batch_infer/report/pieces.html.j2",
        "batch_infer/trial/trial.html.j2",
        "evaluation/rating/rate.html.j2",
        "evaluation/compare/page.html.j2",
        "pipelines/validation/page.html.j2",
    } <= set(names)
    assert {f"evaluation/tables/{name}.yaml" for name in ("recipes", "hotel", "restaurant")} <= set(names)
    assert not [name for name in names if name.startswith(("mlflow/", "tests/", "benchmarks/"))]


@pytest.mark.slow
def test_workers_need_the_launchers_wheel(
    wheel: Path, tmp_path: Path, worlds: Worlds, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """They run where all is installed but this project: without it, with its wheel sent along, then installed there."""
    python = tmp_path / "venv" / "bin" / "python"
    subprocess.run([str(UV), "venv", "-q", "--python", sys.executable, str(tmp_path / "venv")], check=True)
    own = next((tmp_path / "venv").glob("lib/python*/site-packages"))
    (own / "others.pth").write_text(f"{sysconfig.get_paths()['purelib']}\n")
    worlds.copy("table", tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTHONPATH", raising=False)
    words = ["ingest", "records", "--input", "chairs.csv", "--mapping", "chairs.yaml", "--output", "data"]

    def told(*more: str) -> str:
        (tmp_path / "service").mkdir()
        with job_service(tmp_path / "service", str(python)) as options:
            code = allsaid(*words, *options, *more)
        shutil.rmtree(tmp_path / "service")
        said = " ".join(capsys.readouterr().err.split())
        assert (code == 0) == (tmp_path / "data" / "manifest.json").exists(), said
        return said

    assert "A worker has no module 'pipelines" in told()
    assert "Error" not in told("--extra_package", str(wheel)) and (tmp_path / "data" / "manifest.json").exists()
    shutil.rmtree(tmp_path / "data")
    install = [str(UV), "pip", "install", "-q", "--no-deps", "--link-mode", "copy", "--python", str(python), str(wheel)]
    subprocess.run(install, check=True)
    with (own / "pipelines" / "source.py").open("a") as changed:
        changed.write("# by hand\n")
    assert "it has other code of Allsaid. Install the same wheel there" in told()
    subprocess.run([*install, "--reinstall"], check=True)
    assert "Error" not in told() and (tmp_path / "data" / "manifest.json").exists()


@pytest.mark.slow
def test_the_demo_runs_from_the_wheel_alone(wheel: Path, tmp_path: Path) -> None:
    foreign = ("PYTHONPATH", "VIRTUAL_ENV", "MLFLOW_TRACKING_URI")  # mlflow sets the last itself in other tests
    environment = {key: value for key, value in os.environ.items() if key not in foreign}
    python = tmp_path / "venv" / "bin" / "python"
    subprocess.run([str(UV), "venv", "-q", "--python", sys.executable, str(tmp_path / "venv")], check=True)
    install = [
        str(UV),
        "pip",
        "install",
        "-q",
        "--python",
        str(python),
        "-c",
        str(ROOT / "constraints.txt"),
        str(wheel),
    ]
    subprocess.run(install, check=True)
    answer = subprocess.run(
        [str(python.with_name("allsaid")), "demo"], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert answer.returncode == 0, answer.stderr[-2000:]
    table = answer.stdout
    for row in ("recipes in", "kept", "rejected", "steps trained", "texts generated", "% given items", "extra items"):
        assert row in table
    assert "KN-9002 has a wrong text" in answer.stderr and "Nothing to do" in answer.stderr
    report = next((tmp_path / "demo" / "texts").glob("*/report.html"))
    assert "<html" in report.read_text()
    assert (tmp_path / "mlflow.db").is_file()
