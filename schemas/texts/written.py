"""A row of a generation's input beside its texts, with what a later run needs to take them over."""

from __future__ import annotations

from dataclasses import dataclass

from schemas.checks.table import Int32, versioned

TEXTS_KEY = b"allsaid.texts"  # in the footer: the SHA-256 of the file of texts of the same rows


@dataclass(frozen=True)
class Written:
    content: bytes  # a hash of the row's id and of what its texts are made from; b"" of a row without a text
    texts: Int32  # rows of the file of texts that are of this row
    tally: str  # what the row adds to the run's figures, as JSON


WRITTEN = versioned("written", 1, Written)
