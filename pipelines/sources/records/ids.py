"""The ids of a table's rows. An id is taken if an earlier row or an earlier table of the input has it.

Planning reads the ids of all tables once. A shard depends only on the earlier tables that share ids with its table. So
a new table changes nothing for tables that share no id with it.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import islice

import numpy as np

from allsaid.language.characters import comparable
from pipelines.source import KEY_BYTES, RecordFault
from pipelines.sources.mappings import is_missing
from pipelines.sources.records.cells import Cleaner
from pipelines.sources.records.decimals import Decimals, Votes
from pipelines.sources.records.mapping import TableMapping
from pipelines.sources.records.tables.layout import BEGIN, EXCEL, Cells, Layout, Row, Start, cell_text
from pipelines.sources.records.tables.rows import read_table

# Rows of a workbook that vote on the decimal separator: reading is slow, and most cells have a type.
WORKBOOK_ROWS = 1000


def key_of(content: str) -> bytes:
    """Return a short hash of an id, or of the content that an id is made of."""
    return blake2b(comparable(content).encode("utf-8", "replace"), digest_size=KEY_BYTES).digest()


def digest(*parts: str) -> str:
    """Return an id made of texts in their order: 16 hex digits."""
    return blake2b("\x1f".join(parts).encode("utf-8", "replace"), digest_size=8).hexdigest()


def name_of(path: str) -> str:
    return path.rpartition("/")[2]


def id_of(cells: Cells | None, mapping: TableMapping) -> str:
    """Return the id of cleaned cells; "" for none."""
    try:
        row_id = cell_text((cells or {}).get(mapping.id), mapping.id) if mapping.id else ""
    except RecordFault:
        return ""
    return "" if is_missing(row_id, mapping.missing) else row_id


def content_of(cells: Cells, mapping: TableMapping) -> str:
    """Return the content that identifies a row: its id, or all its cells. Raises RecordFault if it lacks the id."""
    if not mapping.id:
        return "\x1f".join(str(cells.get(name)) for name in mapping.named)
    row_id = cell_text(cells.get(mapping.id), mapping.id)
    if is_missing(row_id, mapping.missing):
        raise RecordFault("no_id", f"The cell of '{mapping.id}', the id, is empty. Fill it, or leave out `id:`.")
    return row_id


def ids_of(
    path: str, layout: Layout, mapping: TableMapping, start: Start = BEGIN, last: int | None = None
) -> Iterator[str]:
    """Yield the ids of a table, or of a shard of it, including rows that are rejected for another reason."""
    cleaner = Cleaner(mapping, mapping.id)
    columns = [name for name in mapping.names_of(mapping.id) if name in layout.header]
    for row in read_table(path, layout, columns, start, last):
        if isinstance(row, Row) and row.cells is not None and (row_id := id_of(cleaner.clean(row.cells)[0], mapping)):
            yield row_id


def survey(tables: Sequence[tuple[str, Layout]], mapping: TableMapping) -> tuple[dict[str, list[str]], Decimals]:
    """Read all tables once.

    Returns for each table the earlier tables in which some of its ids occur first, and the decimal separators. Rows
    without an id get one made of the file's name, so a table depends on earlier tables with the same file name.
    """
    votes, paths = Votes(mapping), [path for path, _ in tables]
    by_id = bool(mapping.id) and len(paths) > 1
    keys = [_read(path, layout, mapping, votes, by_id) for path, layout in tables] if by_id or votes.columns else []
    earlier: dict[str, list[str]] = {}
    if by_id:
        for table, first in _pairs(keys):
            earlier.setdefault(paths[table], []).append(paths[first])
    elif not mapping.id:
        names = [name_of(path) for path in paths]
        earlier = {
            path: [other for other, name in zip(paths[:place], names, strict=False) if name == names[place]]
            for place, path in enumerate(paths)
        }
    return earlier, votes.decide()


def _read(path: str, layout: Layout, mapping: TableMapping, votes: Votes, by_id: bool) -> np.ndarray:
    """Count the numbers of a table; with ``by_id``, return the sorted keys of its ids."""
    cleaner = Cleaner(mapping, mapping.id)
    needed = dict.fromkeys((*votes.columns, mapping.text, mapping.id))
    columns = [name for column in needed for name in mapping.names_of(column) if name in layout.header]
    rows = (row.cells for row in read_table(path, layout, columns) if isinstance(row, Row) and row.cells is not None)
    keys = array("Q")
    for cells in rows if by_id or layout.kind != EXCEL else islice(rows, WORKBOOK_ROWS):
        votes.count(mapping.renamed(cells))
        if by_id and (row_id := id_of(cleaner.clean(cells)[0], mapping)):
            keys.append(int.from_bytes(key_of(row_id), "little"))
    return np.unique(np.frombuffer(keys, np.uint64))


def _pairs(keys: Sequence[np.ndarray]) -> list[tuple[int, int]]:
    """Return sorted pairs (i, j): list j, before list i, is the first that has some key of list i.

    No list repeats a key.
    """
    places = np.repeat(np.arange(len(keys)), [len(table) for table in keys])
    all_keys = np.concatenate(keys)
    order = np.argsort(all_keys, kind="stable")
    all_keys, places = all_keys[order], places[order]
    is_first = np.ones(len(all_keys), bool)
    is_first[1:] = all_keys[1:] != all_keys[:-1]
    firsts = places[is_first][np.cumsum(is_first) - 1]
    return sorted(set(zip(places[~is_first].tolist(), firsts[~is_first].tolist(), strict=True)))


class Ids:
    """The ids of a shard's rows, none of which an earlier row has."""

    def __init__(
        self, file: str, mapping: TableMapping, taken: Mapping[bytes, str], same_name: int, before: Mapping[bytes, int]
    ) -> None:
        """``taken``: key of an id -> the earlier file that has it. ``same_name``: earlier files of the same name.
        ``before``: how often a key is in earlier rows of the file."""
        self._mapping, self._taken = mapping, taken
        self._name = name_of(file) + (f"\x1f{same_name}" if same_name else "")
        self._seen: Counter[bytes] = Counter(before)

    def new(self, cells: Cells) -> str:
        """Return a row's id; without one, an id made of the file's name, the cells and the number of equal rows before.

        Raises RecordFault for an id that is taken.
        """
        content = content_of(cells, self._mapping)
        key = key_of(content)
        self._seen[key] += 1
        if not self._mapping.id:
            return digest(self._name, content, str(self._seen[key]))
        if self._seen[key] > 1 or key in self._taken:
            place = self._taken.get(key, "the file")
            raise RecordFault(
                "doubled_id",
                f"An earlier row of {place} has the id '{content[:80]}'. Give each row its own, or name another column "
                "as `id:`.",
            )
        return content
