"""A run's spool, and its way to sqlite."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from recorded_run import SEARCH, events, everything, record, scores_of

from schemas.errors import UserError
from training.tracking import connection, registry
from training.tracking import tracker as tracking
from training.tracking.spool import CURSOR_NAME, SPOOL_NAME, load_cursors

ROOT = Path(__file__).resolve().parents[3]

pytestmark = pytest.mark.usefixtures("own_folder")


# --- the spool ---


def test_events_have_times_and_offline_delivers_nothing(tmp_path: Path) -> None:
    assert record(tmp_path / "run").finish() is None
    found = events(tmp_path / "run")
    kinds = [event["event"] for event in found if event["event"] != "tags"]
    assert kinds == ["start", "params", "dataset", *["metrics"] * 7, "artifact", "model", "finish"]
    times = [event["time"] for event in found]
    assert times == sorted(times) and abs(times[0] / 1000 - time.time()) < 60
    assert not (tmp_path / "run" / CURSOR_NAME).exists()


def test_killed_runs_resume_without_double_steps(tmp_path: Path) -> None:
    run_dir = tmp_path / "run"
    script = f"""
import os, signal, time
from pathlib import Path
from training.tracking.spool import load_cursors
from training.tracking.tracker import open_tracker
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
def test_without_mlflow_only_offline_trains(tmp_path: Path, folder: str) -> None:
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
    from unittest.mock import MagicMock
    sys.modules |= dict.fromkeys(("rich", "rich.console", "rich.table"), MagicMock())  # gone with the packages
from training.tracking.tracker import open_tracker
from schemas.errors import UserError
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


@pytest.mark.parametrize(("name", "part"), [("p%20q", "%20"), ("w?", "?"), ("it's", "'"), ('50% "a" #b [ü] %zz', "")])
def test_folders_that_mlflow_can_t_address_are_named_at_once(
    name: str, part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / name)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    if part:
        with pytest.raises(UserError, match=re.escape(f"the path contains {part}. Rename the folder")):
            connection.tracking_uri()
    else:
        assert connection.tracking_uri() == f"sqlite:///{tmp_path / name / 'mlflow.db'}"


def test_sync_keeps_times_and_is_idempotent(tmp_path: Path) -> None:
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
    assert run["files"] == [
        "model/MLmodel",
        "model/config.yaml",
        "model/input_example.json",
        "model/vocabulary.json",
        "texts/samples.txt",
    ]
    assert held["aliases"] == {"champion": 1}
    assert (tmp_path / "mlartifacts" / first.run_id / "artifacts" / "texts" / "samples.txt").is_file()

    second = tracking.sync(run_dir)
    assert (second.delivered, second.run_id, second.decision) == (0, first.run_id, first.decision)
    assert everything(first.uri) == held
    assert second.sentence == (
        f"{first.uri} already had everything, as {first.run_id}. The model is version 1 of 'recipes'. "
        "There was no champion yet."
    )
    (run_dir / "delivered.json").unlink()  # what was delivered is known to the server, too
    assert tracking.sync(run_dir).run_id == first.run_id
    assert everything(first.uri) == held


@pytest.mark.slow
def test_killed_syncs_resume_without_doubling(tmp_path: Path) -> None:
    """Child k dies right after its k-th write to MLflow, before it could note it down; the last one gets through."""
    run_dir, database = tmp_path / "run", f"sqlite:///{tmp_path / 'killed.db'}"
    shutil.copy("mlflow.db", "killed.db")
    record(run_dir).finish()
    script = f"""
import os, sys
from pathlib import Path
from training.tracking import connection, tracker as tracking
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
    assert "MLflow did not take the metric bad:/.." in told and "lost.txt no longer exists" in told
    assert connection.connect(result.uri).get_run(result.run_id).data.metrics == {"good": 1.0, "fine": 3.0}


def test_deleted_runs_and_double_deliveries_are_refused(tmp_path: Path) -> None:
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


def test_incomparable_figures_keep_the_champion(tmp_path: Path) -> None:
    record(tmp_path / "first").finish()
    tracking.sync(tmp_path / "first")
    tracker = record(tmp_path / "second", scores=None)
    better = scores_of(percent_given=90.0, extra_items=1.0, bleu=5.0)
    tracker.model(tmp_path / "second" / "model", "recipes", better, "dev-b", SEARCH)
    tracker.finish()
    decision = tracking.sync(tmp_path / "second").decision
    assert decision is not None and not decision.promote
    assert "`allsaid promote recipes 2`" in decision.reason
    assert registry.resolve("models:/recipes@champion").version == "1"
    assert registry.resolve("models:/recipes@challenger").version == "2"


def test_connecting_leaves_the_users_choice_of_a_server_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connection.connect(f"sqlite:///{tmp_path / 'mlflow.db'}")
    assert "MLFLOW_TRACKING_URI" not in os.environ
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "http://127.0.0.1:9")
    connection.connect(f"sqlite:///{tmp_path / 'mlflow.db'}")
    assert os.environ["MLFLOW_TRACKING_URI"] == "http://127.0.0.1:9"
