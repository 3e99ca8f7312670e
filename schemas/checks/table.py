"""Conversion between dataclass rows and Arrow tables, and the check of a file's schema and its version."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints  # Any: a type hint, or a field's value

import pyarrow as pa

from schemas.errors import UserError

T = TypeVar("T")

VERSION_KEY = b"allsaid.schema"
REMEDY = "If another version of Allsaid wrote it, make it again with this one."

# Whole numbers in fewer bytes than Arrow's 64 bits for ``int``.
Int8 = Annotated[int, pa.int8()]
Int16 = Annotated[int, pa.int16()]
Int32 = Annotated[int, pa.int32()]

_PLAIN = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_(), bytes: pa.binary()}


class SchemaMismatch(UserError):
    """A Parquet file doesn't have the columns, types or version of its border."""


def versioned(name: str, version: int, row_type: type) -> pa.Schema:
    """Return the Arrow schema of a dataclass's rows, with ``name/version`` in the footer."""
    return pa.schema(_columns(row_type), metadata={VERSION_KEY: f"{name}/{version}".encode()})


def _columns(row_type: type) -> list[pa.Field]:
    """Return one column for each field, nullable only if the field's type is."""
    hints = get_type_hints(row_type, include_extras=True).items()
    return [pa.field(name, _arrow(hint), nullable=NoneType in get_args(hint)) for name, hint in hints]


def _arrow(hint: Any) -> pa.DataType:
    """Return the Arrow type of a field: a plain one, ``Int8`` etc., a list, a dataclass, or ``X | None`` of these."""
    if NoneType in get_args(hint):
        hint = next(part for part in get_args(hint) if part is not NoneType)
    if is_dataclass(hint):
        return pa.struct(_columns(hint))  # type: ignore[arg-type]
    if get_origin(hint) is Annotated:
        return get_args(hint)[1]
    return pa.list_(_arrow(get_args(hint)[0])) if get_origin(hint) is list else _PLAIN[hint]


@cache
def nested(row_type: type) -> dict[str, type]:
    """Map each field that holds a list of dataclasses to the class of its elements."""
    parts = {name: part for name, hint in get_type_hints(row_type).items() for part in get_args(hint)}
    return {name: part for name, part in parts.items() if isinstance(part, type) and is_dataclass(part)}


def row_of(row_type: type[T], values: Mapping[str, Any]) -> T:
    """Return a row with these values; dictionaries become their dataclasses."""
    inner = {name: [row_of(part, item) for item in values[name]] for name, part in nested(row_type).items()}  # type: ignore[arg-type, var-annotated]
    return row_type(**{**values, **inner})


def to_table(rows: Sequence[object], schema: pa.Schema) -> pa.Table:
    """Convert dataclass rows to a table; the field names are the column names.

    A field that holds a list of dataclasses becomes a list of structs.
    """
    columns = []
    for column in schema:
        values = [getattr(row, column.name) for row in rows]
        if pa.types.is_list(column.type) and pa.types.is_struct(column.type.value_type):
            values = [[vars(item) for item in value] for value in values]
        columns.append(pa.array(values, type=column.type))
    return pa.Table.from_arrays(columns, schema=schema)


def from_table(table: pa.Table | pa.RecordBatch, row_type: type[T]) -> list[T]:
    """Convert a table to dataclass rows, and lists of structs to lists of their dataclasses.

    Additional columns are ignored; a missing one is an error.
    """
    inner = nested(row_type)  # type: ignore[arg-type]
    columns = {field.name: table.column(field.name).to_pylist() for field in fields(row_type)}  # type: ignore[arg-type]
    for name, part in inner.items():
        columns[name] = [[row_of(part, item) for item in items] for items in columns[name]]
    return [row_type(*values) for values in zip(*columns.values(), strict=True)]


def check_schema(found: pa.Schema, expected: pa.Schema, where: str, remedy: str = f" {REMEDY}") -> None:
    """Raise :class:`SchemaMismatch` unless ``found`` fits ``expected``; ``where`` names the file."""
    wanted = (expected.metadata or {}).get(VERSION_KEY, b"").decode()
    given = (found.metadata or {}).get(VERSION_KEY, b"").decode()
    if given != wanted:
        raise SchemaMismatch(
            f"{where} says it is '{given or 'of no Allsaid schema'}', but this version of Allsaid reads "
            f"'{wanted}'.{remedy}"
        )
    for column in expected:
        position = found.get_field_index(column.name)
        if position < 0:
            raise SchemaMismatch(f"{where} has no column '{column.name}'.{remedy}")
        if not found.field(position).type.equals(column.type):
            raise SchemaMismatch(
                f"{where}: column '{column.name}' is {found.field(position).type}, expected {column.type}.{remedy}"
            )
