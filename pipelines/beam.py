"""Changes to Apache Beam and Arrow that make small runs start faster. Import this module before Beam.

Both import pandas, if installed: Beam for the types of data frames, Arrow when it makes its first array. Nothing here
needs it; Arrow's ``to_pandas`` looks for it again. Beam also imports Amazon's library; `allsaid.storage.stores` does so
where an object store is used. For each step of a pipeline, Beam inspects the signature of every method of the step's
class about ten times; here the result is cached.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import MethodType

import pyarrow as pa

from allsaid.imports import without

with without("pandas", "apache_beam.io.aws.s3filesystem"):
    from apache_beam.transforms import core

    pa.array([0])

_Function = Callable[..., object]
_inspect: Callable[[_Function], tuple[list[str], list[object]]] = core.get_function_args_defaults


@cache
def _inspect_method(function: _Function) -> tuple[list[str], list[object]]:
    return _inspect(MethodType(function, ...))  # bound to any object, since the first argument does not count


def _arguments(f: _Function) -> tuple[list[str], list[object]]:
    """Return the names of a function's arguments and their defaults; the methods of a class are inspected once."""
    if not isinstance(f, MethodType):
        return _inspect(f)
    names, defaults = _inspect_method(f.__func__)
    return [*names], [*defaults]  # copies, since Beam changes them


core.get_function_args_defaults = _arguments
