"""Every border, a table of a data set: the folder's name, its schema and its rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from schemas import act, box, copy, dialogue, document, example, offer, pair, phrase, recipe
from schemas.checks.rules import Rule
from schemas.runs import rejected


@dataclass(frozen=True)
class Border:
    """One kind of rows, in ``NAME/*.parquet`` or ``NAME/split=SPLIT/*.parquet``."""

    name: str  # as in Manifest.files
    row: type  # the dataclass of its rows
    schema: pa.Schema
    rules: Sequence[Rule]
    names_row: str = "id"  # the column by which messages name a row
    by_split: bool = False

    @property
    def place(self) -> str:
        """Format string for the place of a row in messages, with the fields ``part``, ``row`` and the row's name."""
        return f"{{part}} row {{row}} ({{{self.names_row}}})"


BORDERS = (
    Border("records", recipe.Recipe, recipe.RECIPE, recipe.RULES),
    Border("examples", example.Example, example.EXAMPLE, example.RULES, by_split=True),
    Border("acts", act.Act, act.ACT, act.RULES, by_split=True),
    Border("boxes", box.Box, box.BOX, box.RULES, by_split=True),
    Border("dialogues", dialogue.Dialogue, dialogue.DIALOGUE, dialogue.RULES, by_split=True),
    Border("offers", offer.Offer, offer.OFFER, offer.RULES, names_row="row"),
    Border("copies", copy.CopyExample, copy.COPY, copy.RULES, by_split=True),
    Border("pairs", pair.Pair, pair.PAIR, pair.RULES, by_split=True),
    Border("documents", document.Document, document.DOCUMENT, document.RULES, by_split=True),
    Border("rejected", rejected.Rejected, rejected.REJECTED, rejected.RULES),
    Border("phrases", phrase.Phrase, phrase.PHRASE, phrase.RULES, names_row="first"),
)
BY_NAME = {border.name: border for border in BORDERS}
