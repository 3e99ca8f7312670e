"""``python -m training CONFIG --data DIR``: `allsaid train` where only torch and a few libraries are installed."""

import sys

from allsaid import stops

if __name__ == "__main__":
    with stops.signals_caught():
        try:
            import typer

            from training.commands.train import train

            typer.run(train)
        except BaseException as fault:
            sys.exit(stops.end(fault))
