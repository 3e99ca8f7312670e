"""ROUGE of a text as ROUGE-1.5.5 gives it (Lin 2004): ROUGE-4 of shared 4-grams, ROUGE-L of the longest shared words.

ROUGE-4 (section 2) is what text and reference share over the n-grams of each, ROUGE-L (section 3.1) their longest
common subsequence over the words of each. No stemming, stop words kept, alpha 0.5. The script cuts texts into runs of
letters and digits, so punctuation does not count; it knows English letters alone, where we take all languages' for what
they are. A text or reference of less than four words has no 4-gram and scores 0.
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


def rouge_l(text: Sequence[str], reference: Sequence[str]) -> Agreement:
    """The same by the longest words that both have in one order, with others between them or not."""
    ours, theirs = words_of(text), words_of(reference)
    shared = _common(ours, theirs)
    return Agreement(shared / max(len(ours), 1), shared / max(len(theirs), 1))


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """The length of the longest common subsequence."""
    lengths = [0] * (len(other) + 1)  # of the words so far of the one, with the first n of the other
    for word in one:
        before = lengths
        lengths = [0]
        for place, its in enumerate(other):
            lengths.append(before[place] + 1 if word == its else max(before[place + 1], lengths[place]))
    return lengths[-1]


def words_of(tokens: Sequence[str]) -> list[str]:
    """The words that ROUGE counts: "<year>" is "year", "well-known" two words, "," none."""
    return _WORD.findall(" ".join(tokens).lower())
