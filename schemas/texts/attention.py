"""A model's attention while it wrote a text (``attention/*.parquet``, of ``allsaid generate --attention``).

Row i of a file belongs to row i of the file of texts with the same name.
"""

from __future__ import annotations

from dataclasses import dataclass

from schemas.checks.table import Int16, versioned

WHOLE = 255  # the number that means a weight of 1


@dataclass(frozen=True)
class Weights:
    """A row of a heat map: the model's weight of one place of its input, for each of T tokens of the text."""

    map: str  # the title of the heat map: "pointer", "new"
    place: str  # the source word or agenda item; "" for weights without a place, such as p(z = 1)
    item: Int16  # the line in `agenda` that has this word or item, -1 for none
    shares: bytes  # T + 1 weights, 0 to WHOLE: at each token and at the end of the text


@dataclass(frozen=True)
class Attention:
    weights: list[Weights]  # of the places that have any weight; none in an error row


ATTENTION = versioned("attention", 1, Attention)
