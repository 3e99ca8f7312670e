"""Changes to Apache Beam and Arrow that make small runs start faster. Import this module before Beam.

Both import pandas, if installed: Beam for the types of data frames, Arrow when it makes its first array. Nothing here
needs it; Arrow's ``to_pandas`` looks for it again. Beam also imports Amazon's library; `allsaid.stores.beam` does so
where an object store is used. Beam's sources and sinks in BigQuery and MongoDB are not used here. For each step of a
pipeline, Beam inspects the signature of every method of the step's class about ten times; here the result is cached.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import cache
from types import MethodType

import pyarrow as pa

from allsaid.imports import without

with without(
    "pandas",
    "apache_beam.io.aws.s3filesystem",
    "apache_beam.io.gcp.bigquery",
    stand_ins={"apache_beam.io.mongodbio": {}},
):
    from apache_beam.transforms import core

    pa.array([0])

GARBAGE_THRESHOLD = 50_000  # new objects between two searches for cycles; rows are trees without cycles
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


@cache
def collect_less() -> None:
    """Search less often for cycles of garbage in this process, and not among the libraries and models loaded so far.

    Otherwise the search takes a sixth of the time of reading or proving rows.
    """
    gc.freeze()
    gc.set_threshold(GARBAGE_THRESHOLD)
