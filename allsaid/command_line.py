"""Command group that imports a command when it is called, or all of them for the help."""

from __future__ import annotations

import inspect
import platform
from collections.abc import Mapping
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from allsaid import console
from allsaid.options import BEAM_OPTIONS

LIBRARIES = ("torch", "apache-beam", "pyarrow", "mlflow")  # their versions may change results


def app(commands: Mapping[str, str]) -> Any:
    """Return the command line; ``commands`` maps a name to "module:function", or to "module:app" for a group."""

    class Commands(TyperGroup):
        def list_commands(self, ctx: Any) -> list[str]:
            return list(commands)

        def get_command(self, ctx: Any, cmd_name: str) -> Any:
            if cmd_name not in commands:
                return None
            module, _, name = commands[cmd_name].partition(":")
            return _command(cmd_name, getattr(import_module(module), name))

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


class SectionedCommand(TyperCommand):
    """Command whose help groups its options by their ``rich_help_panel``."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        sections: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            if (line := param.get_help_record(ctx)) is not None:
                usual = "Arguments" if param.param_type_name == "argument" else "Options"
                sections.setdefault(getattr(param, "rich_help_panel", None) or usual, []).append(line)
        for name, lines in sections.items():
            with formatter.section(name):
                formatter.write_dl(lines)


def _command(name: str, target: Any) -> Any:
    """Return the command for a function or a group; a function's ``context`` parameter gets the options for Beam."""
    if not isinstance(target, typer.Typer):
        hands_on = "context" in inspect.signature(target).parameters
        function, target = target, typer.Typer(add_completion=False, rich_markup_mode=None)
        settings = BEAM_OPTIONS if hands_on else None
        target.command(name, cls=SectionedCommand, context_settings=settings)(function)
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
