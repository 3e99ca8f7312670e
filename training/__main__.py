"""``python -m training CONFIG --data DIR``: `allsaid train` where only torch and a few libraries are installed."""

import sys

import typer

from allsaid import console
from allsaid.console import UserError
from training.runs.command import train

if __name__ == "__main__":
    try:
        typer.run(train)
    except UserError as error:
        sys.exit(console.fail(error))
