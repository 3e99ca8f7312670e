"""Command group that imports a command when it is called, or all of them for the help."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from importlib import import_module
from typing import Annotated, Any  # Any: click's objects, which Typer does not type

import typer
from typer.core import TyperGroup

from allsaid import console
from allsaid.options import add_command

LIBRARIES = ("torch", "apache-beam", "pyarrow", "mlflow")  # their versions may change results


def app(sections: Mapping[str, Mapping[str, str]]) -> Any:
    """Return the command line.

    ``sections`` maps a section of the help to its commands, and a command's name to "module:function", or to
    "module:app" for a group.
    """
    commands = {name: place for section in sections.values() for name, place in section.items()}

    class Commands(TyperGroup):
        def list_commands(self, ctx: Any) -> list[str]:
            return list(commands)

        def get_command(self, ctx: Any, cmd_name: str) -> Any:
            if cmd_name not in commands:
                return None
            module, _, name = commands[cmd_name].partition(":")
            return _command(cmd_name, getattr(import_module(module), name))

        def format_commands(self, ctx: Any, formatter: Any) -> None:
            width = max(map(len, commands))
            for title, section in sections.items():
                with formatter.section(title):
                    limit = formatter.width - 6 - width
                    shown = {name: self.get_command(ctx, name).get_short_help_str(limit) for name in section}
                    formatter.write_dl([(name.ljust(width), help_text) for name, help_text in shown.items()])

    found = typer.Typer(
        name="allsaid",
        cls=Commands,
        help="Turn structured data into text that says everything it was asked to say, and prove it.\n\n"
        "Every command takes --log-format json: news as JSON lines on standard error, figures as JSON on standard "
        "output.",
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,  # rich help costs 0.2 s at every start
        pretty_exceptions_enable=False,
    )
    found.callback()(_options)
    return typer.main.get_command(found)


def _command(name: str, target: Any) -> Any:
    """Return the command for a group, or for a function of an options dataclass or of Typer's parameters."""
    if not isinstance(target, typer.Typer):
        function, target = target, typer.Typer(add_completion=False, rich_markup_mode=None)
        add_command(target, name, function)
    command = typer.main.get_command(target)
    command.name = name
    return command


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib import metadata  # loaded here so that other commands start faster

        libraries = ", ".join(f"{name} {metadata.version(name)}" for name in LIBRARIES)
        sentence = f"allsaid {metadata.version('allsaid')} (Python {platform.python_version()}, {libraries})"
        console.answer("version", version=sentence)
        raise typer.Exit


def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            is_eager=True,
            callback=_show_version,
            help="Show the versions of Allsaid and its libraries and exit.",
        ),
    ] = False,
) -> None:
    """The options that precede a command."""
