"""Mark the results that are older than the code they measure: `python -m benchmarks.older [RESULT …]`, for `make docs`.

`benchmarks/measures.yaml` says which code a result measures. A result is older if a function, a constant or a data file
of that code has changed since or is gone, or if a path of it did not exist. Docstrings, comments, types, messages of
errors, imports, new functions and the project's own names don't count: a renaming changes no figure. The mark `older`
is in the result, beside its commit, until it is measured anew; the pages show it.

With the names of results, it prints what has changed for each. If none of that can change the figures, write the last
commit that you read as `same` beside the result's commit, and remove the mark: later changes alone count then.
"""

from __future__ import annotations

import ast
import builtins
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

import yaml

from benchmarks import result_file
from benchmarks.result_file import git

IGNORED = {"annotation", "ctx", "kind", "returns", "type_comment", "type_params"}  # fields of nodes


def measured_code() -> dict[str, list[str]]:
    """Return the paths of the code that each result measures, by the result's name."""
    listed = yaml.safe_load((result_file.ROOT / "benchmarks" / "measures.yaml").read_text(encoding="utf-8"))
    return {name: group["code"] for group in listed for name in group["results"]}


def mark(result: str, code: Sequence[str]) -> bool:
    """Mark a result if it is older than the code; return whether it is."""
    path = result_file.ROOT / "benchmarks" / "results" / f"{result}.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    measured = content["measured"]
    if code and "older" not in measured and changes(_commit(path.name, measured), tuple(code)):
        measured["older"] = True
        path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return "older" in measured


def _commit(file: str, measured: Mapping[str, str]) -> str:
    """Return the commit that has the measured code, also if it was rebased or had changes that came with the result."""
    name = measured.get("same", measured["commit"])
    if known := [one for one in _commits() if one.startswith(name)]:
        return known[0]
    added = git("log", "-S", name, "--format=%H", "--", f"benchmarks/results/{file}").splitlines()
    return added[-1] if added else name.removesuffix("+")


@cache
def _commits() -> list[str]:
    return git("rev-list", "HEAD").splitlines()


@cache
def changes(commit: str, code: Sequence[str]) -> list[str]:
    """Return the definitions and data files that the code has no longer as at a commit, and paths that are newer."""
    paths = [path for path in code if not path.startswith(":!")]
    if newer := {*paths} - {*git("ls-tree", "--name-only", commit, *paths).splitlines()}:
        return sorted(newer)
    before: list[tuple[str, ast.Module]] = []
    now: list[tuple[str, ast.Module]] = []
    for line in git("diff", "--no-renames", "--name-status", commit, "--", *code).splitlines():
        status, path = line.split("\t")
        if status != "A":
            before.append(_read(path, git("show", f"{commit}:{path}")))
        if status != "D":
            now.append(_read(path, (result_file.ROOT / path).read_text(encoding="utf-8")))
    own = {name for _, file in (*before, *now) for name in _names(file)} - {*dir(builtins)}
    names = {_plain(one, own, {}): f"{path}:{one.lineno}" for path, file in before for one in _definitions(file)}
    new = {_plain(one, own, {}) for _, file in now for one in _definitions(file)}
    return sorted(place for plain, place in names.items() if plain not in new)


def _read(path: str, text: str) -> tuple[str, ast.Module]:
    return path, ast.parse(text if path.endswith(".py") else f"_ = {text!r}")


def _names(file: ast.Module) -> Iterator[str]:
    """Yield the names that a file defines, or imports from this project."""
    for node in ast.walk(file):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
                yield name
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name
            case ast.ImportFrom(module=str(module), names=imported):
                if (result_file.ROOT / module.split(".")[0]).is_dir():
                    yield from (one.asname or one.name for one in imported)


def _definitions(node: ast.Module | ast.ClassDef) -> Iterator[ast.stmt]:
    for one in node.body:
        if isinstance(one, ast.ClassDef):
            yield from _definitions(one)
        elif not _is_silent(one):
            yield one


def _is_silent(node: object) -> bool:
    """Return whether a statement is a docstring or an import."""
    is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return is_text or isinstance(node, ast.Import | ast.ImportFrom)


def _plain(node: object, own: set[str], places: dict[str, str]) -> str:
    """Return a node as text, without what is ignored and with each own name as its place in the definition."""
    match node:
        case ast.Raise():
            return "raise"
        case ast.Constant(value=value):
            return repr(value)
        case ast.AST():
            fields = [value for field, value in ast.iter_fields(node) if field not in IGNORED]
            return f"{type(node).__name__}({_plain(fields, own, places)})"
        case list():
            return ",".join(_plain(one, own, places) for one in node if not _is_silent(one))
        case str() if node in own:
            return places.setdefault(node, f"${len(places)}")
    return repr(node)


def main(results: Sequence[str] = ()) -> None:
    """Mark the older results, and print their names; or print what has changed for some."""
    code = measured_code()
    for name in results:
        path = result_file.ROOT / "benchmarks" / "results" / f"{name}.json"
        commit = _commit(path.name, json.loads(path.read_text(encoding="utf-8"))["measured"])
        print(f"{name}, since {commit}:", *changes(commit, tuple(code[name])), sep="\n  ")
    if results:
        return
    older = [name for name in code if mark(name, code[name])]
    print(f"{len(older)} of {len(code)} results are older than the code they measure: {', '.join(older)}.")


if __name__ == "__main__":
    main(sys.argv[1:])
