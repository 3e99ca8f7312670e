"""The help and the options of a source's command; those of our own sources are read without importing their modules."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pipelines import sources
from schemas.errors import UserError


@dataclass(frozen=True)
class About:
    """What `allsaid ingest NAME` shows of a source."""

    help: str  # the docstring of its class
    options: Mapping[str, str]  # the options that other sources lack -> their help


def about(name: str) -> About:
    """Return what the class of a source says of itself; of one that can't be loaded the reason, as its help."""
    if name in sources.own_names():
        return _read(sources.module_of(name))  # with their libraries, our modules take a second to import
    try:
        source = sources.find(name)
    except UserError as fault:
        return About(str(fault), {})
    return About(inspect.cleandoc(type(source).__doc__ or ""), source.options)


def _read(module: str) -> About:
    """Read the class statement of a source: the docstring and the literal of `options`."""
    spec = find_spec(module)
    assert spec is not None and spec.origin is not None
    (statement,) = filter(_is_source, ast.parse(Path(spec.origin).read_bytes()).body)
    assert isinstance(statement, ast.ClassDef)
    options: Any = {}
    for line in statement.body:
        if isinstance(line, ast.AnnAssign) and ast.unparse(line.target) == "options" and line.value is not None:
            options = ast.literal_eval(line.value)
    return About(ast.get_docstring(statement) or "", options)


def _is_source(statement: ast.stmt) -> bool:
    """Whether this is a class statement whose base is named as a kind of source."""
    return isinstance(statement, ast.ClassDef) and any(
        isinstance(base, ast.Name) and base.id.endswith("Source") for base in statement.bases
    )
