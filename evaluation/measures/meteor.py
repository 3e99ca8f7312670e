"""METEOR 1.5 (Denkowski and Lavie 2014) from pycocoevalcap's jar; it needs Java and the extra ``allsaid[meteor]``."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from contextlib import suppress
from importlib.util import find_spec
from statistics import fmean

from allsaid.console import say

PREFIX = "meteor"  # the names of its figures begin with it
MISSING_JAVA = (
    "METEOR needs Java, which is not installed. Install it (on Debian: apt-get install default-jre-headless). The "
    "figure is left out."
)
MISSING_JAR = "METEOR needs pycocoevalcap. Install it with: pip install 'allsaid[meteor]'. The figure is left out."


def unavailable() -> str:
    """Return the reason why METEOR can't be computed here, as a sentence; "" if it can."""
    if find_spec("pycocoevalcap") is None:
        return MISSING_JAR
    return "" if shutil.which("java") else MISSING_JAVA


def figures(
    name: str, texts: Sequence[str], references: Sequence[Sequence[str]], of_texts: str = ""
) -> dict[str, float]:
    """Return {name: METEOR}, or {} if METEOR is unavailable or Java fails; a failure of Java is reported.

    ``of_texts``: the name of a second figure, the mean METEOR of each text.
    """
    if unavailable():
        return {}
    try:
        of_corpus, each = meteor(texts, references)
        return {name: of_corpus} | ({of_texts: fmean(each)} if of_texts else {})
    except (OSError, ValueError) as fault:  # Java ended, or wrote no number
        say(f"METEOR failed ({fault}); the figure is left out. Java needs up to 2 GB of memory for it.")
        return {}


def meteor(texts: Sequence[str], references: Sequence[Sequence[str]]) -> tuple[float, list[float]]:
    """Return the aggregate final score (0 to 100) of N texts with their references, and the score of each text (N).

    METEOR must be available.
    """
    from pycocoevalcap.meteor.meteor import Meteor

    scorer = Meteor()
    try:
        ours = {number: [text] for number, text in enumerate(texts)}
        theirs = {number: list(texts_of_row) for number, texts_of_row in enumerate(references)}
        score, each = scorer.compute_score(theirs, ours)
    finally:
        scorer.meteor_p.kill()
        with suppress(OSError):
            scorer.meteor_p.stdin.close()
        if scorer.lock.locked():  # its destructor waits for the lock, which an error leaves locked
            scorer.lock.release()
    return 100 * float(score), [100 * float(value) for value in each]
