"""The DAGs of deploy/airflow_dag.py in a real Airflow, which `make airflow` installs in an environment of its own."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from fault_worlds import Worlds

ROOT = Path(__file__).resolve().parents[2]
AIRFLOW = ROOT / "build" / "airflow" / "bin" / "airflow"
SAMPLES = ROOT / "samples"
TEST = [str(AIRFLOW), "dags", "test", "shop"]
SMALL = ["hidden=8", "epochs=1", "width=2", "max_tokens=20", "score_texts=1"]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not AIRFLOW.exists(), reason="Airflow is not installed here; `make airflow` installs it."),
]


def dag_of(tasks: list[dict[str, object]], folder: Path) -> dict[str, str]:
    """Write a job of these tasks and set up Airflow; return the environment in which it finds the DAG 'shop'."""
    jobs = folder / "jobs.yaml"
    jobs.write_text(yaml.safe_dump({"shop": {"schedule": None, "folder": str(folder), "tasks": tasks}}))
    environment = os.environ | {
        "AIRFLOW_HOME": str(folder / "airflow"),
        "AIRFLOW__CORE__DAGS_FOLDER": str(ROOT / "deploy"),
        "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
        "ALLSAID_PYTHON": sys.executable,
        "ALLSAID_JOB": str(ROOT / "deploy" / "job.py"),
        "ALLSAID_JOBS": str(jobs),
    }
    done = subprocess.run([str(AIRFLOW), "db", "migrate"], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return environment


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
    environment = dag_of(tasks, tmp_path)
    done = subprocess.run([*TEST, "2026-11-21"], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert "state=success" in done.stdout + done.stderr
    folders = [tmp_path / "texts-2026-11-21", tmp_path / "proof", tmp_path / "nights" / "current"]
    assert [json.loads((folder / "summary.json").read_text())["texts"] for folder in folders] == [3, 3, 3]


PROOF = {
    "command": "prove",
    "texts": str(SAMPLES / "new_texts.csv"),
    "input": str(SAMPLES / "new_products.csv"),
    "mapping": str(SAMPLES / "products.yaml"),
    "output": "proof",
}
HALF_READ = {"command": "ingest mealmaster", "input": "recipes.mmf", "output": "recipes"}
RECIPE = """MMMMM----- Recipe via Meal-Master (tm) v8.05

      Title: Leek soup
 Categories: Soups
      Yield: 2 servings

      3    Leeks
      1 c  Cream

  Slice the leeks and boil them until they are soft. Stir in the cream and serve.

MMMMM
"""
FOREIGN = (
    "* Exported from MasterCook *\n\nBean stew\n\nAmount  Measure  Ingredient\n  2  cups  beans\n\nBoil the beans.\n"
)


@pytest.mark.parametrize(
    ("task", "end"),
    [
        (PROOF | {"gate": "extra=0"}, "failed"),
        (PROOF | {"wrong-option": 1}, "failed"),
        (HALF_READ, "failed"),
        (PROOF | {"input": "no.csv"}, "up_for_retry"),
    ],
    ids=["broken gate", "wrong option", "half read", "fault"],
)
def test_only_a_fault_is_tried_again(task: dict[str, object], end: str, tmp_path: Path) -> None:
    (tmp_path / "recipes.mmf").write_text(RECIPE + FOREIGN)
    environment = dag_of([task], tmp_path)
    with subprocess.Popen(
        [*TEST, "2026-11-21"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as dag:
        assert dag.stdout is not None
        states = (
            state for line in dag.stdout for state in re.findall(r"new_state=(failed|success|up_for_retry)", line)
        )
        ended = next(states, "")
        dag.kill()  # it would wait for the second try
    assert ended == end
