"""The modules that score texts, by the names of protocols."""

from __future__ import annotations

from typing import Protocol

from allsaid.modeling.plugins import find
from allsaid.modeling.tasks.contract import Task
from evaluation.tasks import boxes, dialogue, documents, pairs, recipes, scores, sequences
from evaluation.tasks.rows import Evaluation
from evaluation.tasks.system import Subject


class Scorer(Protocol):
    """The module that scores texts.

    An optional ``FIGURES`` replaces figures of the task by key. An optional ``check(subject)`` raises UserError if the
    texts can't be scored.
    """

    PROTOCOL: str  # as logged in runs

    def measured(self, task: Task) -> tuple[str, ...]:
        """Return the keys of the figures that a run may hold, in the order of its table."""

    def measure(self, subject: Subject, slow: bool) -> Evaluation:
        """Return the figures of a system's texts, and its texts for the dev examples that every run shows.

        slow: also measure METEOR.
        """


GROUP = "allsaid.scorers"  # of entry points: the name of a protocol -> a module
SCORERS: dict[str, Scorer] = {
    "boxes": boxes,
    "dialogue": dialogue,
    "documents": documents,
    "pairs": pairs,
    "recipes": recipes,
    "sequences": sequences,
}


def scorer_of(protocol: str) -> Scorer:
    """Return the module of a protocol; without one, texts are scored by the task's own ``score``."""
    return find(SCORERS, GROUP, protocol) or scores
