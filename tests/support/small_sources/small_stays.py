"""Conversations about hotels with their table, written by the project, and a run of the source without Beam."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from surveyed import read_all

from pipelines.source import KeptRecord, SharedRow
from pipelines.sources.dialogues import source as dialogues
from schemas.dialogue import Dialogue
from schemas.offer import Offer

HEADER = ("hotel", "town", "price", "rooms", "phone", "view")
OFFERS = (
    ("Hotel Seeblick", "Konstanz", "89", "4", "07531 100200", "am See"),
    ("Gasthof Zur Süßen Traube", "Basel", "120", "2", "061 444 55 66", "im Zentrum"),
    ("Alpenrose", "Chur", "75", "2", "n/a", "im Zentrum"),
    ("Harbour Inn", "Whitby", "120", "3", "01947 600600", "sea"),
)
SEEBLICK, TRAUBE, ALPENROSE, HARBOUR = range(4)
NAMING = (0, 1, 4)  # hotel, town, phone: the others have the same cell in half of the rows

Rows = Sequence[Sequence[str]]
TURNS = [
    ("1", "guest", "Ich suche ein Hotel am See, bitte."),
    ("1", "machine", "Das Hotel Seeblick liegt am See und hat 4 Zimmer."),
    ("1", "guest", "Die Nummer vom hotel seeblick?"),
    ("1", "machine", "Sie ist 07531 / 100200."),
    ("2", "machine", "Welcome!"),
    ("2", "guest", "Anything with a view of the sea?"),
    ("2", "machine", "The Harbour Inn in Whitby has 3 rooms,"),
    ("2", "machine", "each with a sea view, for 120."),
    ("2", "guest", "Thank you."),
]


def as_csv(header: Sequence[str], rows: Rows, delimiter: str = ",") -> bytes:
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter).writerows([header, *rows])
    return out.getvalue().encode()


def write(folder: Path, turns: Rows = TURNS, offers: Rows = OFFERS, header: Sequence[str] = HEADER) -> list[str]:
    """The path of the conversations, and that of the table."""
    (folder / "calls.csv").write_bytes(as_csv(("dialogue", "speaker", "text"), turns))
    (folder / "hotels.csv").write_bytes(as_csv(header, offers))
    return [str(folder / "calls.csv"), str(folder / "hotels.csv")]


def ingest(paths: Sequence[str], mapping: str = "") -> list[Any]:
    """All results of a run over files of conversations, the last path being the table; ``mapping`` is YAML."""
    *inputs, table = paths
    settings = dialogues.Settings(table=table)
    if mapping:
        (Path(table).parent / "mapping.yaml").write_text(mapping)
        settings = dialogues.Settings(table=table, mapping=str(Path(table).parent / "mapping.yaml"))
    return read_all(dialogues.Dialogues(), inputs, settings)


def kept(results: Iterable[Any]) -> dict[str, Dialogue]:
    rows = [result.rows["dialogues"][0] for result in results if isinstance(result, KeptRecord)]
    return {row.id: row for row in rows}


def offers(results: Iterable[Any]) -> list[Offer]:
    return [result.row for result in results if isinstance(result, SharedRow)]
