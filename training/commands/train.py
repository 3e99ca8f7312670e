"""The options of `allsaid train` and `python -m training`; torch is imported only when they run."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Annotated, Literal

import typer

from allsaid.modeling.config import TextSettings
from allsaid.options import DEVICE
from training.configs import SHIPPED

MODEL, RUN = "Model", "Run"  # sections of the help
OFTEN = ("epochs", "learning_rate", "batch_size", "seed", "stop_after", "dtype")  # set by users, of data and fit
OF_TEXTS = [item.name for item in fields(TextSettings)]


def train(
    data: Annotated[str, typer.Option("--data", help="A data set's folder.")],
    config: Annotated[
        str | None,
        typer.Argument(
            metavar="CONFIG",
            help=f"A YAML file, or the name of a shipped one: {', '.join(SHIPPED)}. [default for a table: the better "
            "of assemble and table on dev]",
            rich_help_panel=MODEL,
        ),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            help="A setting as key=value; key=value,value makes a grid. Repeatable. Of the training: "
            f"{', '.join(OFTEN)}. Of the texts: {', '.join(OF_TEXTS)}. docs/settings.md has all settings.",
            rich_help_panel=MODEL,
        ),
    ] = None,
    like: Annotated[
        str | None, typer.Option("--like", help="Instead of CONFIG: that of a run in MLflow.", rich_help_panel=MODEL)
    ] = None,
    run_dir: Annotated[
        Path | None, typer.Option("--run-dir", help="Folder of checkpoints, model and spool.", rich_help_panel=RUN)
    ] = None,
    name: Annotated[str, typer.Option("--name", help="Name of the registered model.", rich_help_panel=RUN)] = "recipes",
    experiment: Annotated[
        str,
        typer.Option(
            "--experiment", help="Experiment of the run in MLflow. [default: the model's name]", rich_help_panel=RUN
        ),
    ] = "",
    mode: Annotated[
        Literal["online", "offline"],
        typer.Option("--tracking", help="'online' or 'offline' (deliver later: allsaid sync).", rich_help_panel=RUN),
    ] = "online",
    device: Annotated[str, typer.Option("--device", help=DEVICE, rich_help_panel=RUN)] = "cpu",
    phrasebook: Annotated[
        str,
        typer.Option(
            "--phrasebook", help="A reviewed phrasebook.csv; clauses with an x are not used.", rich_help_panel=MODEL
        ),
    ] = "",
    resume: Annotated[
        bool, typer.Option("--resume", help="Resume from the last checkpoint in --run-dir.", rich_help_panel=RUN)
    ] = False,
) -> None:
    """Train a model, log it to MLflow and register it.

    It is promoted if it beats the champion. A setting with several values makes a grid: each combination becomes a
    child of one run, which names the best. Started again with the same --run-dir, a grid skips finished children.

    Example: allsaid train checklist-demo --data data --set epochs=5
    """
    from training.runs import start

    start.train(
        start.Request(config, data, settings or [], run_dir, name, mode, device, resume, like, experiment, phrasebook)
    )
