"""The columns of docs/schemas.md with their Arrow types and meanings.

The meaning of a column is the comment on the dataclass field of the same name, so that it is written down once.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import io
import pkgutil
import re
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from types import ModuleType

import pyarrow as pa

import schemas
from allsaid import markdown
from schemas.borders import BORDERS
from schemas.checks.table import VERSION_KEY

WITHOUT_COLUMNS = ("schemas.checks.", "schemas.borders")  # Great Expectations takes seconds to import


@dataclass(frozen=True)
class Table:
    """A schema, its module, and the dataclass that names its columns."""

    schema: pa.Schema
    module: ModuleType
    row: type

    @property
    def version(self) -> str:
        """Name and version as in the footer of a file: "example/1"."""
        return str(self.schema.metadata[VERSION_KEY].decode())


def tables() -> list[Table]:
    """Return every schema of the package: those of the borders in their order, then the others by name."""
    found = [
        Table(schema, module, _row_type(module, schema.names))
        for module in _modules()
        for schema in vars(module).values()
        if isinstance(schema, pa.Schema)
    ]
    order = [id(border.schema) for border in BORDERS]
    found.sort(key=lambda table: (id(table.schema) not in order, table.version))
    bordered = [table for schema in order for table in found if id(table.schema) == schema]
    return bordered + found[len(bordered) :]


def _modules() -> Iterator[ModuleType]:
    for entry in pkgutil.walk_packages(schemas.__path__, "schemas."):
        if not entry.ispkg and not entry.name.startswith(WITHOUT_COLUMNS):
            yield importlib.import_module(entry.name)


def _row_type(module: ModuleType, names: Sequence[str]) -> type:
    """Return the dataclass of a module whose fields have these names."""
    for value in vars(module).values():
        if is_dataclass(value) and isinstance(value, type) and [column.name for column in fields(value)] == list(names):
            return value
    raise LookupError(f"{module.__name__} has no dataclass with the fields {', '.join(names)}, in this order.")


def meanings(row: type) -> dict[str, str]:
    """Return the comment on each field of a dataclass; "" for a field without one."""
    source = inspect.getsource(importlib.import_module(row.__module__))
    comments = {
        token.start[0]: token.string.lstrip("#").strip()
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT
    }
    classes = [node for node in ast.parse(source).body if isinstance(node, ast.ClassDef)]
    body = next(node.body for node in classes if node.name == row.__name__)
    return {
        node.target.id: comments.get(node.end_lineno or 0, "")
        for node in body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }


@dataclass(frozen=True)
class Column:
    name: str
    type: str
    meaning: str


def columns(table: Table) -> list[Column]:
    """Return the columns of a table; the parts of a struct follow its column."""
    return list(_columns(table.module, table.row, table.schema, ""))


def _columns(module: ModuleType, row: type, found: Sequence[pa.Field], prefix: str) -> Iterator[Column]:
    comments = meanings(row)
    for column in found:
        name = prefix + column.name
        null = " or null" if column.nullable else ""
        yield Column(name, f"`{type_name(column.type)}`{null}", comments[column.name])
        inner, path = column.type, name
        while pa.types.is_list(inner):
            inner, path = inner.value_type, path + "[]"
        if pa.types.is_struct(inner):
            parts = [inner.field(position) for position in range(inner.num_fields)]
            yield from _columns(module, _row_type(module, [part.name for part in parts]), parts, path + ".")


def type_name(kind: pa.DataType) -> str:
    """Return Arrow's name of a type; lists have their values' type in angle brackets."""
    if pa.types.is_list(kind):
        return f"list<{type_name(kind.value_type)}>"
    return "struct" if pa.types.is_struct(kind) else str(kind)


def sections() -> str:
    """Return a section for each table."""
    return "".join(_section(table) for table in tables()).strip()


def _section(table: Table) -> str:
    title, _, about = inspect.cleandoc(table.module.__doc__ or "").replace("``", "`").partition("\n\n")
    found = columns(table)
    rows = [[f"`{column.name}`", column.type, column.meaning.replace("<", "&lt;")] for column in found]
    values = ", ".join(f"`{name}` is `{value!r}`" for name, value in _constants(table.module, found).items())
    parts = [f"## {table.row.__name__}", title, about, f"Schema `{table.version}`."]
    parts += [markdown.table(["column", "type", "meaning"], rows), *([values + "."] if values else [])]
    return "".join(f"\n{part}\n" for part in parts if part)


def _constants(module: ModuleType, found: Sequence[Column]) -> dict[str, object]:
    """Return the module's constants that the meanings name."""
    named = [name for column in found for name in re.findall(r"\b[A-Z][A-Z_]+\b", column.meaning)]
    return {name: vars(module)[name] for name in named if name in vars(module)}
