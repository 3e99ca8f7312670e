"""JSON files of this project, read and checked against the types that the code relies on."""

from __future__ import annotations

import json
from dataclasses import is_dataclass
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints, is_typeddict  # Any: a type hint

from schemas.errors import UserError

NAMES = {dict: "dictionary", list: "list", str: "text", int: "whole number", float: "number"}


def write_json(path: Path, values: object) -> None:
    path.write_text(json.dumps(values, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")


def read_json(path: Path, kind: Any) -> Any:  # of type `kind`, which is not always a class
    """Read a JSON file of type ``kind``, such as ``dict[str, list[str]]`` or a TypedDict, which may have more keys.

    Raises UserError where the file can't be read, is no JSON or has other types.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as fault:
        raise UserError(f"{path} is not valid JSON ({fault}).") from fault
    misfit = find_misfit(content, kind, "it")
    if misfit:
        raise UserError(f"{path} isn't what it should be: {misfit}.")
    return content


def find_misfit(value: object, kind: Any, name: str) -> str:
    """Return the first mismatch between ``value`` and the type ``kind``, such as "'names' is no list", or "".

    The fields of a TypedDict or a dataclass are looked up in a dictionary.
    """
    if is_typeddict(kind) or is_dataclass(kind):
        hints = get_type_hints(kind)
        if not isinstance(value, dict):
            return f"{name} is no {NAMES[dict]}"
        missing = [key for key in hints if key not in value]
        if missing:
            return f"{name} has no '{missing[0]}'"
        return next(filter(None, (find_misfit(value[key], part, f"'{key}'") for key, part in hints.items())), "")
    outer = get_origin(kind) or kind
    if not isinstance(value, outer):
        return f"{name} is no {NAMES[outer]}"
    if outer not in (dict, list):
        return ""
    items = value.items() if outer is dict else enumerate(value)
    part = get_args(kind)[-1]
    return next(filter(None, (find_misfit(item, part, f"'{key}' of {name}") for key, item in items)), "")
