"""docs/schemas.md: every column has a type and a meaning, read off the code."""

from __future__ import annotations

import importlib
import re
import textwrap
from pathlib import Path

import pyarrow as pa
import pytest
from pages import columns

from schemas.borders import BORDERS

TABLES = {table.version: table for table in columns.tables()}


@pytest.mark.parametrize("version", sorted(TABLES))
def test_every_column_has_a_meaning(version: str) -> None:
    table = TABLES[version]
    found = columns.columns(table)
    assert [column.name for column in found if "." not in column.name] == table.schema.names
    silent = [column.name for column in found if not column.meaning]
    assert silent == [], f"{table.module.__name__}: say in a comment behind the field what these mean"


def test_every_border_is_on_the_schema_page() -> None:
    documented = [table.schema for table in TABLES.values()]
    assert all(any(border.schema is schema for schema in documented) for border in BORDERS)
    assert {"generated/6", "deferred/1", "example/1"} <= set(TABLES)
    sections = re.findall(r"^Schema `(.+)`\.$", columns.sections(), flags=re.MULTILINE)
    assert sorted(sections) == sorted(TABLES)


def test_meanings_are_read_off_the_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = '''
        """Boxes of a table (``boxes/*.parquet``)."""
        from dataclasses import dataclass
        from schemas.checks.table import Int8, versioned
        LIMIT = 7
        @dataclass(frozen=True)
        class Field:
            name: str  # what it is called
            first: Int8  # a | b
        @dataclass(frozen=True)
        class Box:
            id: str  # its own, "# 1" or less than LIMIT
            fields: (  # not this comment
                list[list[Field]]
            )  # its fields
            silent: float | None
        BOX = versioned("box", 2, Box)
    '''
    (tmp_path / "small_box.py").write_text(textwrap.dedent(source))
    monkeypatch.syspath_prepend(str(tmp_path))
    module = importlib.import_module("small_box")
    table = columns.Table(module.BOX, module, module.Box)
    assert [(column.name, column.type, column.meaning) for column in columns.columns(table)] == [
        ("id", "`string`", 'its own, "# 1" or less than LIMIT'),
        ("fields", "`list<list<struct>>`", "its fields"),
        ("fields[][].name", "`string`", "what it is called"),
        ("fields[][].first", "`int8`", "a | b"),
        ("silent", "`double` or null", ""),
    ]
    section = columns._section(table)
    assert "| `fields[][].first` | `int8` | a \\| b |" in section
    assert section.endswith("\n`LIMIT` is `7`.\n")
    assert "\nBoxes of a table (`boxes/*.parquet`).\n\nSchema `box/2`.\n" in section


def test_a_schema_without_its_dataclass_is_named() -> None:
    with pytest.raises(LookupError, match=r"schemas\.recipe has no dataclass with the fields id, other"):
        columns._row_type(importlib.import_module("schemas.recipe"), ["id", "other"])


def test_type_names() -> None:
    assert columns.type_name(pa.list_(pa.int16())) == "list<int16>"
    assert columns.type_name(pa.binary()) == "binary"
