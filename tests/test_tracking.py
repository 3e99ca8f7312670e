"""A run's spool, and its way to sqlite and to a real tracking server that dies and comes back."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from console import UserError
from training import connection, registry, tracking
from training.delivery import public
from training.registry import TaggedScores
from training.spool import CURSOR_NAME, SPOOL_NAME, load_cursors, read_events

ROOT = Path(__file__).resolve().parent.parent
SCORES = TaggedScores(percent_given=70.0, extra_items=1.5, bleu=4.0)
SEARCH = {"beam": 3, "length": 7}


def record(run_dir: Path, mode: str = "offline", scores: TaggedScores | None = SCORES) -> tracking.Tracker:
    """A small run without its end: 2 parameters, 7 steps of 2 metrics, files, a model."""
    tracker = tracking.open_tracker(run_dir, mode, "tests", run_dir.name)
    tracker.params({"hidden": 5, "cell": "gru"})
    tracker.dataset("recipes", "f" * 64, "data/recipes")
    for step in range(7):
        tracker.metrics({"loss": 3.0 - step / 7, "dev/perplexity": 100.0 - step}, step)
    tracker.tags({"device": "cpu"})
    (run_dir / "samples.txt").write_text("chop the limes")
    model = run_dir / "model"
    model.mkdir(exist_ok=True)
    (model / "config.yaml").write_text("hidden: 5\n")
    (model / "vocabulary.json").write_text("[]\n")
    tracker.artifact(run_dir / "samples.txt", "texts")
    tracker.model(model, "recipes", scores, "dev-a", SEARCH)
    return tracker


def events(run_dir: Path) -> list[dict[str, Any]]:
    return [event for event, _ in read_events(run_dir / SPOOL_NAME, 0)]


def everything(uri: str) -> dict[str, Any]:
    """All that a server holds of the experiment "tests", but for its random ids and its own clock."""
    client = connection.connect(uri)
    runs = {}
    for run in client.search_runs([client.get_experiment_by_name("tests").experiment_id]):
        keys = run.data.metrics
        history = {
            key: [(m.step, m.timestamp, m.value) for m in client.get_metric_history(run.info.run_id, key)]
            for key in keys
        }
        runs[run.info.run_name] = {
            "times": (run.info.start_time, run.info.end_time, run.info.status),
            "params": run.data.params,
            "tags": {key: value for key, value in run.data.tags.items() if key != "mlflow.log-model.history"},
            "metrics": history,
            "inputs": [(given.dataset.name, given.dataset.digest) for given in run.inputs.dataset_inputs],
            "files": sorted(files(client, run.info.run_id, "")),
        }  # fmt: skip
    versions = {int(version.version): version.tags for version in client.search_model_versions("name = 'recipes'")}
    aliases = client.get_registered_model("recipes").aliases
    return {"runs": runs, "versions": versions, "aliases": {key: int(value) for key, value in aliases.items()}}


def files(client: Any, run_id: str, folder: str) -> Iterator[str]:
    for item in client.list_artifacts(run_id, folder):
        if item.is_dir:
            yield from files(client, run_id, item.path)
        else:
            yield item.path


@pytest.fixture(scope="module")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """MLflow's tables without a row: making them takes longer than most tests here."""
    path = tmp_path_factory.mktemp("empty") / "mlflow.db"
    connection.connect(f"sqlite:///{path}").search_experiments()
    return path


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, empty_database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(empty_database, tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)


# --- the spool ---


def test_every_event_has_its_own_time_and_offline_delivers_nothing(tmp_path: Path) -> None:
    assert record(tmp_path / "run").finish() is None
    found = events(tmp_path / "run")
    kinds = [event["event"] for event in found if event["event"] != "tags"]
    assert kinds == ["start", "params", "dataset", *["metrics"] * 7, "artifact", "model", "finish"]
    times = [event["time"] for event in found]
    assert times == sorted(times) and abs(times[0] / 1000 - time.time()) < 60
    assert not (tmp_path / "run" / CURSOR_NAME).exists()


