"""ROUGE-N and ROUGE-L of a text as ROUGE-1.5.5 computes them (Lin 2004).

ROUGE-N (section 2) divides the n-grams that text and reference share by the n-grams of each. ROUGE-L (section 3.1)
divides the length of their longest common subsequence by the words of each. There is no stemming, stop words are kept,
and alpha is 0.5. The original script splits texts into runs of English letters and digits, so punctuation does not
count; here letters of all languages are letters. A text or reference of fewer than n words scores 0.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from evaluation.measures.overlap import Agreement, common_subsequence, ngrams, places_of

ORDER = 4
_WORD = re.compile(r"[^\W_]+")


def rouge(text: Sequence[str], reference: Sequence[str], order: int = ORDER) -> Agreement:
    """Return the ROUGE-N of a text's tokens against one reference; a corpus has the mean over its texts."""
    ours, theirs = (Counter(ngrams(words_of(tokens), order)) for tokens in (text, reference))
    shared = (ours & theirs).total()
    return Agreement(shared / max(ours.total(), 1), shared / max(theirs.total(), 1))


def rouge_l(text: Sequence[str], reference: Sequence[str]) -> Agreement:
    """Return the ROUGE-L of a text's tokens against one reference; a corpus has the mean over its texts."""
    ours, theirs = words_of(text), words_of(reference)
    shared = common_subsequence(theirs, places_of(ours))
    return Agreement(shared / max(len(ours), 1), shared / max(len(theirs), 1))


def words_of(tokens: Sequence[str]) -> list[str]:
    """Return the words that ROUGE counts: "<year>" is "year", "well-known" is two words, "," is none."""
    return _WORD.findall(" ".join(tokens).lower())
