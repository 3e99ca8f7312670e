"""The origin of an edited text and its changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np

from allsaid.decoding.editing.write import EditedPrototype
from allsaid.modeling.config import SearchConfig

# Logistic regression of readers' verdicts (usable or not) on the score, by
# `benchmarks/quality/recipes/confidence.py`: EVEN is the score of a text that is usable with a chance of one half.
SLOPE, EVEN = 1.0, 2.2


@dataclass(frozen=True)
class Edited:
    """The training recipe behind a text, and the edits."""

    prototype: str  # its id
    source: str  # the file and place where it was read
    licence: str  # "" where the model's settings name none
    text: str  # as the data set has it
    copied_percent: float  # of the text's words that are the prototype's, in its order
    swapped: list[str]  # "name in the prototype -> name in the row"
    deleted: list[str]
    inserted: list[str]
    confidence: float  # 0 to 1: the chance that a cook can use the text, at least with small repairs

    def is_within_limits(self, search: SearchConfig) -> bool:
        """Return whether a text is within the limits of copied words and of confidence."""
        return self.confidence >= search.min_confidence and self.copied_percent <= 100 * search.max_copied


def provenance(edited: EditedPrototype, licence: str) -> Edited:
    edit = edited.edit
    return Edited(
        edited.prototype.id,
        edited.prototype.source,
        licence,
        edited.prototype.text,
        round(100 * _share_copied(edited.words, edited.prototype.words), 1),
        [f"{old} -> {new}" for old, new in edit.swapped],
        edit.deleted,
        edit.inserted,
        round(float(1 / (1 + np.exp(-SLOPE * (edited.score - EVEN)))), 3),
    )


def _share_copied(words: Sequence[str], prototype: Sequence[str]) -> float:
    """Return the share of the words that are a prototype's, in its order."""
    blocks = SequenceMatcher(None, words, prototype, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks) / max(len(words), 1)
