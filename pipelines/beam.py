"""Apache Beam without two costs that a small run would mostly consist of. Import this module before Beam.

Beam loads pandas where that is installed, to know the types of data frames, which nothing here gives it. And for each
step of a pipeline it inspects the signature of every method of the step's class some ten times.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import MethodType
from typing import Any

from allsaid.imports import without

with without("pandas"):
    from apache_beam.transforms import core

_inspect: Callable[[Any], tuple[list[str], list[object]]] = core.get_function_args_defaults


@cache
def _of_methods(function: Callable[..., Any]) -> tuple[list[str], list[object]]:
    return _inspect(MethodType(function, ...))  # bound to anything, since the first argument does not count


def _arguments(f: Any) -> tuple[list[str], list[object]]:
    """Return the names of a function's arguments and their defaults; the methods of a class are inspected once."""
    if not isinstance(f, MethodType):
        return _inspect(f)
    names, defaults = _of_methods(f.__func__)
    return [*names], [*defaults]


core.get_function_args_defaults = _arguments
