"""Allsaid in two minutes: a shop's texts proven and written, a nightly run, and recipes; or recipes of a dump."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from allsaid import console
from allsaid.options import option
from batch_infer.commands.validate import run_validation
from batch_infer.options.generate import GenerateOptions
from schemas.errors import UserError

if TYPE_CHECKING:
    from pipelines.ingest.run import Request
    from schemas.runs.manifest import Manifest
    from training.runs.start import Trained

SHOP, RECIPES = "products-sample", "recipes-sample"  # models; their names say that they are no real ones


@dataclass(frozen=True)
class DemoOptions:
    """Options of `allsaid demo`."""

    dump: str | None = option("A Meal-Master dump (a glob); without one, the samples.", None)
    output: str = option("Folder to write to.", "demo")
    experiment: str = option("Experiment of the runs in MLflow. [default: the model's name]", "")


def demo(options: DemoOptions) -> None:
    """Prove and write a shop's texts, run them nightly, write recipes.

    It takes two minutes with the samples: texts by others are proven, a model learns a table of products, a nightly
    run writes texts for new products and does nothing a second time, and the nearest recipes are edited into new
    ones. With --dump, only that, with the recipes of a dump.

    Example: allsaid demo --dump 'dumps/*.mmf.gz'
    """
    started = time.monotonic()
    folder = Path(options.output)
    now = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    pages = [] if options.dump else _shop(folder, now, options.experiment)
    pages.append(_recipes(folder, now, options, started))
    console.say("The runs in MLflow: mlflow ui")
    for page in pages:
        console.say(f"Report: {Path(page).resolve()}")


def _shop(folder: Path, now: str, experiment: str) -> list[str]:
    """Prove the samples' texts by others, learn the samples' table, and do a nightly run twice; return the reports."""
    from batch_infer.commands import chain, nightly_file
    from batch_infer.job import prove
    from batch_infer.options.prove import ProveOptions
    from batch_infer.proof import summary
    from batch_infer.report import report
    from pipelines.ingest.run import Request
    from pipelines.sources.records.source import Settings
    from schemas.texts.finding import WRONG

    table, new, texts, mapping = (
        str(resources.files("samples") / name)
        for name in ("products.csv", "new_products.csv", "new_texts.csv", "products.yaml")
    )
    console.say("Shop, 1 of 3: prove texts that others wrote")
    proof = str(folder / "proof" / now)
    prove.run(ProveOptions(new, proof, texts=texts, mapping=mapping, experiment=experiment))
    for (grade, column, kind), group in report.gather(summary.text_files(proof)).findings.items():
        for row, passage in group.examples:
            if grade == WRONG:
                console.say(f"{row} has a wrong text: {column}, '{passage}': {kind}.", "warning")

    console.say("Shop, 2 of 3: learn a table")
    data = str(folder / "products")
    _ingest(Request("records", [table], data, Settings(mapping=mapping)))
    run_dir = folder / "training" / f"products-{now}"
    model = _train("table", data, run_dir, SHOP, experiment, "epochs=12")

    console.say("Shop, 3 of 3: a nightly run, and the same again")
    nights = {"model": model.model_uri, "input": new, "output": str(folder / "nights"), "format": "csv"}
    config = folder / "shop.yaml"
    config.write_text(yaml.safe_dump({"generate": nights | {"gate": ["uncertified=0"]}}), encoding="utf-8")
    for _ in range(2):
        outcome = chain.run(nightly_file.read(str(config)))
    return [report.write(proof), str(Path(outcome.folder, report.PAGE))]


def _recipes(folder: Path, now: str, options: DemoOptions, started: float) -> str:
    """Read recipes, fit `edit` to them, and write the texts of their test part; return the report."""
    from allsaid.proof.figures import FIGURES
    from batch_infer.job import generate
    from batch_infer.report import report
    from pipelines.datasets.gates import DataGates
    from pipelines.ingest.request import Request, Schedule
    from pipelines.sources.mealmaster.source import Settings

    samples = sorted(str(path) for path in Path(str(resources.files("samples"))).iterdir() if ".mmf" in path.name)
    data = str(folder / "data")
    # As many local processes as there are cores.
    workers = ["--direct_num_workers", str(os.cpu_count() or 1), "--direct_running_mode", "multi_processing"]

    console.say("Recipes, 1 of 3: ingest and validate")
    inputs = [options.dump] if options.dump else samples
    # An earlier demo may have read a larger dump.
    manifest = _ingest(Request("mealmaster", inputs, data, Settings(), workers, Schedule(gates=DataGates(lost=1))))
    console.say("Recipes, 2 of 3: train and register")
    name, config = ("recipes", "edit") if options.dump else (RECIPES, "edit-sample")
    result = _train(config, data, folder / "training" / now, name, options.experiment)
    console.say("Recipes, 3 of 3: generate")
    texts = str(folder / "texts" / now)
    options_of_run = GenerateOptions(
        result.model_uri, data, texts, experiment=options.experiment, beam_args=tuple(workers), show=True
    )
    summary = generate.run(options_of_run)
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
    return report.write(texts)


def _ingest(request: Request) -> Manifest:
    """Make and validate a data set; raise UserError where it breaks a rule."""
    from pipelines.ingest import run as ingest

    manifest = ingest.run(request)
    if not run_validation(request.output, with_suites=True):
        raise UserError(f"The data set in {request.output} breaks a rule; see {request.output}/validation/index.html.")
    return manifest


def _train(config: str, data: str, run_dir: Path, name: str, experiment: str, *settings: str) -> Trained:
    from training.options import TrainOptions
    from training.runs import start

    return start.train(
        TrainOptions(config=config, data=data, run_dir=run_dir, name=name, experiment=experiment, set=settings)
    )
