"""Settings as frozen dataclasses: values are parsed by their field's type and range; an error is one sentence."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import field
from difflib import get_close_matches
from types import MappingProxyType, NoneType, UnionType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints  # Any: a value of a setting

from schemas.errors import UserError

T = TypeVar("T")


def number(default: float, low: float, high: float | None = None) -> Any:
    """Declare a numeric field with values in [low, high]."""
    return field(default=default, metadata={"low": low, "high": high})


def key_and_value(setting: str) -> tuple[str, str]:
    """Split ``key=value``; raise UserError without an equals sign."""
    key, equals, value = setting.partition("=")
    if not equals:
        raise UserError(f"A setting must be key=value, but '{setting}' has no '='.")
    return key, value


def split_setting(setting: str, valid: Iterable[str]) -> tuple[str, str]:
    """Split ``key=value``; raise UserError unless the key is in ``valid``."""
    key, value = key_and_value(setting)
    check_key(key, valid)
    return key, value


def check_key(key: str, valid: Iterable[str]) -> None:
    """Raise UserError if a key is not valid."""
    if key not in valid:
        near = get_close_matches(key, valid, n=1)
        suggestion = f" Did you mean '{near[0]}'?" if near else ""
        raise UserError(f"There is no setting '{key}'; the valid ones are {', '.join(valid)}.{suggestion}")


def fill(
    kind: type[T], settings: Iterable[str], section: Mapping[str, Any] = MappingProxyType({}), where: str = ""
) -> T:
    """Build a settings dataclass from ``key=value`` settings; other fields have their value in ``section``, if any.

    ``section`` is a part of a YAML file, named ``where`` in errors. The remaining fields keep their defaults.
    """
    keys = [item.name for item in dataclasses.fields(kind)]  # type: ignore[arg-type]
    for key in section:
        if key not in keys:
            raise UserError(f"{where} has '{key}'; the valid ones are {', '.join(keys)}.")
    given = {key: (value, f"{where}: '{key}'") for key, value in section.items()}
    given |= {key: (value, f"'{key}'") for key, value in (split_setting(setting, keys) for setting in settings)}
    return kind(**{key: parse_value(kind, key, value, what) for key, (value, what) in given.items()})


def parse_value(kind: type, key: str, value: Any, what: str) -> Any:
    """Parse a value by the type and range of field ``key``; ``what`` is its name in a UserError.

    A field of several texts, or of another settings dataclass (as key=value), takes one text or a list.
    """
    wanted = get_type_hints(kind)[key]
    if isinstance(wanted, UnionType):  # with None, which is no value that anybody writes
        (wanted,) = (choice for choice in get_args(wanted) if choice is not NoneType)
    is_settings = isinstance(wanted, type) and dataclasses.is_dataclass(wanted)
    if is_settings or get_origin(wanted) is tuple:
        several = [str(part) for part in (value if isinstance(value, list) else [value])]
        return fill(wanted, several) if is_settings else tuple(several)
    if isinstance(value, list | dict):
        raise UserError(f"{what} must be one value; '{value}' is not.")
    if get_origin(wanted) is Literal:
        if value not in get_args(wanted):
            raise UserError(f"{what} must be one of {', '.join(get_args(wanted))}; '{value}' is not.")
        return value
    if wanted is str:
        return str(value)
    if wanted is bool:
        if str(value).lower() not in ("true", "false"):
            raise UserError(f"{what} must be true or false; '{value}' is not.")
        return str(value).lower() == "true"
    try:
        if isinstance(value, bool) or (wanted is int and isinstance(value, float)):
            raise ValueError
        parsed = wanted(value)
    except (TypeError, ValueError) as fault:
        form = "a whole number" if wanted is int else "a number"
        raise UserError(f"{what} must be {form}; '{value}' is not.") from fault
    (item,) = (item for item in dataclasses.fields(kind) if item.name == key)
    check_range(item, parsed, what)
    return parsed


def check_range(item: dataclasses.Field[Any], value: float, what: str) -> None:
    """Raise UserError if a number is outside the range of its field, or is no number (nan)."""
    low, high = item.metadata.get("low"), item.metadata.get("high")
    if (low is not None and value < low) or (high is not None and value > high) or value != value:
        allowed = f"at least {low}" if high is None else f"between {low} and {high}"
        raise UserError(f"{what} must be {allowed}; {value} is not.")
