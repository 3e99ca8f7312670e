"""A registered version as MLflow's pyfunc: the texts of `allsaid generate`, in Python and over HTTP."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as pq
import pytest
from in_process import allsaid
from recorded_run import SEARCH, files, scores_of
from tiny_model import save_tiny_model
from tiny_trial import decided

from allsaid.modeling.config import parse_config
from allsaid.modeling.data.vocabulary import SPECIALS, Vocabulary
from allsaid.modeling.saved import model_folder
from allsaid.modeling.saved.model_folder import Bundle
from allsaid.modeling.tasks.choose import own_task
from schemas.errors import UserError
from training.tracking import connection, flavor, model_card
from training.tracking import tracker as tracking

AGENDAS = [
    {"goal": "Salsa", "agenda": ["2 tomatoes, chopped", "1 tb Olive oil"]},
    {"goal": "Garlic oil", "agenda": ["1 clove garlic"]},
    {"goal": "", "agenda": ["salt"]},
    {"goal": "Salt soup", "agenda": ["salt", "tomatoes"]},
    {"goal": "Salsa", "agenda": ["salt"]},
]


@pytest.fixture(scope="module")
def registry(tmp_path_factory: pytest.TempPathFactory, empty_database: Path) -> Iterator[Path]:
    """A folder with a database in which the tiny model is champion of `recipes`."""
    folder = tmp_path_factory.mktemp("registry")
    (folder / "mlflow.db").write_bytes(empty_database.read_bytes())
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.delenv("MLFLOW_TRACKING_URI", raising=False)
        tracker = tracking.open_tracker(folder / "run", "online", "tests", "run")
        tracker.params({"kind": "checklist", "width": 10, "train_examples": 1234, "hidden": 7})
        tracker.dataset("examples", "f" * 64, "data/recipes")
        tracker.metrics({"final_percent_given": 70.25, "true/percent_given": 81.0, "final_texts": 200}, 5)
        model = folder / "run" / "model"
        model_folder.save(model, decided(model_folder.load(save_tiny_model(folder))))
        tracker.model(model, "recipes", scores_of(70.25, 1.0, 4.0), "dev-a", SEARCH)
        assert tracker.finish() is not None
        patch.setenv("MLFLOW_TRACKING_URI", f"sqlite:///{folder / 'mlflow.db'}")
        yield folder


@pytest.fixture(scope="module")
def texts(registry: Path) -> list[str]:
    """What `allsaid generate` writes for the same rows."""
    (registry / "agendas.jsonl").write_text("".join(json.dumps(row) + "\n" for row in AGENDAS))
    words = ["--model", "models:/recipes@champion", "--input", "agendas.jsonl", "--output", "texts"]
    assert allsaid("generate", *words, "--max-tokens", "20") == 0
    paths = sorted((registry / "texts" / "texts").glob("*.parquet"))
    return [text for path in paths for text in pq.read_table(path)["text"].to_pylist()]


def test_predict_gives_the_texts_of_generate(registry: Path, texts: list[str]) -> None:
    mlflow = connection.connected(f"sqlite:///{registry / 'mlflow.db'}")
    model = mlflow.pyfunc.load_model("models:/recipes@champion")
    found = model.predict(pd.DataFrame(AGENDAS), params={"max_tokens": 20})
    assert found["text"].tolist() == texts and len(set(texts)) > 2
    assert list(found.columns) == list(flavor.OUTPUTS)
    assert found["error"].tolist() == [None, None, "The row has no goal, a text such as 'pico de gallo'.", None, None]
    narrow = model.predict(pd.DataFrame(AGENDAS), params={"max_tokens": 20, "width": 1})
    assert narrow["text"].tolist() != texts
    asked = model.predict(pd.DataFrame(AGENDAS), params={"max_tokens": 20, "min_coverage": 100})
    assert asked["percent_given"].mean() > found["percent_given"].mean()
    with pytest.raises(UserError, match="'width' must be at least 1; 0 is not"):
        model.predict(pd.DataFrame(AGENDAS), params={"width": 0})
    example = model.input_example
    assert list(example.columns) == ["goal", "agenda"] and model.predict(example)["error"].tolist() == [None]


def test_the_example_of_the_card_runs(registry: Path) -> None:
    client = connection.connect(f"sqlite:///{registry / 'mlflow.db'}")
    card = client.get_model_version_by_alias("recipes", "champion").description
    (example,) = re.findall(r"```python\n(.*?)```", card, re.DOTALL)
    names: dict[str, Any] = {}
    exec(example, names)
    assert names["texts"]["text"][0]


@pytest.mark.parametrize(("kind", "is_shown"), [("pointer", True), ("table_pointer", False)])
def test_own_row_formats_are_served_by_the_model_card(
    kind: str, is_shown: bool, tmp_path: Path, empty_database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    (tmp_path / "mlflow.db").write_bytes(empty_database.read_bytes())
    config = parse_config(f"{{model: {{kind: {kind}, hidden: 4}}, search: {{width: 2, max_tokens: 4}}}}", "a.yaml")
    vocabularies = own_task(kind).vocabularies(Vocabulary((*SPECIALS, "salt", "leeks")))
    model_folder.save(
        tmp_path / "run" / "model", Bundle(model_folder.build_model(config, vocabularies), config, vocabularies)
    )
    tracker = tracking.open_tracker(tmp_path / "run", "online", "tests", "run")
    tracker.params({"kind": kind, "width": 2})
    tracker.model(tmp_path / "run" / "model", "own", {"perplexity": 2.0, "bleu": 3.0}, "dev-a", SEARCH)
    assert tracker.finish() is not None
    card = connection.connect(f"sqlite:///{tmp_path / 'mlflow.db'}").get_model_version("own", "1").description
    assert ("--table offers.csv" in card) is not is_shown
    examples = re.findall(r"```python\n(.*?)```", card, re.DOTALL)
    assert len(examples) == is_shown
    (tmp_path / "rows.jsonl").write_text(json.dumps({"id": "a", "ingredients": ["2 leeks", "salt"]}) + "\n")
    for example in examples:
        names: dict[str, Any] = {}
        exec(example, names)
        assert names["texts"]["error"].tolist() == [None] and names["texts"]["text"][0]


def test_registered_models_have_no_pickle_and_a_card(registry: Path) -> None:
    client = connection.connect(f"sqlite:///{registry / 'mlflow.db'}")
    version = client.get_model_version_by_alias("recipes", "champion")
    found = sorted(files(client, version.run_id, "model"))
    assert [Path(name).name for name in found] == [
        "MLmodel",
        "config.yaml",
        "hashes.json",
        "input_example.json",
        "lexicon.json",
        "model.safetensors",
        "phrases.parquet",
        "vocabulary.json",
    ]
    card = version.description
    for part in ("# recipes, version 1", "| training examples | 1234 |", "`hidden` 7", version.run_id, "f" * 36):
        assert part in card
    assert "| % given items (head word), `percent_given` | 70.2 | 81.0 |" in card
    assert len(card) < model_card.LIMIT
    client.update_model_version("recipes", version.version, "written by hand")
    (registry / "run" / "delivered.json").unlink()
    tracking.sync(registry / "run")
    assert client.get_model_version("recipes", version.version).description == "written by hand"


@pytest.mark.slow
def test_the_served_model_answers_with_the_same_texts(registry: Path, texts: list[str]) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    mlflow = str(Path(sys.executable).with_name("mlflow"))
    options = ["--env-manager", "local", "-h", "127.0.0.1", "-p", str(port), "-w", "1"]
    with (registry / "serve.log").open("wb") as log:
        serving = subprocess.Popen(
            [mlflow, "models", "serve", "-m", "models:/recipes@champion", *options],
            cwd=registry,
            env=os.environ | {"PATH": f"{Path(mlflow).parent}{os.pathsep}{os.environ['PATH']}"},
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        _until_it_answers(f"http://127.0.0.1:{port}/ping", serving, registry / "serve.log")
        answer = _post(
            f"http://127.0.0.1:{port}/invocations", {"dataframe_records": AGENDAS, "params": {"max_tokens": 20}}
        )
        assert [row["text"] for row in answer["predictions"]] == texts
        assert answer["predictions"][2]["percent_given"] is None
    finally:
        os.killpg(serving.pid, signal.SIGKILL)
        serving.wait()


def _until_it_answers(url: str, serving: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(1800):
        assert serving.poll() is None, log.read_text()[-2000:]
        try:
            with urllib.request.urlopen(url, timeout=1):
                return
        except OSError:
            time.sleep(0.1)
    raise AssertionError(log.read_text()[-2000:])


def _post(url: str, body: dict[str, Any]) -> Any:
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)