def test_a_killed_run_continues_its_spool_and_its_mlflow_run_without_doubling_a_step(tmp_path: Path) -> None:
    run_dir = tmp_path / "run"
    script = f"""
import os, signal, time
from pathlib import Path
from training.spool import load_cursors
from training.tracking import open_tracker
run_dir = Path({str(run_dir)!r})
tracker = open_tracker(run_dir, "online", "tests", "run")
tracker.params({{"steps": 7}})
for step in range(5):
    tracker.metrics({{"loss": float(step)}}, step)
while not load_cursors(run_dir) or load_cursors(run_dir)[0].offset < (run_dir / "spool.jsonl").stat().st_size:
    time.sleep(0.1)
os.kill(os.getpid(), signal.SIGKILL)
"""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    killed = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, env=environment)
    assert killed.returncode == -signal.SIGKILL
    with (run_dir / SPOOL_NAME).open("ab") as spool:
        spool.write(b'{"time": 17, "event": "met')  # a line torn in mid-write
    before = load_cursors(run_dir)[0].run_id
    tracker = tracking.open_tracker(run_dir, "online", "tests", "run")
    tracker.params({"steps": 9})
    for step in range(3, 7):  # from the checkpoint at step 3
        tracker.metrics({"loss": float(step)}, step)
    found = events(run_dir)
    assert [event["step"] for event in found if event["event"] == "metrics"] == [0, 1, 2, 3, 4, 5, 6]
    assert [event["event"] for event in found].count("start") == 1
    result = tracker.finish()
    assert result is not None and result.run_id == before
    client = connection.connect(result.uri)
    assert [metric.step for metric in client.get_metric_history(before, "loss")] == [0, 1, 2, 3, 4, 5, 6]
    run = client.get_run(before)
    assert (run.data.params["steps"], run.data.tags["resumed.steps"], run.info.status) == ("7", "9", "FINISHED")


def test_a_file_outside_the_run_folder_is_no_artifact(tmp_path: Path) -> None:
    tracker = tracking.open_tracker(tmp_path / "run", "offline", "tests", "run")
    with pytest.raises(ValueError, match="outside the run folder"):
        tracker.artifact(tmp_path / "elsewhere.txt")


@pytest.mark.parametrize("folder", ["", "mlflow"])
def test_without_mlflow_offline_trains_and_online_says_what_to_do(tmp_path: Path, folder: str) -> None:
    """Blocked as where it isn't installed; with the project's own folder mlflow/ it is an empty namespace."""
    if folder:
        (tmp_path / folder).mkdir()
    script = f"""
import sys
from pathlib import Path
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == "mlflow" and not {folder!r}:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Absent())
if {folder!r}:
    sys.path = [{str(tmp_path)!r}, {str(ROOT)!r}, *(path for path in sys.path if "site-packages" not in path)]
    import types
    console = sys.modules["console"] = types.ModuleType("console")  # rich is gone with the packages
    console.UserError, console.say = type("UserError", (Exception,), {{}}), print
from training.tracking import open_tracker
from console import UserError
tracker = open_tracker(Path("run"), "offline", "tests", "run")
tracker.metrics({{"loss": 1.0}}, 1)
tracker.finish()
try:
    open_tracker(Path("other"), "online", "tests", "other")
except UserError as fault:
    print(fault, "mlflow" in sys.modules)
"""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].startswith("MLflow is not installed here. Train with `--tracking offline`")
    assert done.stdout.endswith(f"{bool(folder)}\n")
    assert [event["event"] for event in events(tmp_path / "run") if event["event"] != "tags"][-2:] == [
        "metrics",
        "finish",
    ]
    assert not (tmp_path / "other").exists()


# --- delivery to sqlite ---


def test_sync_makes_the_run_with_its_own_times_and_a_second_sync_changes_nothing(tmp_path: Path) -> None:
    run_dir = tmp_path / "run"
    record(run_dir).finish()
    recorded = events(run_dir)
    first = tracking.sync(run_dir)
    assert first.uri == f"sqlite:///{tmp_path / 'mlflow.db'}"
    assert (first.model_name, first.model_version, first.refused) == ("recipes", "1", 0)
    assert first.decision is not None and first.decision.promote
    held = everything(first.uri)
    run = held["runs"]["run"]
    assert run["times"] == (recorded[0]["time"], recorded[-1]["time"], "FINISHED")
    assert run["params"] == {"hidden": "5", "cell": "gru"}
    assert run["tags"]["device"] == "cpu"
    assert run["tags"].get("mlflow.source.git.commit", "")[:40] == tracking.git_revision()[:40]
    metrics = [event for event in recorded if event["event"] == "metrics"]
    for key in ("loss", "dev/perplexity"):
        assert run["metrics"][key] == [(event["step"], event["time"], event["values"][key]) for event in metrics]
    assert run["inputs"] == [("recipes", "f" * 36)]
    assert run["files"] == ["model/config.yaml", "model/vocabulary.json", "texts/samples.txt"]
    assert held["aliases"] == {"champion": 1}
    assert (tmp_path / "mlartifacts" / first.run_id / "artifacts" / "texts" / "samples.txt").is_file()

    second = tracking.sync(run_dir)
    assert (second.delivered, second.run_id, second.decision) == (0, first.run_id, first.decision)
    assert everything(first.uri) == held
    assert second.sentence == (
        f"{first.uri} had everything already, as {first.run_id}. The model is version 1 of 'recipes'. "
        "There was no champion yet."
    )
    (run_dir / "delivered.json").unlink()  # what was delivered is known to the server, too
    assert tracking.sync(run_dir).run_id == first.run_id
    assert everything(first.uri) == held


