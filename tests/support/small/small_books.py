"""Made-up documents with entities and a small published data set of them."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
from small_data import publish

from schemas.checks.table import to_table
from schemas.document import DOCUMENT, NO_ENTITY, Document
from schemas.example import SPLITS
from schemas.runs.manifest import MANIFEST_NAME, Manifest

PEOPLE = ["ann", "bob", "cleo"]


def make_document(number: int, part: int = 0, sentences: int = 4) -> Document:
    """A part of a book in which two people do things; of no sentences, one without entities."""
    chance = random.Random(f"{number} {part}")
    people = chance.sample(PEOPLE, 2)
    tokens, mentioned = ["it", "rains", "."], [NO_ENTITY] * 3
    for place in range(sentences):
        who = people[place % 2]
        tokens += [who if place < 2 else "they", chance.choice(["sings", "reads"]), "."]
        mentioned += [place % 2, NO_ENTITY, NO_ENTITY]
    return Document(
        id=f"{100 * number + part:016x}",
        content_hash=f"{number:016x}",
        name=f"book {number}",
        part_number=part,
        first=0,
        tokens=tokens,
        originals=[word.capitalize() for word in tokens],
        entities=mentioned,
        chains=["1", "2"] if sentences else [],
        file="made up",
        offset=0,
    )


def publish_books(folder: Path, splits: Mapping[str, Sequence[Document]]) -> Path:
    """Write a data set of documents as `allsaid ingest coref` does."""
    manifest = Manifest.from_json((publish(folder, {}) / MANIFEST_NAME).read_text(), "data")
    named = []
    for split in SPLITS:
        path = folder / "runs" / "1" / "documents" / f"split={split}" / "0.parquet"
        path.parent.mkdir(parents=True)
        rows = list(splits.get(split, []))
        pq.write_table(to_table(rows, DOCUMENT), path)
        named.append({"path": f"documents/split={split}/0.parquet", "rows": len(rows)})
    counts = {split: len(splits.get(split, [])) for split in SPLITS}
    books = replace(manifest, files={"documents": named}, splits=counts, unit="documents")
    (folder / MANIFEST_NAME).write_text(books.to_json())
    return folder
