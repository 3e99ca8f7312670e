"""Slot errors of a text against its act or record, counted by placeholders: missing and redundant values.

A value of the act that is not in the text is missing. A value mentioned more than once, or one that the act lacks (a
placeholder that could not be filled), is redundant. The *slot error rate* is the sum of both, divided by the number of
values to mention (Wen et al. 2015, section 5: (p + q) / N).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from schemas.act import PREFIX


@dataclass(frozen=True)
class SlotErrors:
    missing: int = 0
    redundant: int = 0
    values: int = 0  # to mention

    @property
    def rate(self) -> float:
        """(missing + redundant) / values; 0 if there are no values."""
        return (self.missing + self.redundant) / self.values if self.values else 0.0


def slot_errors(tokens: Sequence[str], wanted: Sequence[str]) -> SlotErrors:
    """Count the slot errors of one delexicalised text; ``wanted`` are the placeholders that it should have."""
    found = Counter(token for token in tokens if token.startswith(PREFIX))
    missing = sum(not found[token] for token in wanted)
    redundant = sum(count - (token in wanted) for token, count in found.items())
    return SlotErrors(missing, redundant, len(wanted))


def add_up(found: Iterable[SlotErrors]) -> SlotErrors:
    parts = [(errors.missing, errors.redundant, errors.values) for errors in found]
    return SlotErrors(*map(sum, zip(*parts, strict=True))) if parts else SlotErrors()
