"""Options that several commands have."""

from __future__ import annotations

from typing import Annotated

import typer

from schemas.errors import UserError

BEAM_OPTIONS = {"allow_extra_args": True, "ignore_unknown_options": True}  # of a command that hands options to Beam

DataFolder = Annotated[str, typer.Argument(metavar="DIR", help="A data set's folder.")]
OutputFolder = Annotated[str, typer.Option("--output", help="Folder to write to; made if it does not exist.")]
Device = Annotated[str, typer.Option("--device", help="'cpu' or 'cuda'.")]
MaxRejected = Annotated[
    float | None,
    typer.Option("--max-rejected", min=0, max=1, help="Fail when more than this share of the input is rejected."),
]
Encoding = Annotated[
    str, typer.Option("--encoding", help="Of a table that is text, such as cp1252; by default its bytes tell it.")
]
Sheet = Annotated[str, typer.Option("--sheet", help="The sheet of an Excel file; by default the first.")]
Experiment = Annotated[
    str, typer.Option("--experiment", help="The experiment of the run in MLflow. [default: that of the model]")
]
Wait = Annotated[float, typer.Option("--wait", min=0, help="Minutes to wait for another run on the same output.")]


def beam_options(context: typer.Context) -> list[str]:
    """What stands behind the command's own options; words that are no option are a mistake."""
    extra = list(context.args)
    if extra and not extra[0].startswith("--"):
        raise UserError(f"'{extra[0]}' is no option of this command; see `{context.command_path} --help`.")
    return extra


def gates_of(given: list[str] | None, key: str, most: float | None) -> list[str]:
    """Quality gates as key=value, with that of --max-rejected, which the command calls ``key``."""
    return [*(given or []), *([f"{key}={most}"] if most is not None else [])]
