"""A row of a generation's input, with the data that a later run needs to reuse its texts."""

from __future__ import annotations

from dataclasses import dataclass

from schemas.checks.table import Int32, versioned

TEXTS_KEY = b"allsaid.texts"  # in the footer: the SHA-256 of the file of texts of the same rows


@dataclass(frozen=True)
class Written:
    content: bytes  # a hash of the row's id and content; b"" for a row without a text
    texts: Int32  # number of this row's rows in the file of texts
    tally: str  # the row's part of the run's figures, as JSON


WRITTEN = versioned("written", 1, Written)