def test_a_sync_killed_after_any_of_its_writes_continues_without_doubling(tmp_path: Path) -> None:
    """Child k dies right after its k-th write to MLflow, before it could note it down; the last one gets through."""
    run_dir, database = tmp_path / "run", f"sqlite:///{tmp_path / 'killed.db'}"
    shutil.copy("mlflow.db", "killed.db")
    record(run_dir).finish()
    script = f"""
import os, sys
from pathlib import Path
from training import connection, tracking
import mlflow
connection.connect("sqlite:///mlflow.db")  # loads what the children need
WRITES = ("create_experiment", "create_run", "log_batch", "log_inputs", "log_artifact", "log_artifacts",
    "create_registered_model", "create_model_version", "set_registered_model_alias", "set_terminated",
    "delete_registered_model_alias", "set_model_version_tag")
left = 0
def deadly(write):
    def call(self, *args, **kwargs):
        global left
        answer = write(self, *args, **kwargs)
        left -= 1
        if left == 0:
            os._exit(9)
        return answer
    return call
for name in WRITES:
    setattr(mlflow.MlflowClient, name, deadly(getattr(mlflow.MlflowClient, name)))
deaths = 0
while True:
    child = os.fork()
    if child == 0:
        left = deaths + 1
        tracking.sync(Path({str(run_dir)!r}), {database!r})
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code == 0:
        break
    assert code == 9, code
    deaths += 1
print(deaths)
"""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    assert int(done.stdout) > 7
    killed = everything(database)
    assert list(killed["versions"]) == [1] and killed["aliases"] == {"champion": 1}
    whole = tracking.sync(run_dir, f"sqlite:///{tmp_path / 'mlflow.db'}")
    assert killed["runs"] == everything(whole.uri)["runs"]


def test_one_refused_value_is_told_and_the_others_arrive(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tracker = tracking.open_tracker(tmp_path / "run", "online", "tests", "run")
    tracker.metrics({"good": 1.0, "bad:/..": 2.0, "fine": 3.0}, 5)
    (tmp_path / "run" / "lost.txt").write_text("")
    tracker.artifact(tmp_path / "run" / "lost.txt")
    (tmp_path / "run" / "lost.txt").unlink()
    result = tracker.finish()
    assert result is not None and result.refused == 2
    told = capsys.readouterr().err
    assert "MLflow did not take the metric bad:/.." in told and "lost.txt is not there any more" in told
    assert connection.connect(result.uri).get_run(result.run_id).data.metrics == {"good": 1.0, "fine": 3.0}


def test_a_deleted_run_is_named_and_two_deliveries_at_once_are_refused(tmp_path: Path) -> None:
    tracker = tracking.open_tracker(tmp_path / "run", "online", "tests", "run")
    with pytest.raises(UserError, match="being delivered by another process"):
        tracking.sync(tmp_path / "run")
    result = tracker.finish()
    assert result is not None
    connection.connect(result.uri).delete_run(result.run_id)
    with pytest.raises(UserError, match=f"mlflow runs restore --run-id {result.run_id}"):
        tracking.sync(tmp_path / "run")
    with pytest.raises(UserError, match="holds no recorded run"):
        tracking.sync(tmp_path)


def test_the_present_champion_stays_where_the_figures_cannot_be_compared(tmp_path: Path) -> None:
    record(tmp_path / "first").finish()
    tracking.sync(tmp_path / "first")
    tracker = record(tmp_path / "second", scores=None)
    better = TaggedScores(percent_given=90.0, extra_items=1.0, bleu=5.0)
    tracker.model(tmp_path / "second" / "model", "recipes", better, "dev-b", SEARCH)
    tracker.finish()
    decision = tracking.sync(tmp_path / "second").decision
    assert decision is not None and not decision.promote
    assert "`allsaid promote recipes 2`" in decision.reason
    assert registry.resolve("models:/recipes@champion").version == "1"
    assert registry.resolve("models:/recipes@challenger").version == "2"


# --- a real server ---


class Server:
    """``mlflow server`` on loopback, on one port and one store over its deaths."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.folder, self.uri = folder, f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it unless it runs, and wait until it answers."""
        if self.process is not None:
            return
        command = [
            str(Path(sys.executable).with_name("mlflow")), "server", "--host", "127.0.0.1", "--port", str(self.port),
            "--backend-store-uri", f"sqlite:///{self.folder / 'server.db'}",
            "--artifacts-destination", str(self.folder / "artifacts"), "--workers", "1",
        ]  # fmt: skip
        environment = os.environ | {"MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false"}
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                command, cwd=self.folder, env=environment, stdout=log, stderr=log, start_new_session=True
            )
        for _ in range(1800):
            try:
                with urllib.request.urlopen(f"{self.uri}/health", timeout=1):
                    return
            except OSError:
                time.sleep(0.1)
        raise AssertionError((self.folder / "log").read_text()[-2000:])

    def kill(self) -> None:
        if self.process is not None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("server"))
    yield server
    server.kill()


