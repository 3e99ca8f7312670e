"""Find the modules that a module loads, by syntax trees: its imports, the imports of these, and so on."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path

from allsaid import PACKAGES

# Import statements; also matches lines of string literals that look like them (see `_import_tree`). To parse only these
# takes a tenth of the time of a whole module.
_IMPORTS = re.compile(
    rb"(?:^|[:;])[ \t]*((?:from[ \t]+[.\w]+[ \t]+import[ \t]*\([^)]*\))|(?:from|import)\b[^\n]*(?:\\\n[^\n]*)*)",
    re.MULTILINE,
)


def closure(
    names: Iterable[str], root: Path, without: Collection[str] = (), others: Mapping[str, Path] | None = None
) -> dict[str, Path]:
    """Return module -> file for the modules and all that they import from our packages below ``root``.

    Modules of ``without`` are left out, and so are their imports. ``others``: further packages, each with the folder
    that it is in.
    """
    roots = {**dict.fromkeys(PACKAGES, root), **(others or {})}
    found: dict[str, Path] = {}
    visited = {*without}
    waiting = [*names]
    while waiting:
        name = waiting.pop()
        if name in visited:
            continue
        visited.add(name)
        path = _file_of(name, roots)
        if path is not None:
            found[name] = path
            waiting += _imported_names(path, name)
            waiting.append(name.rpartition(".")[0])  # the package, whose own code runs first
    return found


def package_root(module: str) -> dict[str, Path]:
    """Return the package of an installed module and the folder that contains it, as `closure` takes in ``others``.

    Our own packages have none, since `closure` knows their folder.
    """
    package = module.partition(".")[0]
    spec = None if package in PACKAGES else find_spec(package)
    if spec is None:
        return {}
    locations = [*(spec.submodule_search_locations or ())] or [spec.origin or ""]
    return {package: Path(locations[0]).parent}


def _file_of(name: str, roots: Mapping[str, Path]) -> Path | None:
    """Return the file of a module or package below one of the roots; None for anything else."""
    root = roots.get(name.partition(".")[0])
    if root is None:
        return None
    path = root.joinpath(*name.split("."))
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None)


def _imported_names(path: Path, name: str) -> Iterator[str]:
    """Yield the dotted names that a file imports; for ``from a import b`` both a and a.b, which may be a module."""
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    for node in ast.walk(_import_tree(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)


def _import_tree(code: bytes) -> ast.Module:
    """Return the tree of a module's import statements; of the whole module if a string in it looks like one."""
    try:
        return _parsed(b"\n".join(_IMPORTS.findall(code)))
    except SyntaxError:
        return _parsed(code)


def _parsed(code: bytes) -> ast.Module:
    try:
        return ast.parse(code)
    except SystemError:  # CPython 3.11 adds up the depths of all threads' trees (gh-106905): a second try mostly works
        return ast.parse(code)
