"""Phrases that make a number beside them a limit: "less than", "or more"."""

from __future__ import annotations

BELOW, ABOVE = "below", "above"


def _phrases(below: str, above: str) -> list[tuple[str, tuple[str, ...]]]:
    """Return (relation, phrase) of phrases that are separated by "|"."""
    written = ((BELOW, below), (ABOVE, above))
    return [(relation, tuple(phrase.split())) for relation, phrases in written for phrase in phrases.split("|")]


# Words before a number that make it a limit, and words after it.
BEFORE = _phrases(
    "less than|under|below|up to|at most|no more than|lower than|not more than|cheaper than|not over|weniger als|unter|"
    "höchstens|moins de|menos de",
    "more than|over|above|at least|higher than|greater than|upwards of|no less than|in excess of|exceeding|mehr als|"
    "über|mindestens|plus de|más de",
)
AFTER = _phrases(
    "or less|or under|or below|and under|or lower|oder weniger|ou moins",
    "or more|or over|or above|and over|and up|upwards|and upwards|onwards|and above|or higher|+|plus|oder mehr|ou plus",
)
