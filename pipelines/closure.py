"""Which of our own modules a module loads, read off the syntax trees: its imports, theirs, and so on."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

ROOMS = ("allsaid", "pipelines", "schemas")


def closure(
    names: Iterable[str], root: Path, without: Collection[str] = (), rooms: Collection[str] = ROOMS
) -> dict[str, Path]:
    """Module -> file of all that the modules import, anywhere in them, from some of our rooms below ``root``.

    What a module of ``without`` imports is not looked at, nor is the module part of the answer.
    """
    found: dict[str, Path] = {}
    looked_at = {*without}
    waiting = [*names]
    while waiting:
        name = waiting.pop()
        if name in looked_at:
            continue
        looked_at.add(name)
        path = _file_of(name, root, rooms)
        if path is not None:
            found[name] = path
            waiting += _imported(path)
            waiting.append(name.rpartition(".")[0])  # a package's own code runs first
    return found


def _file_of(name: str, root: Path, rooms: Collection[str]) -> Path | None:
    """The file of one of our modules or packages; None for anything else."""
    if name.partition(".")[0] not in rooms:
        return None
    path = root.joinpath(*name.split("."))
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None)


def _imported(path: Path) -> Iterator[str]:
    """Dotted names that a file imports; of ``from a import b`` both a and a.b, which may be a module."""
    for node in _statements(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _statements(tree: ast.AST) -> Iterator[ast.AST]:
    """All statements within one, and what parts them; expressions, most of a tree, hold none."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        for blocks in ("body", "orelse", "finalbody", "handlers", "cases"):
            found = getattr(node, blocks, ())
            waiting += found if isinstance(found, list) else ()
