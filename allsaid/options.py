"""Options of commands: a frozen dataclass for each command, from which its parameters, help and YAML keys follow.

A field declared by :func:`option` is ``--field-name`` on the command line and ``field_name`` in a YAML file. Commands
with up to two parameters declare these as Typer's own: a dataclass would be longer, and they are not passed on.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints  # Any: a value of an option

import typer
from typer.core import TyperCommand

from allsaid.settings import fill, parse_value
from schemas.errors import UserError

T = TypeVar("T")
BEAM_OPTIONS = {"allow_extra_args": True, "ignore_unknown_options": True}  # for commands that pass options to Beam

DataFolder = Annotated[str, typer.Argument(metavar="DIR", help="A data set's folder.")]
OutputFolder = Annotated[str, typer.Option("--output", help="Folder to write to; made if it does not exist.")]
# Help texts of options that several commands have.
MODEL = "models:/NAME@ALIAS, models:/NAME/VERSION or a model folder."
OUTPUT = "Folder to write to; made if it does not exist."
DEVICE = "'cpu' or 'cuda'."
ENCODING = "Encoding of a table that is text, such as cp1252. [default: found from its bytes]"
SHEET = "Sheet of an Excel file. [default: the first]"
EXPERIMENT = "Experiment of the run in MLflow. [default: that of the model]"
WAIT = "Minutes to wait for another run on the same output."


class WrongOption(UserError):
    """An argument or option that neither Allsaid nor Beam has, or a value that Beam does not take."""

    exit_code = 2


def option(
    help: str,
    default: Any = MISSING,
    *,
    section: str = "",
    low: float | None = None,
    high: float | None = None,
    metavar: str = "",
) -> Any:
    """Declare a field that is an option of a command; without a default it must be given.

    section: of the help. low, high: limits of a number. metavar: what the help shows as the value.
    """
    metadata = {"help": help, "section": section, "low": low, "high": high, "metavar": metavar}
    return field(default=default, metadata=metadata)


def argument(metavar: str, help: str, default: Any = MISSING, *, section: str = "") -> Any:
    """Declare a field that is a positional argument of a command."""
    return field(default=default, metadata={"help": help, "section": section, "metavar": metavar, "argument": True})


@dataclass(frozen=True)
class Beam:
    """Base of the options of commands that run a Beam job."""

    beam_args: tuple[str, ...] = field(default=(), kw_only=True)  # options that go to Beam as they are


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


def add_command(app: typer.Typer, name: str, function: Callable[..., None], help: str | None = None) -> None:
    """Add a command to an app: a function of one parameter ``options``, a dataclass, or of Typer's own parameters."""
    kind = get_type_hints(function).get("options")
    settings = BEAM_OPTIONS if kind is not None and issubclass(kind, Beam) else None
    command = function if kind is None else _of_parameters(function, kind)
    app.command(name, cls=SectionedCommand, help=help, context_settings=settings)(command)


def _of_parameters(function: Callable[..., None], kind: type) -> Callable[..., None]:
    """Return a function with a parameter for Typer for each option of ``kind``."""

    def command(context: typer.Context, **given: Any) -> None:
        beam_args = {"beam_args": tuple(beam_options(context, kind, given))} if issubclass(kind, Beam) else {}
        function(kind(**{name: _value(kind, name, value) for name, value in given.items()}, **beam_args))

    context = inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)
    parameters = [_parameter(item, hint) for item, hint in _declared(kind)]
    setattr(command, "__signature__", inspect.Signature([context, *parameters]))  # noqa: B010, Typer reads options off it
    command.__doc__ = function.__doc__
    return command


def from_section(kind: type[T], section: Mapping[str, Any], where: str, without: Collection[str] = ()) -> T:
    """Build the options of a command from a section of a YAML file; ``where`` names it in errors.

    without: options that the section can't have. Raises UserError.
    """
    known = {item.name: item for item, _ in _declared(kind) if item.name not in without}
    for key in section:
        if key not in known:
            raise UserError(f"{where} has the key '{key}'; the valid ones are {', '.join(known)}.")
    given = {name: value for name, value in section.items() if value is not None}
    for name, item in known.items():
        if item.default is MISSING and name not in given:
            raise UserError(f"{where} has no key '{name}', which is needed: {item.metadata['help']}")
    return kind(**{name: parse_value(kind, name, value, f"{where}: '{name}'") for name, value in given.items()})


def beam_options(context: typer.Context, kind: type, given: Mapping[str, Any]) -> list[str]:
    """Return the arguments after the command's own options; raise WrongOption if the first one is no option."""
    extra = list(context.args)
    for item, _ in _declared(kind):
        if item.metadata.get("argument") and str(given[item.name]).startswith("--"):  # Click takes it for the argument
            raise WrongOption(
                f"'{given[item.name]}' is no option of `{context.command_path}`. {item.metadata['metavar']} is given "
                f"without one, and before options of Beam. See `{context.command_path} --help`."
            )
    if extra and not extra[0].startswith("--"):
        raise WrongOption(f"Unknown argument '{extra[0]}'. See `{context.command_path} --help`.")
    return extra


def _declared(kind: type) -> list[tuple[Field[Any], Any]]:
    """Return the fields that are options, required ones first, with their types."""
    hints = get_type_hints(kind)
    found = [(item, hints[item.name]) for item in fields(kind) if "help" in item.metadata]
    return sorted(found, key=lambda declared: declared[0].default is not MISSING)


def _parameter(item: Field[Any], hint: Any) -> inspect.Parameter:
    shown = {"help": item.metadata["help"], "rich_help_panel": item.metadata["section"] or None}
    shown |= {"metavar": item.metadata["metavar"] or None}
    if item.metadata.get("argument"):
        info: Any = typer.Argument(**shown)
    else:
        flag = f"--{item.name.replace('_', '-')}"
        info = typer.Option(flag, min=item.metadata["low"], max=item.metadata["high"], **shown)
    default = inspect.Parameter.empty if item.default is MISSING else item.default
    is_list = get_origin(hint) is tuple and get_args(hint)[1:] == (...,)
    if is_list or is_dataclass(hint):  # given several times: a value each, or a setting of the dataclass as key=value
        hint, default = list[str], default if item.default is MISSING else []
    annotation = Annotated[hint, info]
    return inspect.Parameter(item.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _value(kind: type, name: str, given: Any) -> Any:
    """Return the value of a field from Typer's, which is a list for an option that is given several times."""
    hint = get_type_hints(kind)[name]
    if isinstance(hint, type) and is_dataclass(hint):
        return fill(hint, given)
    return tuple(given) if isinstance(given, list) else given
