"""Whether a text says yes or no of a thing: by the negations in the clauses that speak of it.

The rule and its judged cases stand in docs/coverage.md. Words come lower case, as a normaliser cuts them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

NEGATIONS = frozenset(("not", "no", "n't", "cannot", "never", "neither", "nor", "without", "none", "isnt", "dont"))
ENDS = frozenset((",", ";", ".", "?", "!", "and", "but", "if", "while", "though", "although", "which", "that"))


def is_negated(words: Sequence[str], spoken: Collection[int]) -> bool | None:
    """Whether a clause that speaks of a thing has a negation; None where none speaks of it.

    ``spoken`` are the places of the words that speak of it.
    """
    clauses = [clause for clause in _clauses(words) if not clause.isdisjoint(spoken)]
    return any(words[place] in NEGATIONS for clause in clauses for place in clause) if clauses else None


def _clauses(words: Sequence[str]) -> Iterator[set[int]]:
    """Places of each clause's words."""
    clause: set[int] = set()
    for place, word in enumerate(words):
        if word in ENDS:
            yield clause
            clause = set()
        else:
            clause.add(place)
    yield clause
