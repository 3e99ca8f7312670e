"""A folder a dump, each with its ``source.py``; here they are found, and nowhere else is a list of them."""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module
from typing import Any


@cache
def names() -> tuple[str, ...]:
    """The names of all sources, as `allsaid ingest` takes them: the folder's, with hyphens."""
    return tuple(found.name.replace("_", "-") for found in pkgutil.iter_modules(__path__) if found.ispkg)


def find(name: str) -> Any:
    """The module of a source, loaded at its first use: a :class:`pipelines.source.Source`."""
    return import_module(module_of(name))


def module_of(name: str) -> str:
    """The name of a source's module."""
    return f"{__name__}.{name.replace('-', '_')}.source"
