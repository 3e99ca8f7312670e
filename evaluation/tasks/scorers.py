"""The module that scores texts, by the name of the protocol that a task gives."""

from __future__ import annotations

from typing import Any

from allsaid.modeling.plugins import find
from evaluation.tasks import boxes, dialogue, documents, pairs, recipes, scores, sequences

GROUP = "allsaid.scorers"  # of entry points: the name of a protocol -> a module with the names of `scores`
SCORERS: dict[str, Any] = {
    "boxes": boxes,
    "dialogue": dialogue,
    "documents": documents,
    "pairs": pairs,
    "recipes": recipes,
    "sequences": sequences,
}


def scorer_of(protocol: str) -> Any:
    """Return the module of a protocol; without one, texts are scored by the task's own ``score``."""
    return find(SCORERS, GROUP, protocol) or scores
