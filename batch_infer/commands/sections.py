"""A section of a YAML file whose keys are the options of a command: read as the command line reads them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import typer
import yaml

from schemas.errors import UserError


def read(path: str, valid: Iterable[str]) -> dict[str, dict[str, Any]]:
    """The sections of a YAML file by their names; raises UserError for what is no such file."""
    from allsaid.storage import files

    try:
        found = yaml.safe_load(files.read_text(path))
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as fault:
        raise UserError(f"{path} can't be read: {fault}") from fault
    if not isinstance(found, dict) or not all(isinstance(section, dict) for section in found.values()):
        raise UserError(f"{path} must have the sections {' and '.join(valid)}, each with lines of key: value.")
    check_keys(found, valid, path, "section")
    return found


def options(
    section: Mapping[str, Any],
    command: Any,
    context: typer.Context,
    where: str,
    without: Collection[str],
    also: Sequence[str],
) -> dict[str, Any]:
    """The values of a command's options by name, defaults among them; ``where`` names the section in errors.

    The options ``without`` can't stand in the section; the keys ``also`` can, and are read elsewhere.
    """
    flags = {option.name: option.opts[0] for option in command.params if option.name not in without}
    check_keys(section, (*flags, *also), where, "key")
    own = {name: given for name, given in section.items() if name not in also}
    words = [word for name, given in own.items() for word in _words(flags[name], given, f"{where}: '{name}'")]
    try:
        return command.make_context(command.name, words, parent=context).params
    except typer.TyperException as fault:
        raise UserError(f"{where}: {fault.format_message()}") from fault


def check_keys(given: Iterable[Any], valid: Iterable[str], where: str, what: str) -> None:
    """Raise UserError for the first key that is none of the ``valid`` ones."""
    for key in given:
        if key not in valid:
            raise UserError(f"{where} has the {what} '{key}'; the valid ones are {', '.join(valid)}.")


def _words(flag: str, given: Any, what: str) -> list[str]:
    """An option as the command line has it; a list stands for an option that is given several times."""
    several = given if isinstance(given, list) else [given]
    if any(isinstance(one, list | dict) for one in several):
        raise UserError(f"{what} must be one value, or a list of values; '{given}' is not.")
    return [flag if one is True else f"{flag}={one}" for one in several if one is not None and one is not False]
