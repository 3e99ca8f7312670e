"""The report on a finished run: the columns that name a row, how often turns mention them, and what looks wrong."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Any  # Any: JSON

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

MENTIONS = "mentions "  # prefix of the figure of a column


def mentions(turns: Sequence[Turn], offers: Sequence[Offer]) -> dict[str, int]:
    """Return how many tokens refer to each column."""
    times = Counter(column for turn in turns for column in turn.columns)
    return {f"{MENTIONS}{name}": times[column] for column, name in enumerate(offers[0].columns)}


def report_of(manifest: Manifest, folder: str) -> Findings:
    """Report each column of the table with its mentions in turns; ``folder`` is the run's."""
    paths = [files.join(folder, entry["path"]) for entry in manifest.files["offers"]]
    offers = [Offer(**row) for path in paths for row in read_rows(path, OFFER.names)]
    figures = manifest.statistics["figures"].get(ALL, {})
    columns: dict[str, dict[str, Any]] = {}  # Any: a truth value or a count
    for place, name in enumerate(offers[0].columns):
        columns[name] = {
            "names a row": any(offer.cells[place] == [cell_token(name, offer.row)] for offer in offers),
            "filled": sum(offer.written[place] is not None for offer in offers),
            "mentions": figures.get(f"{MENTIONS}{name}", {"sum": 0})["sum"],
        }
    lines = [(f"column {name}", _line(column)) for name, column in columns.items()]
    encodings = {shard["file"]: shard["encoding"] for shard in manifest.shards}
    return Findings({"columns": columns}, lines, [*_sentences(columns, offers), *encoding_sentences(encodings)])


def _line(column: dict[str, Any]) -> str:
    kind = "names a row" if column["names a row"] else "words"
    return f"{kind}, {column['filled']:,} filled, {counted(column['mentions'], 'token')} of turns"


def _sentences(columns: dict[str, dict[str, Any]], offers: Sequence[Offer]) -> Iterator[str]:
    """Yield a sentence for each thing that looks wrong, with its remedy."""
    if not any(column["mentions"] for column in columns.values()):
        yield (
            "No turn mentions a cell that names a row of the table. Is it the right table for the dialogues? Columns "
            "that name a row can be given as `names: [NAME]` in a mapping."
        )
    for place, (name, column) in enumerate(columns.items()):
        rows: dict[str, list[int]] = defaultdict(list)
        for offer in offers if column["names a row"] else ():
            rows[key_of(offer.written[place] or "")].append(offer.row)
        alike = [found for key, found in rows.items() if key and len(found) > 1]
        if alike:
            cell = offers[alike[0][0]].written[place]
            yield (
                f"Several rows have the same cell of '{name}': {counted(len(alike), 'cell')}, such as '{cell}' in "
                f"{len(alike[0]):,} rows. A turn with such a cell means the row whose other cells the dialogue "
                "mentions most, else the first. Write different rows differently, or remove doubled ones."
            )
