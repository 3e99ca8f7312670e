"""Reading of the YAML files that map users' tables, with errors in sentences."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any  # Any: values of YAML, checked here

import yaml

from allsaid.language.characters import comparable
from allsaid.storage.files import read_text
from schemas.errors import UserError

# Marks of an empty cell, in lower case.
DEFAULT_MISSING = ("n/a", "#n/a", "none", "null", "nan", "tbd", "-", "--", "–", "—", "?")
# The errors of PyYAML, beside its own, for a value that its tag does not allow ("2020-99-99") and for deep nesting.
_SCALAR_FAULTS = (ValueError, LookupError, AttributeError, RecursionError)


def text_of_mapping(path: str) -> str:
    """Return the text of the file that --mapping names; raises UserError if it can't be read."""
    try:
        return read_text(path)
    except (OSError, ValueError) as fault:
        raise UserError(f"--mapping {path} can't be read: {fault}") from fault


def parse_yaml(text: str, path: str) -> Any:  # Any here and below: a value of YAML, before it is checked
    """Parse YAML in the Unicode form in which names and texts are compared; ``path`` names it in the errors."""
    try:
        return _comparable(yaml.safe_load(text))
    except (yaml.YAMLError, *_SCALAR_FAULTS) as fault:
        raise UserError(f"{path} can't be read: {fault}") from fault


def _comparable(value: Any) -> Any:
    if isinstance(value, dict):
        return {_comparable(key): _comparable(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_comparable(element) for element in value]
    return comparable(value) if isinstance(value, str) else value


def known_keys(found: Any, valid: Collection[str], where: str) -> dict[str, Any]:
    if not isinstance(found, dict):
        raise UserError(f"{where} should hold lines of key: value with the keys {', '.join(valid)}.")
    for key in found:
        if key not in valid:
            raise UserError(f"{where} has '{key}'; the valid keys are {', '.join(valid)}.")
    return found


def text_at(given: Mapping[str, Any], key: str, path: str, needed: bool = False) -> str:
    value = given.get(key)
    if needed and value in (None, ""):
        raise UserError(f"{path} does not say which column is the {key}: write '{key}: NAME'.")
    if isinstance(value, list | dict):
        raise UserError(f"{path}: '{key}' should be one name.")
    return "" if value is None else str(value)


def strings_at(given: Mapping[str, Any], key: str, path: str) -> tuple[str, ...]:
    found = given.get(key)
    if isinstance(found, dict):
        raise UserError(f"{path}: '{key}' should be a list.")
    values = found if isinstance(found, list) else [] if found is None else [found]
    return tuple("null" if value is None else str(value) for value in values)


def is_missing(text: str, marks: Collection[str]) -> bool:
    """Return whether a cell is empty, or holds one of the marks of an empty cell, which are in lower case."""
    return not text or comparable(text).lower() in marks


def missing_at(given: Mapping[str, Any], path: str) -> frozenset[str]:
    """Return the marks of an empty cell, in lower case."""
    missing = DEFAULT_MISSING if given.get("missing") is None else strings_at(given, "missing", path)
    return frozenset(mark.strip().lower() for mark in missing)
