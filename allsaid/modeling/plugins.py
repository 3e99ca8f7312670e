"""Tables of the parts of a task outside its module, such as its judge; other packages extend them by entry points."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, TypeVar

from schemas.errors import UserError

Part = TypeVar("Part")


def find(table: Mapping[str, Part], group: str, name: str) -> Part | None:
    """Return the part of this name from the table or, failing that, from an entry point of the group, else None.

    Raises UserError where a package's part can't be loaded, or two packages have one of this name.
    """
    if name in table:
        return table[name]
    named = [point for point in points(group) if point.name == name]
    if len(named) > 1:
        values = " and ".join(point.value for point in named)
        raise UserError(f"Two packages have an entry point '{name}' of {group}: {values}. Remove one of the packages.")
    if not named:
        return None
    try:
        part: Part = named[0].load()
    except Exception as fault:  # another package's module may raise anything while it is imported
        raise UserError(
            f"The entry point '{name}' of {group}, {named[0].value}, fails to load ({type(fault).__name__}: {fault}). "
            "Update that package, or remove it."
        ) from fault
    return part


def all_parts(group: str) -> dict[str, Any]:  # Any: parts of any kind
    """Return the parts of all entry points of the group by name, in the order of their names.

    Raises UserError where one can't be loaded, or two packages have one of this name.
    """
    return {name: find({}, group, name) for name in sorted({point.name for point in points(group)})}


@cache  # the list of installed packages is read from the disk each time
def points(group: str) -> tuple[EntryPoint, ...]:
    """Return the entry points of a group."""
    return tuple(entry_points(group=group))
