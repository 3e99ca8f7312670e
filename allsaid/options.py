"""Options shared by several commands."""

from __future__ import annotations

from typing import Annotated

import typer

from schemas.errors import UserError

BEAM_OPTIONS = {"allow_extra_args": True, "ignore_unknown_options": True}  # for commands that pass options to Beam

DataFolder = Annotated[str, typer.Argument(metavar="DIR", help="A data set's folder.")]
OutputFolder = Annotated[str, typer.Option("--output", help="Folder to write to; made if it does not exist.")]
# Help texts of shared options; a command may show them in its own section.
DEVICE = "'cpu' or 'cuda'."
ENCODING = "Encoding of a table that is text, such as cp1252. [default: found from its bytes]"
SHEET = "Sheet of an Excel file. [default: the first]"
EXPERIMENT = "Experiment of the run in MLflow. [default: that of the model]"
WAIT = "Minutes to wait for another run on the same output."

Device = Annotated[str, typer.Option("--device", help=DEVICE)]
Encoding = Annotated[str, typer.Option("--encoding", help=ENCODING)]
Sheet = Annotated[str, typer.Option("--sheet", help=SHEET)]
Experiment = Annotated[str, typer.Option("--experiment", help=EXPERIMENT)]
Wait = Annotated[float, typer.Option("--wait", min=0, help=WAIT)]


def beam_options(context: typer.Context) -> list[str]:
    """Return the arguments after the command's own options; raise UserError if the first one is no option."""
    extra = list(context.args)
    if extra and not extra[0].startswith("--"):
        raise UserError(f"'{extra[0]}' is no option of this command; see `{context.command_path} --help`.")
    return extra
