"""Each subpackage is one source, and so is each entry point of ``allsaid.sources``; this module finds them."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from allsaid.modeling import plugins
from schemas.errors import UserError

if TYPE_CHECKING:
    from pipelines.source import Source

GROUP = "allsaid.sources"  # of entry points: the name of a source -> its class, "package.module:Class"


@cache
def shipped_names() -> tuple[str, ...]:
    """Return the names of this package's sources for `allsaid ingest`: those of the folders, with hyphens."""
    return tuple(found.name.replace("_", "-") for found in pkgutil.iter_modules(__path__) if found.ispkg)


def names() -> tuple[str, ...]:
    """Return the names of all sources, first those of this package, then those of other packages."""
    shipped = shipped_names()
    return (*shipped, *sorted({point.name for point in plugins.points(GROUP)} - {*shipped}))


@cache
def find(name: str) -> Source:
    """Return a source, whose module is imported at its first use.

    Raises UserError if there is no source of this name, if another package uses the name of one of ours, and if the
    source can't be loaded.
    """
    from pipelines.source import Source  # takes 0.2 s to import, which would delay the help

    source = _shipped_source(name, Source) if name in shipped_names() else _source_of_entry_point(name)
    if not isinstance(source, Source):
        raise UserError(
            f"The entry point '{name}' of {GROUP} is no subclass of pipelines.source.Source. Write it as "
            "package.module:Class."
        )
    return source


def module_of(name: str) -> str:
    """Return the name of the module that a source is in."""
    if name in shipped_names():
        return f"{__name__}.{name.replace('-', '_')}.source"
    return next(point.module for point in plugins.points(GROUP) if point.name == name)


def _shipped_source(name: str, kind: type) -> object:
    if other := next((point for point in plugins.points(GROUP) if point.name == name), None):
        raise UserError(
            f"The entry point '{name}' of {GROUP}, {other.value}, has the name of a source of Allsaid. Rename it, or "
            "remove its package."
        )
    module = import_module(module_of(name))
    (source,) = (
        found
        for found in vars(module).values()
        if isinstance(found, type) and issubclass(found, kind) and found.__module__ == module.__name__
    )
    return source()


def _source_of_entry_point(name: str) -> object:
    found = plugins.find({}, GROUP, name)
    if found is None:
        raise UserError(
            f"There is no source '{name}'. The sources are {', '.join(names())}. If it is of another package, install "
            "that package."
        )
    return found() if isinstance(found, type) else found
