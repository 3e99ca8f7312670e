"""A small recorded run, and all that a tracking server holds of it, for the tests of the tracking."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from training.tracking import connection
from training.tracking import tracker as tracking
from training.tracking.spool import SPOOL_NAME, read_events


def scores_of(percent_given: float, extra_items: float, bleu: float) -> dict[str, float]:
    """The figures that decide between models of agendas."""
    return {"percent_given": percent_given, "extra_items": extra_items, "bleu": bleu, "texts": 200}


SCORES = scores_of(percent_given=70.0, extra_items=1.5, bleu=4.0)
SEARCH = {"beam": 3, "length": 7}


def record(run_dir: Path, mode: str = "offline", scores: dict[str, float] | None = SCORES) -> tracking.Tracker:
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