def until(condition: Any) -> None:
    for _ in range(1200):
        if condition():
            return
        time.sleep(0.1)
    raise AssertionError("it did not happen in 2 minutes")


class Ears:
    """What was told on standard error so far."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys, self.told = capsys, ""

    def __call__(self, sentence: str) -> bool:
        self.told += self.capsys.readouterr().err
        return sentence in self.told


def all_delivered(run_dir: Path) -> bool:
    cursors = load_cursors(run_dir)
    return bool(cursors) and cursors[-1].offset == (run_dir / SPOOL_NAME).stat().st_size


def test_a_server_that_comes_back_is_served_by_the_thread(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MLFLOW_TRACKING_URI", server.uri)
    tracker = record(tmp_path / "late", "online")  # the server is away from the start
    hears = Ears(capsys)
    until(lambda: hears("Training goes on"))
    server.start()
    until(lambda: hears("is back and has everything so far"))
    result = tracker.finish()
    assert result is not None and result.refused == 0
    late = everything(server.uri)["runs"]["late"]
    assert [step for step, _, _ in late["metrics"]["loss"]] == list(range(7))
    assert late["files"] == ["model/config.yaml", "model/vocabulary.json", "texts/samples.txt"]


def test_a_server_that_dies_in_mid_run_gets_everything_once(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MLFLOW_TRACKING_URI", server.uri.replace("://", "://cook:s3cret@"))
    run_dir = tmp_path / "run"
    server.start()
    tracker = tracking.open_tracker(run_dir, "online", "tests", "run")
    hears = Ears(capsys)
    for step in range(3):
        tracker.metrics({"loss": float(step)}, step)
    until(lambda: all_delivered(run_dir))
    server.kill()
    for step in range(3, 1500):
        tracker.metrics({"loss": float(step)}, step)
    until(lambda: hears("can't be reached"))
    model = run_dir / "model"
    model.mkdir()
    (model / "config.yaml").write_text("hidden: 7\n")
    tracker.model(model, "recipes", SCORES, "dev-a", SEARCH)
    assert tracker.finish() is None  # still away: the end says where the rest lies
    assert hears(f"{run_dir / SPOOL_NAME}. Run `allsaid sync {run_dir}`")
    server.start()
    result = tracking.sync(run_dir)
    held = everything(server.uri)
    assert [step for step, _, _ in held["runs"]["run"]["metrics"]["loss"]] == list(range(1500))
    assert held["runs"]["run"]["times"][1:] == (events(run_dir)[-1]["time"], "FINISHED")
    assert tracking.sync(run_dir).delivered == 0 and everything(server.uri) == held
    assert result.decision is not None
    resolved = registry.resolve(f"models:/recipes/{result.model_version}")
    assert (resolved.version, (resolved.folder / "config.yaml").read_text()) == (result.model_version, "hidden: 7\n")
    stored = (run_dir / SPOOL_NAME).read_text() + (run_dir / CURSOR_NAME).read_text()
    for secret in ("s3cret", "cook"):
        assert secret not in stored and not hears(secret)


def test_a_server_that_never_answers_does_not_stop_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MLFLOW_HTTP_REQUEST_TIMEOUT", "1")
    monkeypatch.setenv("MLFLOW_HTTP_REQUEST_MAX_RETRIES", "0")
    with socket.create_server(("127.0.0.1", 0)) as mute:
        monkeypatch.setenv("MLFLOW_TRACKING_URI", f"http://cook:s3cret@127.0.0.1:{mute.getsockname()[1]}")
        tracker = record(tmp_path / "run", "online")
        assert tracker.finish() is None
    told = capsys.readouterr().err
    assert f"Run `allsaid sync {tmp_path / 'run'}` when the server is back." in told
    assert "s3cret" not in told and "cook" not in told
    assert len(events(tmp_path / "run")) >= 13


def test_addresses_are_printed_without_secrets() -> None:
    assert public("https://cook:p@ss@host:5000/api?key=1 is away") == "https://host:5000/api is away"
    assert public("postgresql://u:p@db/ml") == "postgresql://db/ml"
