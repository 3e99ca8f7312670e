"""The built wheel, installed in an empty environment outside the checkout, makes the whole walk."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
UV = Path(sys.executable).with_name("uv")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [str(UV), "build", "-q", "--wheel", "--out-dir", str(folder), str(ROOT)], check=True, capture_output=True
    )
    return next(folder.glob("*.whl"))


def test_the_wheel_holds_configs_and_samples_and_no_mlflow_folder(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert "training/configs/agenda/checklist-demo.yaml" in names
    assert "training/configs/agenda/checklist-paper.yaml" in names
    assert any(name.startswith("samples/") and ".mmf" in name for name in names)
    assert {
        "batch_infer/report/report.html.j2",
        "evaluation/rating/rate.html.j2",
        "evaluation/compare/page.html.j2",
    } <= set(names)
    assert {f"evaluation/tables/{name}.yaml" for name in ("recipes", "hotel", "restaurant")} <= set(names)
    assert not [name for name in names if name.startswith(("mlflow/", "tests/", "benchmarks/"))]


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
    report = next((tmp_path / "demo" / "texts").glob("*/report.html"))
    assert "<html" in report.read_text()
    assert (tmp_path / "mlflow.db").is_file()
