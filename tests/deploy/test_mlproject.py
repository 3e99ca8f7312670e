"""`mlflow run mlflow`: the entry points, and the tree of runs that one leaves."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from as_process import allsaid
from small_config import SMALL
from small_data import make_example, publish

from training.tracking import connection

ROOT = Path(__file__).resolve().parents[2]
ENTRIES = yaml.safe_load((ROOT / "mlflow" / "MLproject").read_text())["entry_points"]


@pytest.mark.parametrize("entry", ["ingest", "train", "evaluate", "generate"])
def test_an_entry_point_asks_for_what_its_command_takes(entry: str) -> None:
    words = ENTRIES[entry]["command"].replace("{source}", "mealmaster").split()
    assert set(re.findall(r"\{(\w+)\}", ENTRIES[entry]["command"])) | {"source"} >= set(ENTRIES[entry]["parameters"])
    assert words[:4] == ["cd", "..", "&&", "allsaid"] and words[4] == entry
    told = allsaid(*[word for word in words[4:] if word[0] not in "-{"], "--help").stdout
    assert {word for word in words if word.startswith("--")} <= set(re.findall(r"--[a-z-]+", told))


@pytest.mark.slow
@pytest.mark.usefixtures("own_folder")
def test_a_grid_by_mlflow_run_is_a_tree(tmp_path: Path) -> None:
    """Project's run, below it the grid's, below that the children; all carry what they were given."""
    examples = [make_example(number) for number in range(20)]
    data = publish(tmp_path / "data", {"train": examples[:13], "dev": examples[13:]})
    (tmp_path / "small.yaml").write_text(SMALL.to_yaml())
    bin_folder = Path(sys.executable).parent
    uri = f"sqlite:///{tmp_path / 'mlflow.db'}"
    environment = os.environ | {"PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}", "MLFLOW_TRACKING_URI": uri}
    given = {"data": data, "config": tmp_path / "small.yaml", "set": "seed=1,2", "run-dir": tmp_path / "grid"}
    command = [str(bin_folder / "mlflow"), "run", str(ROOT / "mlflow"), "-e", "train", "--env-manager", "local"]
    words = [word for key, value in given.items() for word in ("-P", f"{key}={value}")]
    done = subprocess.run(
        [*command, "--experiment-name", "recipes", *words],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    client = connection.connect(uri)
    found = client.search_runs([client.get_experiment_by_name("recipes").experiment_id])
    runs = {run.info.run_name: run for run in found}
    (project,) = [run for run in found if run.data.tags.get("mlflow.project.entryPoint") == "train"]
    assert len(found) == 4 and all(run.info.status == "FINISHED" for run in found)
    above = {name: runs[name].data.tags["mlflow.parentRunId"] for name in ("grid", "seed=1", "seed=2")}
    grid = runs["grid"].info.run_id
    assert above == {"grid": project.info.run_id, "seed=1": grid, "seed=2": grid}
    assert project.data.params["set"] == "seed=1,2" and "mlflow.parentRunId" not in project.data.tags
