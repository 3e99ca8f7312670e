"""``python -m training CONFIG --data DIR``: `allsaid train` where only torch and a few libraries are installed."""

import sys

from allsaid import stops

if __name__ == "__main__":
    with stops.signals_caught():
        try:
            import typer

            from allsaid.options import add_command
            from training.commands.train import train

            app = typer.Typer(add_completion=False, rich_markup_mode=None)
            add_command(app, "train", train)
            app()
        except BaseException as fault:
            sys.exit(stops.end(fault))
