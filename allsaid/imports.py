"""Imports of large libraries without other libraries that they load and that this project does not need."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType, SimpleNamespace
from typing import Any  # Any: stand-ins for modules

NOTHING: Mapping[str, Mapping[str, object]] = MappingProxyType({})


@contextmanager
def without(*names: str, stand_ins: Mapping[str, Mapping[str, object]] = NOTHING) -> Iterator[None]:
    """Import libraries in this block as if the modules ``names`` were not installed.

    For libraries that try to import others, work without them, and have no setting for it. ``stand_ins``: modules that
    they insist on, with the names that they import from each. Modules that are loaded already stay as they are.
    """
    found: dict[str, Any] = dict.fromkeys(names)  # Python raises ImportError where it finds a None
    found |= {name: SimpleNamespace(**values) for name, values in stand_ins.items()}
    hidden = found.keys() - sys.modules.keys()
    sys.modules.update({name: found[name] for name in hidden})
    try:
        yield
    finally:
        for name in hidden:
            del sys.modules[name]
