"""The commands about trainings in MLflow; `allsaid train` itself is in ``training/commands/train.py``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from allsaid import console


def sync(run_dir: Annotated[Path, typer.Argument(metavar="RUN_DIR", help="The folder of a training run.")]) -> None:
    """Deliver to MLflow a run that was recorded without it.

    RUN_DIR is the folder of a run or of a grid. A second call changes nothing.

    Example: allsaid sync training-runs/checklist-demo-1
    """
    from training.tracking import tracker

    for result in tracker.sync_all(run_dir):
        console.say(result.sentence)


def promote(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A registered model.")],
    version: Annotated[str, typer.Argument(metavar="VERSION", help="Its version.")],
) -> None:
    """Make any version of a model the champion by hand.

    Example: allsaid promote recipes 3
    """
    from training.tracking import registry

    console.say(registry.promote(name, version))
