"""ROUGE-4 of a text as ROUGE-1.5.5 gives it (Lin 2004, section 2): shared n-grams over those of reference and text.

No stemming, stop words kept, alpha 0.5. The script cuts texts into runs of letters and digits, so punctuation does not
count; it knows English letters alone, where we take all languages' for what they are. A text or reference of less than
four words has no 4-gram and scores 0.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from evaluation.measures.ngrams import Agreement, ngrams

ORDER = 4
_WORD = re.compile(r"[^\W_]+")


def rouge(text: Sequence[str], reference: Sequence[str], order: int = ORDER) -> Agreement:
    """Precision, recall and F of a text's tokens beside one reference's; a corpus has the mean of its texts'."""
    ours, theirs = (Counter(ngrams(words_of(tokens), order)) for tokens in (text, reference))
    shared = (ours & theirs).total()
    return Agreement(shared / max(ours.total(), 1), shared / max(theirs.total(), 1))


def words_of(tokens: Sequence[str]) -> list[str]:
    """The words that ROUGE counts: "<year>" is "year", "well-known" two words, "," none."""
    return _WORD.findall(" ".join(tokens).lower())
