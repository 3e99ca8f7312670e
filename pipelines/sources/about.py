"""The help and the options of a source's command; those of our own sources are read without importing their modules."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from pipelines import sources
from schemas.errors import UserError


@dataclass(frozen=True)
class About:
    """The parts of a source's class that `allsaid ingest NAME --help` shows."""

    help: str  # the docstring of its class
    options: Mapping[str, str]  # the options that other sources lack -> their help


def about(name: str) -> About:
    """Return help and options of a source; for one that can't be loaded, the reason as its help."""
    if name in sources.shipped_names():
        return _read(sources.module_of(name))  # importing our modules with their libraries takes a second
    try:
        source = sources.find(name)
    except UserError as fault:
        return About(str(fault), {})
    return About(inspect.cleandoc(type(source).__doc__ or ""), source.options)


def _read(module: str) -> About:
    """Read the class statement of a source: the docstring and the literal of `options`."""
    spec = find_spec(module)
    assert spec is not None and spec.origin is not None
    classes = (part for part in ast.parse(Path(spec.origin).read_bytes()).body if isinstance(part, ast.ClassDef))
    (source,) = (part for part in classes if any(ast.unparse(base).endswith("Source") for base in part.bases))
    options: dict[str, str] = {}
    for line in source.body:
        if isinstance(line, ast.AnnAssign) and ast.unparse(line.target) == "options" and line.value is not None:
            options = ast.literal_eval(line.value)
    return About(ast.get_docstring(source) or "", options)
