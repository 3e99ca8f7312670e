"""The whole pipeline in one command: ingest, validate, train, register, generate, report."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path

from allsaid import console
from allsaid.options import option
from batch_infer.commands.validate import run_validation
from batch_infer.options.generate import GenerateOptions
from schemas.errors import UserError


@dataclass(frozen=True)
class DemoOptions:
    """Options of `allsaid demo`."""

    dump: str | None = option("A Meal-Master dump (a glob); without one, the samples.", None)
    output: str = option("Folder to write to.", "demo")
    experiment: str = option("Experiment of the runs in MLflow. [default: the model's name]", "")


def demo(options: DemoOptions) -> None:
    """Run all steps, from a dump to a report.

    The steps: ingest, validate, train, register, generate, report. On the samples, the model edits the nearest recipe;
    it is registered as recipes-sample, so that it is never taken for a real one. On a dump, a Checklist is trained.

    Example: allsaid demo --dump 'dumps/*.mmf.gz'
    """
    from allsaid.proof.figures import FIGURES
    from batch_infer.job import generate
    from batch_infer.report import report
    from pipelines.datasets.gates import DataGates
    from pipelines.ingest import run as ingest
    from pipelines.sources.mealmaster.source import Settings
    from training.options import TrainOptions
    from training.runs import start

    started = time.monotonic()
    dump, experiment, folder = options.dump, options.experiment, Path(options.output)
    data = str(folder / "data")
    now = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    samples = sorted(str(path) for path in Path(str(resources.files("samples"))).iterdir() if ".mmf" in path.name)
    inputs = [dump] if dump else samples
    # As many local processes as there are cores.
    workers = ["--direct_num_workers", str(os.cpu_count() or 1), "--direct_running_mode", "multi_processing"]
    name, config = ("recipes", "checklist-demo") if dump else ("recipes-sample", "edit-sample")

    console.say("1 of 5: ingest")
    # An earlier demo may have read a larger dump.
    schedule = ingest.Schedule(gates=DataGates(lost=1))
    manifest = ingest.run(ingest.Request("mealmaster", inputs, data, Settings(), workers, schedule))
    console.say("2 of 5: validate")
    if not run_validation(data, with_suites=True):
        raise UserError(f"The data set in {data} breaks a rule; see {data}/validation/index.html.")
    console.say("3 of 5: train and register")
    result = start.train(
        TrainOptions(config=config, data=data, run_dir=folder / "training" / now, name=name, experiment=experiment)
    )
    console.say("4 of 5: generate")
    texts = str(folder / "texts" / now)
    asked = GenerateOptions(result.model_uri, data, texts, experiment=experiment, beam_args=tuple(workers))
    summary = generate.run(asked)
    console.say("5 of 5: report")
    page = report.write(texts)

    rows = [
        ("recipes in", manifest.read),
        ("kept", manifest.kept),
        ("rejected", manifest.rejected_total),
        ("steps trained", result.steps),
        ("texts generated", summary.texts),
        *((FIGURES[key].name, FIGURES[key].show(getattr(summary, key))) for key in ("percent_given", "extra_items")),
        ("minutes", f"{(time.monotonic() - started) / 60:.1f}"),
    ]
    console.result("demo", dict(rows), "", ("what", "count"), rows)
    console.say(f"Model: {result.model_uri} ({result.decision})")
    console.say("The run in MLflow: mlflow ui")
    console.say(f"Report: {Path(page).resolve()}")
