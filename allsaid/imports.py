"""Imports of large libraries without other libraries that they load and that this project does not need."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType, SimpleNamespace
from typing import Any  # Any: attributes of replaced modules

NOTHING: Mapping[str, Mapping[str, object]] = MappingProxyType({})


class _Hiding:
    """Finder that comes first and finds none of some modules."""

    def __init__(self, names: Collection[str]) -> None:
        self._names = names

    def find_spec(self, name: str, *_: object) -> None:
        if name in self._names:
            raise ModuleNotFoundError(f"{name} is not imported here", name=name)


@contextmanager
def without(*names: str, stand_ins: Mapping[str, Mapping[str, object]] = NOTHING) -> Iterator[None]:
    """Import libraries in this block as if the modules ``names`` were not installed.

    For libraries that try to import others, work without them, and have no setting for it. ``stand_ins``: modules that
    they insist on, with the names that they import from each. Modules that are loaded already stay as they are.
    """
    found: dict[str, Any] = {name: SimpleNamespace(**values) for name, values in stand_ins.items()}
    added, finder = found.keys() - sys.modules.keys(), _Hiding(names)
    sys.modules.update({name: found[name] for name in added})
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for name in added:
            del sys.modules[name]
