"""METEOR 1.5 (Denkowski and Lavie 2014), by pycocoevalcap's jar; it needs Java and the extra ``allsaid[meteor]``."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from importlib.util import find_spec

MISSING_JAVA = "METEOR needs Java, which is not installed; the figure is left out."
MISSING_JAR = "METEOR needs pycocoevalcap. Install it with: pip install 'allsaid[meteor]'. The figure is left out."


def unavailable() -> str:
    """Why there can be no METEOR here, as a sentence; "" where there can."""
    if find_spec("pycocoevalcap") is None:
        return MISSING_JAR
    return "" if shutil.which("java") else MISSING_JAVA


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
    return 100 * float(score)
