"""What a model looked at while it wrote a text (``attention/*.parquet``, of ``allsaid generate --attention``).

Row i of a file belongs to row i of the file of texts with the same name.
"""

from __future__ import annotations

from dataclasses import dataclass

from schemas.checks.table import Int16, versioned

WHOLE = 255  # the share of all


@dataclass(frozen=True)
class Weights:
    """A row of a picture: how much a model held of one place of its input at each word of a text of T tokens."""

    map: str  # the picture that it belongs to: "pointer", "new"
    place: str  # the word of a source, the item of an agenda; "" where the row is of no place, such as p(z = 1)
    item: Int16  # the place's line in `agenda`, -1 for none
    shares: bytes  # T + 1, for each token and for the end of the text: 0 to 255, which is all


@dataclass(frozen=True)
class Attention:
    weights: list[Weights]  # of the places that are looked at somewhere; none in an error row


ATTENTION = versioned("attention", 1, Attention)
