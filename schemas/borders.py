"""Every border of a data set: the folder's name, its schema and its rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from schemas import example, phrase, recipe, rejected
from schemas.rules import Rule


@dataclass(frozen=True)
class Border:
    """Rows of one kind; they stand in ``NAME/*.parquet``, or ``NAME/split=SPLIT/*.parquet``."""

    name: str  # as in Manifest.files
    schema: pa.Schema
    rules: Sequence[Rule]
    names_row: str = "id"  # the column that names a row in the table of failures
    by_split: bool = False


BORDERS = (
    Border("records", recipe.RECIPE, recipe.RULES),
    Border("examples", example.EXAMPLE, example.RULES, by_split=True),
    Border("rejected", rejected.REJECTED, rejected.RULES),
    Border("phrases", phrase.PHRASE, phrase.RULES, names_row="first"),
)
