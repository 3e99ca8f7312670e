"""The entry of `allsaid` and of ``python -m allsaid``: a stop is caught before anything heavy is imported."""

import sys
from collections.abc import Sequence

from allsaid import stops


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; a fault that its user can mend ends with a sentence, not a traceback."""
    with stops.signals_caught():
        try:
            _run(arguments)
        except BaseException as fault:
            sys.exit(stops.end(fault))


def _run(arguments: Sequence[str] | None) -> None:
    """Set the logs up and go to the command; what is imported here takes half a second, in which a stop may come."""
    import argparse
    import logging

    from allsaid import console, redaction

    anywhere = argparse.ArgumentParser("allsaid", add_help=False, allow_abbrev=False)
    anywhere.add_argument("--log-format", choices=("text", "json"), default="text")
    given, command = anywhere.parse_known_args(arguments)
    redaction.guard_logs()
    if given.log_format == "json":
        console.log_json()
    # Beam warns at every import that Google's client is not installed; nobody here asked for it.
    logging.getLogger().addFilter(lambda record: "apitools not found" not in record.getMessage())

    from allsaid.commands import cli

    cli.app(command, prog_name="allsaid")


if __name__ == "__main__":
    main()
