"""Reading of a YAML file with sections."""

from __future__ import annotations

from collections.abc import Iterable

import yaml

from schemas.errors import UserError


def read(path: str, valid: Iterable[str]) -> dict[str, dict[str, object]]:
    """Return the sections of a YAML file by their names; raise UserError for another file."""
    from allsaid.storage import files

    try:
        found = yaml.safe_load(files.read_text(path))
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as fault:
        raise UserError(f"{path} can't be read: {fault}") from fault
    if not isinstance(found, dict) or not all(isinstance(section, dict) for section in found.values()):
        raise UserError(f"{path} must have the sections {' and '.join(valid)}, each with lines of key: value.")
    for name in found:
        if name not in valid:
            raise UserError(f"{path} has the section '{name}'; the valid ones are {', '.join(valid)}.")
    return found
