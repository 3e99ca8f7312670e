"""Cases that are data: the tables of a test module in the YAML file beside it, each under its test's name."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml


def cases(test: Callable[..., None]) -> Callable[..., None]:
    """Parametrise a test by its table: a row has the first arguments, in order; any others are fixtures.

    A table may be a mapping, which gives each row a name.
    """
    table = _tables(Path(inspect.getfile(test)).with_suffix(".yaml"))[test.__name__]
    ids = list(table) if isinstance(table, dict) else None
    rows = [row if isinstance(row, list) else [row] for row in (table.values() if isinstance(table, dict) else table)]
    return pytest.mark.parametrize(list(inspect.signature(test).parameters)[: len(rows[0])], rows, ids=ids)(test)


@cache
def _tables(path: Path) -> dict[str, list[Any] | dict[str, Any]]:
    return yaml.safe_load(path.read_text(encoding="utf-8"))
