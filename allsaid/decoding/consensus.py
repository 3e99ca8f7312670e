"""Which of a search's texts is most like what people might write: minimum Bayes risk.

Kumar and Byrne, NAACL 2004: of the texts found, take the one that is expected to score best against references drawn
from the model. Here several references are imagined at once, and the score is BLEU's of one text: of its n-grams, each
occurrence counted by itself, those that one of the references holds. Where people wrote texts of the same goal and
agenda for the training part, the references are drawn from those as well.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from allsaid.decoding.hypothesis import Hypothesis
from allsaid.modeling.config import SearchConfig
from allsaid.modeling.data.vocabulary import END

LONGEST = 4  # words of an n-gram
SMOOTH = 0.01  # is added to what is found and to what there is, since a text may lack all n-grams of a length
# Chosen on valid parts:
SHARPNESS = 0.6  # below 1 the less likely texts count for more than the model says
OWN = 5.0  # all of the search's own texts count as so many that people wrote
LIKELY = 0.1  # a text gains so much for every nat that it is likelier, for its length

Gram = tuple[int, ...]  # words, and behind them how often they stood before in their text
Text = tuple[int, ...]


def preferred(
    found: Sequence[Hypothesis], search: SearchConfig, written: Sequence[Sequence[int]] = ()
) -> list[Hypothesis]:
    """In the order of their expected score, or with no ``consensus`` of their probability for the length.

    written: as word ids, what people wrote of the same goal and agenda.
    """
    likely = sorted(found, key=lambda one: one.rank(search)[3:])
    witnesses = [one for one in likely if one.finished]
    if not (search.consensus and witnesses):
        return likely
    references = _Drawn(_shares(witnesses, written), search.consensus)

    def expected(one: Hypothesis) -> float:
        return references.expected(_whole(one.tokens)) + LIKELY * one.log_probability / one.length(search)

    return sorted(likely, key=expected, reverse=True)


def _shares(witnesses: Sequence[Hypothesis], written: Sequence[Sequence[int]]) -> dict[Text, float]:
    """How probable each text is as a reference; 1 together."""
    best = max(one.log_probability for one in witnesses)
    weights = [math.exp((one.log_probability - best) * SHARPNESS) for one in witnesses]
    every, total = sum(weights), OWN + len(written)
    shares: defaultdict[Text, float] = defaultdict(float)
    for text in written:
        shares[_whole(text)] += 1 / total
    for one, weight in zip(witnesses, weights, strict=True):
        shares[_whole(one.tokens)] += OWN / total * weight / every
    return shares


class _Drawn:
    """References that are drawn from some texts, several at once."""

    def __init__(self, shares: Mapping[Text, float], draws: float) -> None:
        self._shares, self._draws = shares, draws
        self._held: defaultdict[Gram, float] = defaultdict(float)  # the share of the texts that hold an n-gram
        for text, share in shares.items():
            for size in range(1, LONGEST + 1):
                for gram in _grams(text, size):
                    self._held[gram] += share

    def expected(self, text: Text) -> float:
        """The logarithm of BLEU, of the precisions that are to be expected; the brevity of the most lenient drawing."""
        total = 0.0
        for size in range(1, LONGEST + 1):
            grams = [*_grams(text, size)]
            hits = sum(self._some(self._held.get(gram, 0)) for gram in grams)
            total += math.log((hits + SMOOTH) / (len(grams) + SMOOTH)) / LONGEST
        return total + self._brevity(len(text))

    def _some(self, share: float) -> float:
        """The chance that one at least of those drawn is of this share."""
        return 1 - (1 - min(share, 1)) ** self._draws

    def _brevity(self, length: int) -> float:
        """What a text loses by being shorter than all that are drawn: as if the next longer one were among them."""
        longer = [len(text) for text in self._shares if len(text) > length]
        if not longer:
            return 0.0
        as_short = sum(share for text, share in self._shares.items() if len(text) <= length)
        return (1 - self._some(as_short)) * (1 - min(longer) / length)


def _whole(tokens: Sequence[int]) -> Text:
    """With its end, since where a text ends is matched too."""
    return (*tokens, END)


def _grams(text: Text, size: int) -> Iterator[Gram]:
    before = Counter[Text]()
    for start in range(len(text) - size + 1):
        words = text[start : start + size]
        yield (*words, -before[words])
        before[words] += 1
