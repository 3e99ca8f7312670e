"""The commands of `allsaid`, as `allsaid --help` lists them."""

from __future__ import annotations

from allsaid import command_line
from allsaid.__main__ import COMMANDS
from allsaid.markdown import table


def commands() -> str:
    """Return the first sentence of each command's help."""
    app = command_line.app(COMMANDS)
    rows = [
        [section, f"`{name}`", app.get_command(None, name).get_short_help_str(200)]
        for section, names in COMMANDS.items()
        for name in names
    ]
    return table(["", "command", "what it does"], rows)
