"""The script that schedulers start, on Beam's portable runner: each source and each command."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from fault_worlds import Worlds
from fuzz_corpus import Corpus
from fuzz_seeds import corpora
from in_process import allsaid

from deploy.dataflow.metadata import metadata
from deploy.job import words_of
from pipelines import sources
from pipelines.datasets import snapshot
from schemas.errors import UserError

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
ONE_EACH = {corpus.source: corpus for corpus in corpora()}
SMALL = ["--set=hidden=8", "--set=epochs=1", "--set=width=2", "--set=max_tokens=20", "--set=score_texts=1"]


@pytest.fixture
def shop(tmp_path: Path, worlds: Worlds, own_folder: None) -> None:
    """The test works in a folder with a table, a data set and a model of it."""
    worlds.copy("model", tmp_path)


def start(command: str, portable: list[str], *options: str) -> int:
    """Run a job as a scheduler does, which gives Beam's options to every one."""
    return allsaid(*words_of([f"--command={command}", *options, *portable]))


@pytest.mark.slow
@pytest.mark.parametrize("corpus", ONE_EACH.values(), ids=ONE_EACH.keys())
def test_every_source_is_ingested(corpus: Corpus, portable: list[str], tmp_path: Path) -> None:
    for name, content in corpus.files.items():
        path = tmp_path / ("" if name in corpus.beside.values() else "input") / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    more = [f"--{option}={tmp_path / file}" for option, file in corpus.beside.items()]
    output = str(tmp_path / "data")
    words = [f"--input={tmp_path / 'input'}", f"--output={output}", *more]
    assert start(f"ingest {corpus.source}", portable, *words) == 0
    assert snapshot.published(output).kept >= (1 if corpus.layout == "sample" else 12)


def test_no_source_is_left_out() -> None:
    assert set(ONE_EACH) == set(sources.shipped_names())


@pytest.mark.slow
def test_a_model_is_trained(shop: None, portable: list[str]) -> None:
    words = ["--config=table", "--data=data", "--run-dir=run", "--tracking=offline", *SMALL]
    assert start("train", portable, *words) == 0
    assert Path("run/model/model.safetensors").exists()


@pytest.mark.slow
def test_texts_are_generated_and_proven(shop: None, portable: list[str]) -> None:
    assert start("generate", portable, "--model=chairs", "--input=new.csv", "--output=texts", "--format=csv") == 0
    proof = ["--texts=texts/texts.csv", "--input=new.csv", "--model=chairs", "--output=proof", "--mend=true"]
    assert start("prove", portable, *proof) == 0
    written, proven = (json.loads(Path(folder, "summary.json").read_text()) for folder in ("texts", "proof"))
    assert written["texts"] == proven["texts"] == 3


@pytest.mark.slow
def test_a_nightly_run_by_the_script(shop: None, portable: list[str]) -> None:
    ingest = {"source": "records", "input": "chairs.csv", "mapping": "chairs.yaml", "output": "fresh"}
    generate = {"model": "chairs", "input": "new.csv", "output": "texts"}
    Path("shop.yaml").write_text(yaml.safe_dump({"ingest": ingest, "generate": generate}))
    command = [sys.executable, str(DEPLOY / "job.py"), "--command=nightly", "--config=shop.yaml", *portable]
    for status in ("published", "nothing to do"):
        done = subprocess.run([*command, "--log-format=json"], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["status"] == status


@pytest.mark.slow
def test_the_cluster_of_the_example_is_reached(portable: list[str], tmp_path: Path) -> None:
    """The task of deploy/jobs.yaml runs with the addresses of this machine and a dump of the test."""
    task = yaml.safe_load((DEPLOY / "jobs.yaml").read_text())["allsaid_recipes"]["tasks"][0]
    for name, content in ONE_EACH["mealmaster"].files.items():
        (tmp_path / name).write_bytes(content)
    here = {"input": tmp_path, "output": tmp_path / "data", "run-date": "2026-11-21", "config": DEPLOY / task["config"]}
    addresses = dict(option.removeprefix("--").split("=", 1) for option in portable)
    assert task["runner"] == addresses["runner"] and addresses.keys() - {"job_server_timeout"} <= task.keys()
    del task["flink_master"]  # this job service has no Flink
    words = [f"--{name}={value}" for name, value in (task | here | addresses).items()]
    assert allsaid(*words_of(words)) in (0, 2)  # the gates are for a larger dump
    assert list((tmp_path / "data" / "runs").glob("run_date=2026-11-21/*/manifest.json"))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "Name one command"),
        (["--command=bake"], "'bake' is no command of `allsaid`."),
        (["--command=ingest"], "'ingest' is no command of `allsaid`."),
        (["--command=train", "data"], "'data' is not --name=value."),
        (["--command=train", "--run-folder=x"], "`allsaid train` has no option --run-folder."),
        (["--command=prove", "--mend=yes"], "--mend is true or false; 'yes' is neither."),
    ],
)
def test_mistakes_are_reported(arguments: list[str], sentence: str) -> None:
    with pytest.raises(UserError, match=sentence.replace("(", r"\(")):
        words_of(arguments)


def test_the_flex_template_has_the_options_of_the_commands() -> None:
    """`python -m deploy.dataflow.metadata > deploy/dataflow/metadata.json` writes it anew."""
    assert json.loads((DEPLOY / "dataflow" / "metadata.json").read_text()) == metadata()


def test_the_jobs_of_the_example_exist() -> None:
    dags = yaml.safe_load((DEPLOY / "jobs.yaml").read_text())
    assert all("folder" in dag for dag in dags.values())  # of the relative paths that each has
    tasks = [task for dag in dags.values() for task in dag["tasks"]]
    for task in tasks:
        words_of([f"--{name}={str(value).lower() if value is True else value}" for name, value in task.items()])
    assert {task["command"].split()[0] for task in tasks} == {"ingest", "train", "generate", "prove", "nightly"}
