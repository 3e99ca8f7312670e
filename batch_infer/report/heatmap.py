"""The heat map of a text for the page: the model's attention at each word (`schemas.texts.attention`)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from allsaid.storage import files
from allsaid.storage.parquet import open_parquet
from batch_infer.job.folder import ATTENTION as FOLDER
from schemas.checks.table import check_schema, from_table
from schemas.example import LINE_BREAK, NO_ITEM, PHRASE_JOINER
from schemas.texts.attention import ATTENTION, WHOLE, Attention, Weights
from schemas.texts.generated import Generated

LEAST = 5  # %; smaller values are not shown
BREAK, END = "↵", "end"


@dataclass(frozen=True)
class Line:
    """A source position and its share of the attention at each word."""

    label: str
    item: int | None  # its line in the agenda, from 0
    shares: list[int]  # T + 1, in %; 0 if below `LEAST`


@dataclass(frozen=True)
class Map:
    title: str  # "" if it equals the label of its only line
    lines: list[Line]


@dataclass(frozen=True)
class Picture:
    words: list[str]  # T words and the end
    maps: list[Map]


def picture_of(folder: str, name: str, place: int, row: Generated) -> Picture | None:
    """Return the picture of the text at a position in the file of texts of this name; None if it has none."""
    path = files.join(folder, FOLDER, name)
    if not files.exists(path):
        return None
    with files.open_read(path) as stream, open_parquet(stream) as parquet:
        check_schema(parquet.schema_arrow, ATTENTION, path)
        (found,) = from_table(parquet.read(use_threads=False).slice(place, 1), Attention)
    return draw(found, row)


def draw(found: Attention, row: Generated) -> Picture | None:
    """Return the picture of a model's attention; None if there are no weights."""
    words = [BREAK if token == LINE_BREAK else token.replace(PHRASE_JOINER, " ") for token in row.tokens]
    return Picture([*words, END], [*_maps(found)]) if found.weights else None


def _maps(found: Attention) -> Iterator[Map]:
    for title, group in groupby(found.weights, key=lambda row: row.map):
        rows = list(group)
        yield Map(title if rows[0].place else "", [*map(_line, rows)])


def _line(row: Weights) -> Line:
    percent = (round(100 * share / WHOLE) for share in row.shares)
    item = None if row.item == NO_ITEM else row.item
    return Line(row.place or row.map, item, [share if share >= LEAST else 0 for share in percent])
