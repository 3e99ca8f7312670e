"""Which of a user's tables share ids: an id that an earlier table has, by the order of the paths, is taken.

A look at the ids alone, before any shard is read, so that a shard belongs to the earlier tables that it shares ids
with, and to no others: a new table changes nothing for those that share none with it.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from hashlib import blake2b

import numpy as np

from pipelines.source import KEY_BYTES, RecordFault
from pipelines.sources.records.cells import Cleaner
from pipelines.sources.records.mapping import TableMapping
from pipelines.sources.records.tables.layout import BEGIN, Layout, Row, Start, cell_text
from pipelines.sources.records.tables.rows import read_table


def key_of(content: str) -> bytes:
    """A short hash of an id, or of what makes one."""
    return blake2b(content.encode("utf-8", "replace"), digest_size=KEY_BYTES).digest()


def digest(*parts: str) -> str:
    """16 hex digits of texts in their order: an id."""
    return blake2b("\x1f".join(parts).encode("utf-8", "replace"), digest_size=8).hexdigest()


def name_of(path: str) -> str:
    return path.rpartition("/")[2]


def ids_of(
    path: str, layout: Layout, mapping: TableMapping, start: Start = BEGIN, last: int | None = None
) -> Iterator[str]:
    """The ids that a table, or a shard of it, gives, also those of rows that are rejected for another reason."""
    cleaner = Cleaner(mapping, mapping.id)
    columns = [name for name in mapping.names_of(mapping.id) if name in layout.header]
    for row in read_table(path, layout, columns, start, last):
        if isinstance(row, Row) and row.cells is not None:
            try:
                given = cell_text(cleaner.clean(mapping.renamed(row.cells))[0].get(mapping.id), mapping.id)
            except RecordFault:
                continue
            if given and given.lower() not in mapping.missing:
                yield given


def sharing(tables: Sequence[tuple[str, Layout]], mapping: TableMapping) -> dict[str, list[str]]:
    """Table -> the tables before it that it must know: where its ids stand first.

    Rows without an id get one that is made of the file's name, so that tables must know those before of the same name.
    """
    paths = [path for path, _ in tables]
    if len(paths) < 2:
        return {}
    if not mapping.id:
        return {
            path: [one for one in paths[:place] if name_of(one) == name_of(path)] for place, path in enumerate(paths)
        }
    found: dict[str, list[str]] = {}
    for table, first in _pairs([_keys(path, layout, mapping) for path, layout in tables]):
        found.setdefault(paths[table], []).append(paths[first])
    return found


def _keys(path: str, layout: Layout, mapping: TableMapping) -> np.ndarray:
    keys = array("Q", (int.from_bytes(key_of(given), "little") for given in ids_of(path, layout, mapping)))
    return np.unique(np.frombuffer(keys, np.uint64))


def _pairs(keys: Sequence[np.ndarray]) -> list[tuple[int, int]]:
    """Pairs of a list and the first list that has a key of it, sorted; N lists of different keys."""
    places = np.repeat(np.arange(len(keys)), [len(one) for one in keys])
    every = np.concatenate(keys)
    order = np.argsort(every, kind="stable")
    every, places = every[order], places[order]
    is_first = np.ones(len(every), bool)
    is_first[1:] = every[1:] != every[:-1]
    firsts = places[is_first][np.cumsum(is_first) - 1]
    return sorted(set(zip(places[~is_first].tolist(), firsts[~is_first].tolist(), strict=True)))
