"""Dialogues as users write them, and the table of offers that they refer to; the next turn is the machine's.

A row has an id and ``turns``, the texts so far: the machine's first, then the user's and the machine's alternately.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from allsaid.modeling.saved.model_folder import Bundle
from allsaid.modeling.tables.offer_table import OfferTable
from batch_infer.rows.kinds.form import Field
from pipelines.sources.dialogues.linking import Linker
from pipelines.sources.dialogues.mapping import DialogueMapping
from pipelines.sources.dialogues.table import load_offers
from pipelines.sources.records.tables.layout import TableFault
from pipelines.sources.records.tables.rows import look
from schemas.dialogue import MACHINE, USER
from schemas.errors import UserError

MAX_TURNS = 1000
_EXAMPLE = '["hello , how may i help you ?", "thai food please"]'


@dataclass(frozen=True)
class TableFile:
    path: str  # any table that `allsaid ingest dialogues` reads
    naming: tuple[str, ...]  # the columns whose cells are single tokens in the model's vocabulary


@lru_cache(maxsize=1)
def open_table(table: TableFile) -> tuple[Linker, OfferTable]:
    """Load the table and a linker of its cells, once per process; raise UserError for a file that is not a table."""
    try:
        columns = look(table.path).columns
    except TableFault as fault:
        raise UserError(str(fault)) from fault
    lacking = [name for name in table.naming if name not in columns]
    if lacking:
        raise UserError(
            f"{table.path} lacks the column '{lacking[0]}', by which the model's own table names its rows. "
            f"Its columns are: {', '.join(columns)}."
        )
    found = load_offers(table.path, DialogueMapping(names=table.naming))
    return Linker(found), OfferTable.of(found.offers, table.path)


def prepare(values: Mapping[str, object], table: TableFile | None) -> Mapping[str, object]:
    """Add the words of each turn, with cells linked to the table; raise UserError for a fault."""
    if table is None:
        return values
    turns = values.get("turns")
    if not isinstance(turns, list) or not all(isinstance(turn, str) for turn in turns):
        raise UserError(f"The row has no 'turns', a list of texts such as {_EXAMPLE}, the machine's first.")
    if len(turns) % 2:
        raise UserError(
            f"The last of the {len(turns)} 'turns' is the machine's; its next one answers the user. Add the user's, or "
            'put "" before the first where the user begins.'
        )
    if len(turns) > MAX_TURNS:
        raise UserError(f"The dialogue has {len(turns):,} turns; at most {MAX_TURNS:,} can be read.")
    linker, offers = open_table(table)
    linked = linker.link([(USER if place % 2 else MACHINE, text) for place, text in enumerate(turns)])
    words = [[offers.named.get(token, token) for token in turn.tokens] for turn in linked]
    return {**values, "history": words, "table": offers}


def form(bundle: Bundle) -> tuple[Field]:
    """Return the form field of a dialogue."""
    hint = "one per line, the machine's first, the user's last; a blank first line where the user begins"
    last, before = bundle.example
    return (Field("turns", "Turns of the dialogue", "turns", hint, example="\n".join([*before, last])),)
