"""Entry point of `allsaid` and ``python -m allsaid``; it catches signals before importing anything heavy."""

import sys
from collections.abc import Sequence

from allsaid import stops

# Section of the help -> command -> its function or group, imported when it is called; in the order of a user's day.
COMMANDS = {
    "Begin": {
        "demo": "batch_infer.commands.demo:demo",
        "try": "batch_infer.commands.texts:try_model",
    },
    "Texts": {
        "prove": "batch_infer.commands.texts:prove",
        "generate": "batch_infer.commands.texts:generate",
        "report": "batch_infer.commands.texts:report",
        "nightly": "batch_infer.commands.nightly:nightly",
        "trace": "evaluation.commands.evaluation:trace",
    },
    "Data sets": {
        "ingest": "pipelines.commands.ingest:app",
        "fetch": "pipelines.commands.data:fetch",
        "validate": "batch_infer.commands.validate:validate",
        "path": "pipelines.commands.data:path",
        "history": "batch_infer.commands.history:history",
    },
    "Models": {
        "train": "training.commands.train:train",
        "promote": "training.commands.tracking:promote",
        "sync": "training.commands.tracking:sync",
        "evaluate": "evaluation.commands.evaluation:evaluate",
        "compare": "evaluation.commands.evaluation:compare",
        "rate": "evaluation.commands.rate:app",
    },
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; report an error that the user can fix as a sentence, not a traceback."""
    with stops.signals_caught():
        try:
            _run(arguments)
        except BaseException as fault:
            sys.exit(stops.end(fault))


def _run(arguments: Sequence[str] | None) -> None:
    """Set up logging and run the command; the imports here take half a second, and a signal may come meanwhile."""
    import argparse
    import logging

    from allsaid import console, redaction

    anywhere = argparse.ArgumentParser("allsaid", add_help=False, allow_abbrev=False)
    anywhere.add_argument("--log-format", choices=("text", "json"), default="text")
    given, command = anywhere.parse_known_args(arguments)
    redaction.guard_logs()
    if given.log_format == "json":
        console.log_json()
    # Beam warns at every import that Google's client is not installed; this project does not use it.
    logging.getLogger().addFilter(lambda record: "apitools not found" not in record.getMessage())

    from allsaid import command_line

    command_line.app(COMMANDS)(command, prog_name="allsaid")


if __name__ == "__main__":
    main()
