"""The options of `allsaid train`."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Literal

from allsaid.modeling.config import TextSettings
from allsaid.options import DEVICE, argument, option
from training.configs import SHIPPED

MODEL, RUN = "Model", "Run"  # sections of the help
OFTEN = ("epochs", "learning_rate", "batch_size", "seed", "stop_after", "dtype")  # settings of data and fit in the help
OF_TEXTS = [item.name for item in fields(TextSettings)]


@dataclass(frozen=True)
class TrainOptions:
    """Options of `allsaid train`."""

    data: str = option("A data set's folder.")
    config: str | None = argument(
        "CONFIG",
        f"A YAML file, or the name of a shipped one: {', '.join(SHIPPED)}. [default for a table: the better of "
        "assemble and table on dev]",
        None,
        section=MODEL,
    )
    set: tuple[str, ...] = option(
        "A setting as key=value; key=value,value makes a grid. Repeatable. Of the training: "
        f"{', '.join(OFTEN)}. Of the texts: {', '.join(OF_TEXTS)}. docs/commands.md has all settings.",
        (),
        section=MODEL,
    )
    like: str | None = option("Instead of CONFIG: that of a run in MLflow.", None, section=MODEL)
    phrasebook: str = option("A reviewed phrasebook.csv; clauses with an x are not used.", "", section=MODEL)
    run_dir: Path | None = option("Folder of checkpoints, model and spool.", None, section=RUN)
    name: str | None = option(
        "Name of the registered model. [default: that of the data set's folder]", None, section=RUN
    )
    experiment: str = option("Experiment of the run in MLflow. [default: the model's name]", "", section=RUN)
    tracking: Literal["online", "offline"] = option(
        "'online' or 'offline' (deliver later: allsaid sync).", "online", section=RUN
    )
    keep_champion: bool = option(
        "Leave the champion as it is; a better version waits for the next nightly run or `allsaid promote`.",
        False,
        section=RUN,
    )
    device: str = option(DEVICE, "cpu", section=RUN)
    resume: bool = option("Resume from the last checkpoint in --run-dir.", False, section=RUN)
