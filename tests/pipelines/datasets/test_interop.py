"""Parquet files of every schema in pandas, DuckDB, Polars and Hugging Face datasets: the types, and every value."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import datasets
import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from fuzz_corpus import Corpus
from fuzz_seeds import corpora
from pages.columns import tables

from pipelines.datasets import snapshot
from pipelines.ingest.request import Request
from pipelines.ingest.run import run
from schemas.borders import BORDERS
from schemas.checks.table import VERSION_KEY

SCHEMAS = {table.version: table.schema for table in tables()}
LAYOUTS = (
    ("mealmaster", "columns"),
    ("allrecipes", "lines"),
    ("dstc2", "archive"),
    ("records", "commas"),
    ("coref", "columns of CoNLL 2012"),
    ("wikisql", "array"),
)
BROKEN = {"a.csv": b"one,two\r\n", "a.jsonl": b"{\n"}  # a last line that is rejected
DUCKDB = {"bool": "BOOLEAN", "int8": "TINYINT", "int16": "SMALLINT", "int32": "INTEGER", "int64": "BIGINT"}
DUCKDB |= {"double": "DOUBLE", "string": "VARCHAR", "binary": "BLOB"}
POLARS = {"bool": pl.Boolean, "int8": pl.Int8, "int16": pl.Int16, "int32": pl.Int32, "int64": pl.Int64}
POLARS |= {"double": pl.Float64, "string": pl.String, "binary": pl.Binary}
Rows = list[dict[str, Any]]


def value(kind: pa.DataType, row: int) -> Any:
    """A value of an Arrow type: the first row has empty and smallest ones, the second large and odd ones."""
    if pa.types.is_list(kind):
        return [value(kind.value_type, number) for number in range(2 * row)]
    if pa.types.is_struct(kind):
        return {field.name: value(field.type, row) for field in kind}
    if pa.types.is_integer(kind):
        return (-(2 ** (kind.bit_width - 1)), 2 ** (kind.bit_width - 1) - 1)[row]
    if pa.types.is_string(kind):
        return ("", "é 漢字 🍕\n'\"\\")[row]
    return {"bool": (False, True), "double": (-0.1, 1e300), "binary": (b"", b"\x00\xff\x85")}[str(kind)][row]


def rows_of(schema: pa.Schema) -> Rows:
    """Three rows; in the last one everything is null that may be."""
    rows = [{field.name: value(field.type, row) for field in schema} for row in (0, 1)]
    return [*rows, {name: None if schema.field(name).nullable else one for name, one in rows[0].items()}]


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Data sets that real runs published, some records rejected."""
    wanted = [corpus for corpus in corpora() if (corpus.source, corpus.layout) in LAYOUTS]
    return [_ingested(corpus, tmp_path_factory.mktemp(corpus.source)) for corpus in wanted]


def _ingested(corpus: Corpus, folder: Path) -> Path:
    for name, content in corpus.files.items():
        (folder / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "in" / name).write_bytes(content + BROKEN.get(name, b""))
    settings = corpus.settings(folder / "in")
    if corpus.source == "mealmaster":
        settings = replace(settings, phrase_min_count=2, phrase_threshold=0)  # an empty table is no data for datasets
    inputs = [str(folder / "in" / name) for name in corpus.files if name != "mapping.yaml"]
    run(Request(corpus.source, inputs, str(folder / "out"), settings))
    return folder / "out"


@pytest.fixture(scope="module")
def written(outputs: list[Path], tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Path]]:
    """Files by schema: one with values of all kinds, and those of the real runs."""
    found: dict[str, list[Path]] = {}
    for version, schema in SCHEMAS.items():
        path = tmp_path_factory.mktemp("values") / "values.parquet"
        pq.write_table(pa.Table.from_pylist(rows_of(schema), schema=schema), path, compression="zstd")
        found[version] = [path]
    for path in (path for output in outputs for path in sorted(output.rglob("*.parquet"))):
        found[pq.read_schema(path).metadata[VERSION_KEY].decode()].append(path)
    real = {border.schema.metadata[VERSION_KEY].decode() for border in BORDERS} | {"history/1"}
    assert {version for version, paths in found.items() if len(paths) > 1} >= real
    return found


