"""Files of meaning representations with their texts: the columns ``mr`` and ``ref`` of ViGGO and of the E2E challenge.

    "inform(name[Dirt: Showdown], genres[driving/racing, sport], has_linux_release[no])","Dirt: Showdown is …"
    "name[Blue Spice], eatType[coffee shop]","A coffee shop called Blue Spice."

Other columns are ignored. A representation without an act is an ``inform``. (Juraska et al. 2019, "ViGGO: A Video Game
Corpus for Data-To-Text Generation"; Dušek et al. 2019, "Semantic Noise Matters for Neural NLG".)
"""

from __future__ import annotations

import csv
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import BinaryIO

from allsaid.language.code_pages import decode
from pipelines.linking.acts import check_length, parse_slots
from pipelines.source import RecordFault
from schemas.act import Slot

MR, REF = "mr", "ref"  # columns
INFORM = "inform"
MAX_ROW = 1 << 16  # bytes; a longer row is rejected

_ACT = re.compile(r"\s*(\w+)\s*\((.*)\)\s*", re.DOTALL)
_SLOT = re.compile(r"\s*(\w+)\s*\[([^\[\]]*)\]\s*(?:,|$)")


def cut_rows(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yield the offset and the bytes of each row of a CSV file; a row ends where its quotes are closed.

    A row of more than MAX_ROW bytes ends there; empty lines are skipped.
    """
    row, start, offset = b"", 0, 0
    while line := stream.readline(MAX_ROW):
        row += line
        offset += len(line)
        if row.count(b'"') % 2 and len(row) < MAX_ROW:
            continue
        if row.strip():
            yield start, row
        row, start = b"", offset
    if row:
        yield start, row


def cells_of(data: bytes) -> list[str]:
    """Return the cells of a row; raise RecordFault if it is too long or its quotes are not closed."""
    if len(data) >= MAX_ROW:
        raise RecordFault("too_large", f"The row has at least {MAX_ROW:,} bytes: probably a quote is not closed.")
    if data.count(b'"') % 2:
        raise RecordFault("open_quote", "A quote is not closed before the end of the file.")
    (cells,) = csv.reader([decode(data)[0]])
    return cells


def pair_of(cells: Sequence[str], columns: Mapping[str, int]) -> tuple[str, str]:
    """Return representation and text of a row; ``columns``: name -> position. Raises RecordFault."""
    if len(cells) != len(columns):
        raise RecordFault("cell_count", f"The row has {len(cells)} cells, the header {len(columns)}.")
    return cells[columns[MR]], cells[columns[REF]]


def parse(text: str) -> tuple[str, list[Slot]]:
    """Return act type and slots, with their values as written; raise RecordFault if the text has another form."""
    check_length(text)
    act = _ACT.fullmatch(text)
    goal, slots = (act[1], act[2]) if act else (INFORM, text)
    return goal, parse_slots(slots, text, _SLOT, "name[value]")


def list_slots(values: Counter[tuple[str, str]]) -> frozenset[str]:
    """Return the slots whose values are lists, from the counts of all (slot, value) of a corpus.

    A comma separates list elements if each part occurs in other values of the slot, too ("PlayStation, PC" next to
    "PC"); it belongs to the value if a part occurs nowhere else ("June 29, 2018"). The majority of a slot's values with
    a comma decides.
    """
    occurrences: Counter[tuple[str, str]] = Counter((slot, part) for slot, value in values for part in _parts(value))
    votes: defaultdict[str, Counter[bool]] = defaultdict(Counter)
    for slot, value in values:
        if len(parts := _parts(value)) > 1:
            votes[slot][all(occurrences[slot, part] > 1 for part in parts)] += 1
    return frozenset(slot for slot, vote in votes.items() if vote[True] > vote[False])


def split_lists(slots: Sequence[Slot], lists: Collection[str]) -> list[Slot]:
    """Return the slots with a slot of its own for each element of a list."""
    return [
        Slot(slot.slot, part) for slot in slots for part in (_parts(slot.value) if slot.slot in lists else [slot.value])
    ]


def _parts(value: str) -> list[str]:
    return [part.strip() for part in value.split(", ")]
