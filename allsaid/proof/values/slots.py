"""What a text does to the slots of its act or record, counted by placeholders: values lost or added.

A value of the act that the text does not say is missing; a value said more than once, or one that the act lacks (a
placeholder that could not be filled), is redundant. The *slot error rate* is both, divided by the values to be said
(Wen et al. 2015, section 5: (p + q) / N).
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
    values: int = 0  # to be said

    @property
    def rate(self) -> float:
        """(missing + redundant) / values, 0 where there is none."""
        return (self.missing + self.redundant) / self.values if self.values else 0.0


def slot_errors(tokens: Sequence[str], wanted: Sequence[str]) -> SlotErrors:
    """Slot errors of one delexicalised text that is to have these placeholders."""
    said = Counter(token for token in tokens if token.startswith(PREFIX))
    missing = sum(not said[token] for token in wanted)
    redundant = sum(count - (token in wanted) for token, count in said.items())
    return SlotErrors(missing, redundant, len(wanted))


def add_up(found: Iterable[SlotErrors]) -> SlotErrors:
    parts = [(one.missing, one.redundant, one.values) for one in found]
    return SlotErrors(*map(sum, zip(*parts, strict=True))) if parts else SlotErrors()
