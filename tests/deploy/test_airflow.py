"""The DAGs of deploy/airflow_dag.py in a real Airflow, which `make airflow` installs in an environment of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from fault_worlds import Worlds

ROOT = Path(__file__).resolve().parents[2]
AIRFLOW = ROOT / "build" / "airflow" / "bin" / "airflow"
SMALL = ["hidden=8", "epochs=1", "width=2", "max_tokens=20", "score_texts=1"]


@pytest.mark.slow
@pytest.mark.skipif(not AIRFLOW.exists(), reason="Airflow is not installed here; `make airflow` installs it.")
def test_a_dag_of_all_commands_runs(tmp_path: Path, worlds: Worlds, own_folder: None) -> None:
    worlds.copy("table", tmp_path)
    generate = {"model": "run/model", "input": "new.csv", "output": "nights"}
    (tmp_path / "shop.yaml").write_text(yaml.safe_dump({"generate": generate}))
    train = {"config": "table", "data": "data", "run-dir": "run", "tracking": "offline", "set": SMALL}
    written = {"model": "run/model", "input": "new.csv", "format": "csv", "output": "texts-{{ ds }}"}
    proof = {"texts": "texts-{{ ds }}/texts.csv", "model": "run/model", "input": "new.csv", "output": "proof"}
    tasks = [
        {"command": "ingest records", "input": "chairs.csv", "mapping": "chairs.yaml", "output": "data"},
        {"command": "train", **train},
        {"command": "generate", **written},
        {"command": "prove", **proof, "mend": True},
        {"command": "nightly", "config": "shop.yaml"},
    ]
    jobs = tmp_path / "jobs.yaml"
    jobs.write_text(yaml.safe_dump({"shop": {"schedule": None, "folder": str(tmp_path), "tasks": tasks}}))
    environment = os.environ | {
        "AIRFLOW_HOME": str(tmp_path / "airflow"),
        "AIRFLOW__CORE__DAGS_FOLDER": str(ROOT / "deploy"),
        "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
        "ALLSAID_PYTHON": sys.executable,
        "ALLSAID_JOB": str(ROOT / "deploy" / "job.py"),
        "ALLSAID_JOBS": str(jobs),
    }
    for words in (["db", "migrate"], ["dags", "test", "shop", "2026-11-21"]):
        done = subprocess.run([str(AIRFLOW), *words], env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert "state=success" in done.stdout + done.stderr
    folders = [tmp_path / "texts-2026-11-21", tmp_path / "proof", tmp_path / "nights" / "current"]
    assert [json.loads((folder / "summary.json").read_text())["texts"] for folder in folders] == [3, 3, 3]
