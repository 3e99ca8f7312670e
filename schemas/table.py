"""Rows <-> Arrow: typed tables with a versioned footer, and the check that a reader makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import pyarrow as pa

from allsaid.console import UserError

VERSION_KEY = b"allsaid.schema"


class SchemaMismatch(UserError):
    """A Parquet file doesn't carry the columns, types or version that this border asks for."""


def versioned(name: str, version: int, columns: Sequence[pa.Field]) -> pa.Schema:
    """An Arrow schema whose footer says ``name/version``."""
    return pa.schema(columns, metadata={VERSION_KEY: f"{name}/{version}".encode()})


def to_table(rows: Sequence[Any], schema: pa.Schema) -> pa.Table:
    """Turn dataclass rows into a table; the field names are the column names.

    A field that holds a list of dataclasses becomes a list of structs.
    """
    columns = []
    for column in schema:
        values = [getattr(row, column.name) for row in rows]
        if pa.types.is_list(column.type) and pa.types.is_struct(column.type.value_type):
            values = [[vars(item) for item in value] for value in values]
        columns.append(pa.array(values, type=column.type))
    return pa.Table.from_arrays(columns, schema=schema)


def from_table(table: pa.Table | pa.RecordBatch, row_type: type) -> list[Any]:
    """Turn a table back into dataclass rows (structs stay dictionaries).

    Columns that the dataclass lacks are left aside; a missing one is an error.
    """
    names = [field.name for field in fields(row_type)]
    columns = [table.column(name).to_pylist() for name in names]
    return [row_type(*values) for values in zip(*columns, strict=True)]


def check_schema(found: pa.Schema, expected: pa.Schema, where: str) -> None:
    """Raise :class:`SchemaMismatch` with one sentence per fault unless ``found`` fits ``expected``."""
    wanted = (expected.metadata or {}).get(VERSION_KEY, b"").decode()
    given = (found.metadata or {}).get(VERSION_KEY, b"").decode()
    if given != wanted:
        raise SchemaMismatch(
            f"{where} says it is '{given or 'of no Allsaid schema'}', but this version of Allsaid reads "
            f"'{wanted}'. Make it again with the installed version."
        )
    for column in expected:
        position = found.get_field_index(column.name)
        if position < 0:
            raise SchemaMismatch(f"{where} has no column '{column.name}'. Make the file again.")
        if not found.field(position).type.equals(column.type):
            raise SchemaMismatch(
                f"{where}: column '{column.name}' is {found.field(position).type}, expected {column.type}. "
                "Make the file again."
            )
