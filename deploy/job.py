"""What a scheduler starts: a command of Allsaid, with everything as ``--name=value``.

    python deploy/job.py --command="ingest records" --input=shop.csv --mapping=shop.yaml --output=data --runner=…

A positional word has its name in lower case (``--config=shop.yaml``), a switch is ``--mend=true``. Beam's own options
may be there for every command; one that runs no Beam job, as `train`, does without them.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from allsaid.__main__ import COMMANDS, main
from allsaid.command_line import app
from schemas.errors import UserError


def words_of(arguments: Sequence[str]) -> list[str]:
    """Return the words of the command line; raise UserError for an argument that is not ``--name=value``."""
    pairs = [argument.removeprefix("--").partition("=") for argument in arguments]
    for argument, (_, equals, _) in zip(arguments, pairs, strict=True):
        if not (argument.startswith("--") and equals):
            raise UserError(f"'{argument}' is not --name=value.")
    commands = [value for name, _, value in pairs if name == "command"]
    if len(commands) != 1:
        raise UserError('Name one command, such as --command="ingest records".')
    command = commands[0].split()
    found = find(command)
    positional = {param.name for param in found.params if param.param_type_name == "argument"}
    options = {name: param for param in found.params for name in (*param.opts, *param.secondary_opts)}
    takes_more = found.context_settings.get("ignore_unknown_options", False)
    words, places = list[str](), list[str]()
    for name, _, value in pairs:
        option = options.get(f"--{name}")
        if name in positional:
            places.append(value)
        elif option is not None and option.is_flag:
            words += [f"--{name}"] if _is_true(name, value) else []
        elif option is not None or (takes_more and name != "command"):
            words.append(f"--{name}={value}")
        elif name != "command" and "-" in name:  # Beam's options have no hyphen
            raise UserError(f"`allsaid {' '.join(command)}` has no option --{name}.")
    return [*command, *places, *words]


def find(command: Sequence[str]) -> Any:
    """Return the command of Typer, whose classes are private, for words such as "ingest records"."""
    found = app(COMMANDS)
    for word in command:
        found = found.get_command(None, word) if hasattr(found, "get_command") else None
        if found is None:
            break
    if found is None or hasattr(found, "get_command"):
        raise UserError(f"'{' '.join(command)}' is no command of `allsaid`.")
    return found


def _is_true(name: str, value: str) -> bool:
    if value not in ("true", "false"):
        raise UserError(f"--{name} is true or false; '{value}' is neither.")
    return value == "true"


if __name__ == "__main__":
    try:
        words = words_of(sys.argv[1:])
    except UserError as fault:
        print(f"Error: {fault}", file=sys.stderr)
        sys.exit(2)  # as `allsaid` does for a wrong option
    main(words)
