"""METEOR 1.5 (Denkowski and Lavie 2014), by pycocoevalcap's jar; it needs Java and the extra ``allsaid[meteor]``."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from contextlib import suppress
from importlib.util import find_spec

from allsaid.console import say

PREFIX = "meteor"  # begins the names of its figures
MISSING_JAVA = (
    "METEOR needs Java, which is not installed. Install it (on Debian: apt-get install default-jre-headless). The "
    "figure is left out."
)
MISSING_JAR = "METEOR needs pycocoevalcap. Install it with: pip install 'allsaid[meteor]'. The figure is left out."


def unavailable() -> str:
    """Why there can be no METEOR here, as a sentence; "" where there can."""
    if find_spec("pycocoevalcap") is None:
        return MISSING_JAR
    return "" if shutil.which("java") else MISSING_JAVA


def figures(name: str, texts: Sequence[str], references: Sequence[Sequence[str]]) -> dict[str, float]:
    """The figure by its name; nothing where METEOR is not available, or, with a sentence, where Java fails."""
    if unavailable():
        return {}
    try:
        return {name: meteor(texts, references)}
    except (OSError, ValueError) as fault:  # Java ended, or wrote no number
        say(f"METEOR failed ({fault}); the figure is left out. Java needs up to 2 GB of memory for it.")
        return {}


def meteor(texts: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    """The aggregate final score, 0 to 100, of N texts with their references; only where `unavailable` says nothing."""
    from pycocoevalcap.meteor.meteor import Meteor

    scorer = Meteor()
    try:
        ours = {number: [text] for number, text in enumerate(texts)}
        theirs = {number: list(found) for number, found in enumerate(references)}
        score, _ = scorer.compute_score(theirs, ours)
    finally:
        scorer.meteor_p.kill()
        with suppress(OSError):
            scorer.meteor_p.stdin.close()
        if scorer.lock.locked():  # its own end waits for the lock, which a fault leaves held
            scorer.lock.release()
    return 100 * float(score)
