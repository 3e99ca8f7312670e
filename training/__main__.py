"""``python -m training CONFIG --data DIR``: training where only torch and a few libraries are installed."""

from __future__ import annotations

import sys
from dataclasses import asdict, dataclass
from itertools import count
from pathlib import Path
from typing import Annotated

import typer

import console
from console import UserError
from training import fit, tracking
from training.config import load_config
from training.data import DataSet
from training.evaluate import Scores
from training.model_folder import find_device


@dataclass(frozen=True)
class Trained:
    model_uri: str  # models:/NAME/VERSION, or the model's folder where it isn't registered yet
    decision: str  # on promotion, a sentence
    steps: int
    scores: Scores


def train(
    config: str,
    data: str,
    settings: list[str],
    run_dir: Path | None = None,
    name: str = "recipes",
    mode: str = "online",
    device: str = "cpu",
    resume: bool = False,
) -> Trained:
    """Train a model, record the run, register the model under ``name`` and decide whether it is champion.

    ``settings`` are key=value; ``device`` other than the default overrules the configuration's. Without ``run_dir``
    the run gets a new folder below training-runs/.
    """
    chosen = load_config(config, [*settings, *([f"device={device}"] if device != "cpu" else [])])
    find_device(chosen.fit.device)
    examples = DataSet(data)
    if resume and run_dir is None:
        raise UserError("--resume needs the folder of the run to go on with; name it with --run-dir.")
    if run_dir is not None and ":/" in str(run_dir):
        raise UserError(f"--run-dir {run_dir} is no local folder. Give one; the model goes to MLflow from there.")
    folder = run_dir or _new_folder(Path(config).stem)
    fit.claim(chosen, examples, folder, resume)
    tracker = tracking.open_tracker(folder, mode, experiment=name, run_name=folder.name)
    try:
        result = fit.train(chosen, examples, folder, tracker, resume)
    except BaseException as fault:
        tracker.finish("KILLED" if isinstance(fault, KeyboardInterrupt) else "FAILED")
        raise
    tracker.model(result.model_folder, name, result.scores, result.dev_fingerprint, asdict(chosen.search))
    synced = tracker.finish("FINISHED", result.rescore)
    show(result)
    if synced is None or not synced.model_version:
        return Trained(str(result.model_folder), "not registered yet", result.steps, result.scores)
    decision = synced.decision.reason if synced.decision else ""
    console.say(f"Registered as {synced.model_name} version {synced.model_version}. {decision}")
    return Trained(f"models:/{name}/{synced.model_version}", decision, result.steps, result.scores)


def show(result: fit.Result) -> None:
    """Print the dev scores beside the true texts' own, and what preparing and restoring costs."""
    rows = [
        ("% given items (head word)", "percent_given", ".1f"),
        ("% given items (full name)", "percent_given_full_name", ".1f"),
        ("% given items (any word)", "percent_given_any_word", ".1f"),
        ("extra items a text", "extra_items", ".2f"),
        ("BLEU-4", "bleu", ".2f"),
        ("tokens a text", "words", ".1f"),
    ]
    figures = {"steps": result.steps, "dev": asdict(result.scores), "dev_true": asdict(result.true_scores)}
    console.result(
        "train",
        figures | {"model": str(result.model_folder)},
        f"{result.scores.texts} dev texts",
        ("figure", "model", "true texts"),
        [
            (label, format(getattr(result.scores, key), form), format(getattr(result.true_scores, key), form))
            for label, key, form in rows
        ],
    )
    share = result.survived / max(result.sentences, 1)
    console.say(
        f"{share:.1%} of the true dev texts' {result.sentences} sentences come back from preparing and restoring "
        "(letter case apart)."
    )


def _new_folder(config: str) -> Path:
    return next(folder for number in count(1) if not (folder := Path("training-runs") / f"{config}-{number}").exists())


def main(
    config: Annotated[str, typer.Argument(metavar="CONFIG", help="A YAML file, or the name of a shipped one.")],
    data: Annotated[str, typer.Option("--data", help="A data set's folder.")],
    settings: Annotated[list[str] | None, typer.Option("--set", help="A setting as key=value. Repeatable.")] = None,
    run_dir: Annotated[Path | None, typer.Option("--run-dir", help="Where checkpoints, model and spool go.")] = None,
    name: Annotated[str, typer.Option("--name", help="The name to register the model under.")] = "recipes",
    mode: Annotated[str, typer.Option("--tracking", help="'online' or 'offline'.")] = "online",
    device: Annotated[str, typer.Option("--device", help="'cpu' or 'cuda'.")] = "cpu",
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the last checkpoint in --run-dir.")] = False,
) -> None:
    """Train a model; the same as `allsaid train`."""
    try:
        train(config, data, settings or [], run_dir, name, mode, device, resume)
    except UserError as error:
        sys.exit(console.fail(error))


if __name__ == "__main__":
    typer.run(main)
