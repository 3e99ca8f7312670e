"""The tracking server of mlflow/compose.yaml without its containers: its own command, settings and database."""

from __future__ import annotations

import re
from collections.abc import Iterator
from configparser import ConfigParser
from pathlib import Path
from typing import Any

import pytest
import yaml
from in_process import allsaid
from mlflow_server import MlflowServer
from postgres import Postgres, programs
from small_config import SMALL
from small_data import make_example, publish

from schemas.errors import UserError
from training.tracking import connection, registry

ROOT = Path(__file__).resolve().parents[2]
COMPOSE = yaml.safe_load((ROOT / "mlflow" / "compose.yaml").read_text())
SECRETS = {
    "MLFLOW_POSTGRES_PASSWORD": "p@ss: of % postgres",
    "MLFLOW_AUTH_ADMIN_USERNAME": "head-chef",
    "MLFLOW_AUTH_ADMIN_PASSWORD": "not the default one",
    "MLFLOW_FLASK_SERVER_SECRET_KEY": "a secret of the server",
}


def environment(service: str) -> dict[str, str]:
    """A service's environment as compose fills it in."""
    values = COMPOSE["services"][service]["environment"]
    return {key: re.sub(r"\$\{(\w+)[^}]*\}", lambda found: SECRETS[found[1]], text) for key, text in values.items()}


def test_no_default_password_and_loopback_only() -> None:
    text = (ROOT / "mlflow" / "compose.yaml").read_text()
    variables = {name: rest for name, rest in re.findall(r"\$\{(\w+)([^}]*)\}", text) if rest}
    assert set(variables) == set(SECRETS) and all(rest.startswith(":?") for rest in variables.values())
    assert COMPOSE["services"]["tracking"]["ports"] == ["127.0.0.1:5000:5000"]
    assert "ports" not in COMPOSE["services"]["postgres"]
    basic_auth = ConfigParser()
    basic_auth.read(ROOT / "mlflow" / "basic_auth.ini")
    assert "admin_password" not in basic_auth["mlflow"]


@pytest.fixture
def database() -> Iterator[Postgres]:
    if programs() is None:
        pytest.skip("PostgreSQL is not installed; `make deps` installs it.")
    running = Postgres(SECRETS["MLFLOW_POSTGRES_PASSWORD"])
    yield running
    running.remove()


@pytest.fixture
def tracking_server(database: Postgres, tmp_path: Path) -> Iterator[MlflowServer]:
    service = COMPOSE["services"]["tracking"]
    server = MlflowServer(tmp_path)
    here = {"--host=0.0.0.0": "--host=127.0.0.1", "--port=5000": f"--port={server.port}"}
    here["--artifacts-destination=/artifacts"] = f"--artifacts-destination={tmp_path / 'artifacts'}"
    assert set(here) < set(service["command"])
    server.command = [here.get(word, word) for word in service["command"]]
    file, place, _ = next(volume for volume in service["volumes"] if "basic_auth" in volume).split(":")
    server.environment = environment("tracking")
    assert server.environment["MLFLOW_AUTH_CONFIG_PATH"] == place
    assert server.environment["PGPASSWORD"] == environment("postgres")["POSTGRES_PASSWORD"]
    server.environment |= {
        "PGHOST": "127.0.0.1",
        "PGPORT": str(database.port),
        "MLFLOW_AUTH_CONFIG_PATH": str(ROOT / "mlflow" / file),
    }
    yield server
    server.kill()


@pytest.mark.slow
def test_a_team_trains_over_http_through_restarts(
    database: Postgres, tracking_server: MlflowServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    examples = [make_example(number) for number in range(20)]
    data = str(publish(tmp_path / "data", {"train": examples[:13], "dev": examples[13:]}))
    (tmp_path / "small.yaml").write_text(SMALL.to_yaml())
    monkeypatch.setenv("MLFLOW_TRACKING_URI", tracking_server.uri)
    monkeypatch.setenv("MLFLOW_TRACKING_USERNAME", SECRETS["MLFLOW_AUTH_ADMIN_USERNAME"])
    monkeypatch.setenv("MLFLOW_TRACKING_PASSWORD", SECRETS["MLFLOW_AUTH_ADMIN_PASSWORD"])
    monkeypatch.setenv("MLFLOW_HTTP_REQUEST_TIMEOUT", "60")
    tracking_server.start()
    assert allsaid("train", "small.yaml", "--data", data, "--name", "recipes", "--run-dir", "run") == 0
    for width in ("1", "3"):
        words = ["models:/recipes@challenger", "--data", data, "--split", "dev", "--set", f"width={width}"]
        assert allsaid("evaluate", *words) == 0
    before = told(tracking_server.uri)
    assert allsaid("compare", "--texts", *(key for key, run in before.items() if run["kind"] == "evaluate")) == 0
    assert {run["kind"] for run in before.values()} == {"train", "evaluate"}
    assert all(run["metrics"] for run in before.values())

    tracking_server.kill()
    database.stop()
    database.start()
    tracking_server.start()
    assert told(tracking_server.uri) == before
    assert registry.resolve("models:/recipes@challenger").version == "1"

    monkeypatch.setenv("MLFLOW_TRACKING_PASSWORD", SECRETS["MLFLOW_AUTH_ADMIN_PASSWORD"] + "!")
    with pytest.raises(UserError, match=r"401|not authenticated"):
        registry.resolve("models:/recipes@challenger")
    import psycopg2

    with pytest.raises(psycopg2.OperationalError, match='password authentication failed for user "mlflow"'):
        database.connect("mlflow", SECRETS["MLFLOW_POSTGRES_PASSWORD"] + "!")


def told(uri: str) -> dict[str, Any]:
    """The runs of the experiment `recipes`, by their ids."""
    client = connection.connect(uri)
    found = client.search_runs([client.get_experiment_by_name("recipes").experiment_id])
    return {
        run.info.run_id: {"kind": run.data.tags["kind"], "params": run.data.params, "metrics": run.data.metrics}
        for run in found
    }
