"""A user's table of offers, with any columns of texts or numbers, some of which name a row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pipelines.linking.offers import MAX_ROWS, cell_token, offer_of, words_of
from pipelines.source import RecordFault
from pipelines.sources.dialogues.cells import text_of
from pipelines.sources.dialogues.mapping import DialogueMapping
from pipelines.sources.mappings import is_missing
from pipelines.sources.records.tables.layout import Layout, TableFault
from pipelines.sources.records.tables.rows import look, place_of, read_table
from schemas.errors import UserError
from schemas.offer import Offer

MAX_COLUMNS = 127  # that a turn can refer to
REPORTED = 5  # most unreadable rows that are reported one by one

Cells = Sequence[str | None]


@dataclass(frozen=True)
class OfferTable:
    offers: Sequence[Offer]
    naming: tuple[int, ...]  # positions of the columns that name a row
    encoding: str  # of a text file
    losses: Sequence[str]  # sentences on rows that can't be read


def load_offers(path: str, mapping: DialogueMapping, encoding: str = "") -> OfferTable:
    """Load the offers of a table without empty rows; raise UserError if there are none."""
    try:
        layout = look(path, encoding=encoding)
        columns, found, losses = _rows(path, layout)
    except TableFault as fault:
        raise UserError(str(fault)) from fault
    rows = [row for row in (_written(cells, columns, mapping) for cells in found) if any(row)]
    if not rows:
        raise UserError(f"{path} has no offer: there is no row below the names of its columns. Give a table with rows.")
    if len(columns) > MAX_COLUMNS:
        raise UserError(
            f"{path} has {len(columns):,} columns; a table of offers may have {MAX_COLUMNS}. Leave some out."
        )
    naming = _naming(path, columns, rows, mapping)
    offers = [offer_of(row, columns, cells, naming) for row, cells in enumerate(rows)]
    return OfferTable(offers, naming, layout.encoding, losses)


def _rows(path: str, layout: Layout) -> tuple[list[str], list[dict[str, str]], list[str]]:
    """Return the columns, each row's cells as text, and sentences on rows that can't be read."""
    columns = dict.fromkeys(layout.columns)
    rows: list[dict[str, str]] = []
    losses: list[str] = []
    for row in read_table(path, layout):
        if isinstance(row, str):
            losses.append(row)
            continue
        try:
            if row.cells is None:
                raise RecordFault(row.reason, row.detail)
            rows.append({name: text_of(cell, name) for name, cell in row.cells.items()})
        except RecordFault as fault:
            losses.append(f"The offer in {place_of(path, row.offset)} is left out: {fault}")
        else:
            columns |= dict.fromkeys(row.cells)
        if len(rows) > MAX_ROWS:
            raise TableFault(f"{path} has more than {MAX_ROWS:,} rows. Leave out those that no dialogue mentions.")
    if len(losses) > REPORTED:
        losses[REPORTED:] = [f"{len(losses) - REPORTED:,} more rows of {path} are left out."]
    return [*columns], rows, losses


def _written(cells: Mapping[str, str], columns: Sequence[str], mapping: DialogueMapping) -> Cells:
    found = [cells.get(name, "") for name in columns]
    return [None if is_missing(cell, mapping.missing) else cell for cell in found]


def _naming(path: str, columns: Sequence[str], rows: Sequence[Cells], mapping: DialogueMapping) -> tuple[int, ...]:
    """Return the columns that name a row: those of the mapping, else those with a different cell in most rows.

    Raises UserError if a column of the mapping is missing, or if two columns would share their tokens.
    """
    lacking = [name for name in mapping.names or () if name not in columns]
    if lacking:
        raise UserError(
            f"{path} lacks the column '{lacking[0]}', which the mapping has under 'names'. "
            f"Its columns are: {', '.join(columns)}."
        )
    naming = [
        place
        for place, name in enumerate(columns)
        if (name in mapping.names if mapping.names is not None else _names_rows([row[place] for row in rows]))
    ]
    tokens: dict[str, str] = {}
    for name in (columns[place] for place in naming):
        other = tokens.setdefault(cell_token(name, 0), name)
        if other != name:
            raise UserError(
                f"The columns '{other}' and '{name}' of {path} would share the token {cell_token(name, 0)}. "
                "Rename one of them."
            )
    return tuple(naming)


def _names_rows(cells: Cells) -> bool:
    """Return whether more than half of the filled cells differ from all others, apart from letter case."""
    times = Counter(" ".join(words_of(cell)) for cell in cells if cell is not None)
    return sum(count == 1 for count in times.values()) > times.total() / 2
