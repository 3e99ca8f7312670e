"""The options of `allsaid train` and `python -m training`, which imports torch only when it runs."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Annotated, Literal

import typer

from allsaid.modeling.config import DataConfig, FitConfig, SearchConfig
from training.configs import SHIPPED

SETTINGS = [item.name for section in (DataConfig, FitConfig, SearchConfig) for item in fields(section)]


def train(
    data: Annotated[str, typer.Option("--data", help="A data set's folder.")],
    config: Annotated[
        str | None,
        typer.Argument(
            metavar="CONFIG",
            help=f"A YAML file, or the name of a shipped one: {', '.join(SHIPPED)}. [default for a table: the better "
            "of assemble and table on dev]",
        ),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            help="A setting as key=value; key=value,value makes a grid. Repeatable. The settings are "
            f"{', '.join(SETTINGS)}, and those that the configuration has under `model:`.",
        ),
    ] = None,
    like: Annotated[str | None, typer.Option("--like", help="Instead of CONFIG: that of a run in MLflow.")] = None,
    run_dir: Annotated[Path | None, typer.Option("--run-dir", help="Where checkpoints, model and spool go.")] = None,
    name: Annotated[str, typer.Option("--name", help="The name to register the model under.")] = "recipes",
    experiment: Annotated[
        str, typer.Option("--experiment", help="The experiment of the run in MLflow. [default: the model's name]")
    ] = "",
    mode: Annotated[
        Literal["online", "offline"],
        typer.Option("--tracking", help="'online' or 'offline' (deliver later: allsaid sync)."),
    ] = "online",
    device: Annotated[str, typer.Option("--device", help="'cpu' or 'cuda'.")] = "cpu",
    phrasebook: Annotated[
        str, typer.Option("--phrasebook", help="A reviewed phrasebook.csv; clauses with an x are not used.")
    ] = "",
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the last checkpoint in --run-dir.")] = False,
) -> None:
    """Train a model, log it to MLflow and register it.

    It is promoted if it beats the champion. A setting with several values makes a grid: each combination becomes a run
    below one that names the best. Started again with the same --run-dir, a grid skips what has finished and goes on
    with the rest.

    Example: allsaid train checklist-demo --data data --set epochs=5
    """
    from training.runs import start

    start.train(
        start.Request(config, data, settings or [], run_dir, name, mode, device, resume, like, experiment, phrasebook)
    )
