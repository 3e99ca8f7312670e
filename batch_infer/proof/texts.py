"""Reading of the texts in an output folder of `allsaid generate`."""

from __future__ import annotations

from allsaid.storage import files
from allsaid.storage.parquet import open_parquet
from batch_infer.proof.summary import text_files
from schemas.checks.table import check_schema, from_table
from schemas.texts.generated import GENERATED, Generated


def read_rows(folder: str) -> list[Generated]:
    """Return the rows that have a text, each with its first and best one; raise SchemaMismatch."""
    rows = []
    for path in text_files(folder):
        with files.open_read(path) as stream, open_parquet(stream) as parquet:
            check_schema(parquet.schema_arrow, GENERATED, path)
            found = from_table(parquet.read(columns=GENERATED.names, use_threads=False), Generated)
        rows += [row for row in found if row.error is None and row.text_number == 0]
    return rows
