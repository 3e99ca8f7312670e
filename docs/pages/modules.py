"""The table of modules in docs/architecture.md: what the first line of each says of it."""

from __future__ import annotations

import ast
from pathlib import Path

from allsaid.markdown import table
from pages.results import ROOT

PACKAGES = ("allsaid", "schemas", "pipelines", "training", "batch_infer", "evaluation")


def modules() -> str:
    """A section a top-level package, a table a room; a room's own first line stands above its modules."""
    return "\n\n".join(_package(ROOT / name) for name in PACKAGES)


def _package(folder: Path) -> str:
    rooms = sorted(path.parent for path in folder.rglob("__init__.py"))
    return "\n\n".join([f"### `{folder.name}/`", *(part for room in rooms for part in _room(room))])


def _room(folder: Path) -> list[str]:
    """The sentence of a package, and the table of its modules where it has some of its own."""
    paths = [path for path in sorted(folder.glob("*.py")) if path.name != "__init__.py"]
    rows = [[f"`{path.relative_to(ROOT)}`", _first_line(path)] for path in paths]
    said = _first_line(folder / "__init__.py")
    return [said, table([f"`{folder.relative_to(ROOT)}/`", "holds"], rows)] if rows else [said]


def _first_line(path: Path) -> str:
    said = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return said.partition("\n")[0].replace("``", "`")
