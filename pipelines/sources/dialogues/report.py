"""What a finished run says of the table: which columns name a row, how often turns say them, and what looks wrong."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from allsaid.console import counted
from allsaid.storage import files
from allsaid.storage.rows import read_rows
from pipelines.datasets.statistics import ALL
from pipelines.linking.offers import cell_token, key_of
from pipelines.source import Findings
from pipelines.sources.records.tables.encoding import encoding_sentences
from schemas.dialogue import Turn
from schemas.offer import OFFER, Offer
from schemas.runs.manifest import Manifest

MENTIONS = "mentions "  # how the figure of a column begins


def mentions(turns: Sequence[Turn], offers: Sequence[Offer]) -> dict[str, int]:
    """How many tokens refer to each column."""
    times = Counter(column for turn in turns for column in turn.columns)
    return {f"{MENTIONS}{name}": times[column] for column, name in enumerate(offers[0].columns)}


def report_of(manifest: Manifest, folder: str) -> Findings:
    """The columns of the table with what turns say of them; ``folder`` is the run's."""
    paths = [files.join(folder, entry["path"]) for entry in manifest.files["offers"]]
    offers = [Offer(**row) for path in paths for row in read_rows(path, OFFER.names)]
    figures = manifest.statistics["figures"].get(ALL, {})
    columns: dict[str, Any] = {}
    for place, name in enumerate(offers[0].columns):
        columns[name] = {
            "names a row": _names_row(offers, place),
            "filled": sum(offer.written[place] is not None for offer in offers),
            "mentions": figures.get(f"{MENTIONS}{name}", {"sum": 0})["sum"],
        }
    lines = [(f"column {name}", _line(told)) for name, told in columns.items()]
    encodings = {shard["file"]: shard["encoding"] for shard in manifest.shards}
    return Findings({"columns": columns}, lines, [*_sentences(columns, offers), *encoding_sentences(encodings)])


def _names_row(offers: Sequence[Offer], column: int) -> bool:
    return any(offer.cells[column] == [cell_token(offer.columns[column], offer.row)] for offer in offers)


def _line(told: dict[str, Any]) -> str:
    kind = "names a row" if told["names a row"] else "words"
    return f"{kind}, {told['filled']:,} filled, {counted(told['mentions'], 'token')} of turns"


def _sentences(columns: dict[str, Any], offers: Sequence[Offer]) -> Iterator[str]:
    """What looks wrong, each with its remedy."""
    if not any(told["mentions"] for told in columns.values()):
        yield (
            "No turn says a cell that names a row of the table. Is it the table that the dialogues speak of? Columns "
            "that name a row can be given as `names: [NAME]` in a mapping."
        )
    for place, (name, told) in enumerate(columns.items()):
        rows: dict[str, list[int]] = defaultdict(list)
        for offer in offers if told["names a row"] else ():
            rows[key_of(offer.written[place] or "")].append(offer.row)
        alike = [found for key, found in rows.items() if key and len(found) > 1]
        if alike:
            cell = offers[alike[0][0]].written[place]
            yield (
                f"Several rows have the same cell of '{name}': {counted(len(alike), 'cell')}, such as '{cell}' in "
                f"{len(alike[0]):,} rows. A turn that says one means the row of which the dialogue says most other "
                "cells, else the first. Write different rows differently, or leave doubled ones out."
            )