def pandas_rows(path: Path, schema: pa.Schema) -> Rows:
    frame = pd.read_parquet(path)
    types = {"string": "str", "double": "float64"}
    for field in schema:
        kind = "object" if pa.types.is_nested(field.type) else types.get(str(field.type), str(field.type))
        if pa.types.is_integer(field.type) and frame[field.name].hasnans:  # its integers know no null
            kind = "float64"
        if pa.types.is_boolean(field.type) and frame[field.name].hasnans:  # nor do its booleans
            kind = "object"
        assert str(frame[field.name].dtype) == kind.replace("binary", "object"), field
    assert list(frame.columns) == schema.names
    return [{name: _plain(one) for name, one in row.items()} for row in frame.to_dict("records")]


def _plain(one: Any) -> Any:
    """Python's own values for NumPy's."""
    if isinstance(one, np.ndarray):
        return [_plain(item) for item in one]
    if isinstance(one, dict):
        return {name: _plain(item) for name, item in one.items()}
    one = one.item() if isinstance(one, np.generic) else one
    return None if one is None or one != one else one


@dataclass(frozen=True)
class Kinds:
    """The types of another library."""

    list_of: Callable[[Any], Any]
    struct_of: Callable[[dict[str, Any]], Any]
    plain: Callable[[str], Any]

    def of(self, arrow: pa.DataType) -> Any:
        if pa.types.is_list(arrow):
            return self.list_of(self.of(arrow.value_type))
        if pa.types.is_struct(arrow):
            return self.struct_of({field.name: self.of(field.type) for field in arrow})
        return self.plain(str(arrow))


def duckdb_rows(path: Path, schema: pa.Schema) -> Rows:
    kinds = Kinds(duckdb.list_type, duckdb.struct_type, lambda name: duckdb.type(DUCKDB[name]))
    relation = duckdb.read_parquet(str(path), hive_partitioning=False)
    assert dict(zip(relation.columns, relation.types, strict=True)) == {one.name: kinds.of(one.type) for one in schema}
    return [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]


def polars_rows(path: Path, schema: pa.Schema) -> Rows:
    kinds, frame = Kinds(pl.List, pl.Struct, POLARS.__getitem__), pl.read_parquet(path, hive_partitioning=False)
    assert dict(frame.schema) == {one.name: kinds.of(one.type) for one in schema}
    return frame.to_dicts()


def datasets_rows(path: Path, schema: pa.Schema) -> Rows:
    with tempfile.TemporaryDirectory() as cache:
        data = datasets.Dataset.from_parquet(str(path), cache_dir=cache, keep_in_memory=True)
        assert data.features.arrow_schema.remove_metadata() == _nullable(schema)
        return data.to_list()


def _nullable(schema: pa.Schema) -> pa.Schema:
    """The schema without metadata, all of whose columns and parts may be null."""

    def kind(arrow: pa.DataType) -> pa.DataType:
        if pa.types.is_list(arrow):
            return pa.list_(kind(arrow.value_type))
        if pa.types.is_struct(arrow):
            return pa.struct([pa.field(field.name, kind(field.type)) for field in arrow])
        return arrow

    return pa.schema([pa.field(field.name, kind(field.type)) for field in schema])


READERS = {"pandas": pandas_rows, "DuckDB": duckdb_rows, "Polars": polars_rows, "datasets": datasets_rows}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("version", SCHEMAS)
def test_every_type_and_value(version: str, reader: str, written: dict[str, list[Path]]) -> None:
    for path in written[version]:
        expected = pq.ParquetFile(path).read().to_pylist()
        assert READERS[reader](path, SCHEMAS[version]) == expected, path
    assert pq.ParquetFile(written[version][0]).metadata.num_rows == 3


COUNTS: dict[str, Callable[[Path], Any]] = {
    "pandas": lambda folder: pd.read_parquet(folder)["split"].astype(str),
    "DuckDB": lambda folder: [
        row[0] for row in duckdb.sql(f"SELECT split FROM '{folder}/split=*/*.parquet'").fetchall()
    ],
    "Polars": lambda folder: pl.read_parquet(f"{folder}/split=*/*.parquet", hive_partitioning=True)["split"],
}


@pytest.mark.parametrize("reader", COUNTS)
def test_splits_are_a_column(reader: str, outputs: list[Path]) -> None:
    borders = set()
    for output in outputs:
        manifest, folder = snapshot.published(str(output)), Path(snapshot.folder(str(output)))
        for border in (border.name for border in BORDERS if border.by_split and border.name in manifest.files):
            rows: Counter[str] = Counter()
            for entry in manifest.files[border]:
                rows[Path(entry["path"]).parent.name.removeprefix("split=")] += entry["rows"]
            assert Counter(COUNTS[reader](folder / border)) == rows != {}
            borders.add(border)
    assert borders == {"examples", "acts", "boxes", "dialogues", "copies", "documents", "pairs"}
