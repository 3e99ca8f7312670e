"""Choice of the text most similar to likely reference texts: minimum Bayes risk.

Kumar and Byrne, NAACL 2004: choose the text with the best expected score against references drawn from the model. Here
several references are drawn at once, and the score is the BLEU of one text: the share of its n-grams that are in one of
the references, where each occurrence counts. If the training part has reference texts of the same goal and agenda,
references are drawn from these as well.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from allsaid.decoding.hypothesis import Hypothesis
from allsaid.modeling.config import SearchConfig
from allsaid.modeling.data.vocabulary import END

LONGEST = 4  # the longest n-gram, in words
SMOOTH = 0.01  # added to matches and totals, since a text may match no n-gram of some length
# Chosen on dev:
SHARPNESS = 0.6  # below 1, less likely texts get more weight than the model gives them
OWN = 5.0  # total weight of the search's texts; a reference text has weight 1
LIKELY = 0.1  # weight of the log-probability (nats per length) that is added to the expected score

Gram = tuple[int, ...]  # the words, then minus the number of earlier occurrences, so that repeats differ
Text = tuple[int, ...]


def preferred(
    hypotheses: Sequence[Hypothesis], search: SearchConfig, references: Sequence[Sequence[int]] = ()
) -> list[Hypothesis]:
    """Sort by expected score or, without ``consensus``, by probability per length.

    references: the reference texts of the same goal and agenda, as word ids.
    """
    likely = sorted(hypotheses, key=lambda hypothesis: hypothesis.rank(search)[3:])
    complete = [hypothesis for hypothesis in likely if hypothesis.finished]
    if not (search.consensus and complete):
        return likely
    samples = _Samples(_shares(complete, references), search.consensus)

    def expected(hypothesis: Hypothesis) -> float:
        likelihood = LIKELY * hypothesis.log_probability / hypothesis.length(search)
        return samples.expected(_whole(hypothesis.tokens)) + likelihood

    return sorted(likely, key=expected, reverse=True)


def _shares(complete: Sequence[Hypothesis], references: Sequence[Sequence[int]]) -> dict[Text, float]:
    """Return the probability of each text as a reference; they sum to 1."""
    best = max(hypothesis.log_probability for hypothesis in complete)
    weights = [math.exp((hypothesis.log_probability - best) * SHARPNESS) for hypothesis in complete]
    weight_sum, total = sum(weights), OWN + len(references)
    shares: defaultdict[Text, float] = defaultdict(float)
    for text in references:
        shares[_whole(text)] += 1 / total
    for hypothesis, weight in zip(complete, weights, strict=True):
        shares[_whole(hypothesis.tokens)] += OWN / total * weight / weight_sum
    return shares


class _Samples:
    """References sampled from texts with known probabilities, several at once."""

    def __init__(self, shares: Mapping[Text, float], draws: float) -> None:
        self._shares, self._draws = shares, draws
        self._gram_shares: defaultdict[Gram, float] = defaultdict(float)  # n-gram -> total probability of texts with it
        for text, share in shares.items():
            for size in range(1, LONGEST + 1):
                for gram in _grams(text, size):
                    self._gram_shares[gram] += share

    def expected(self, text: Text) -> float:
        """Return the logarithm of BLEU, from the expected precisions and the expected brevity penalty."""
        total = 0.0
        for size in range(1, LONGEST + 1):
            grams = [*_grams(text, size)]
            hits = sum(self._any_drawn(self._gram_shares.get(gram, 0)) for gram in grams)
            total += math.log((hits + SMOOTH) / (len(grams) + SMOOTH)) / LONGEST
        return total + self._brevity(len(text))

    def _any_drawn(self, share: float) -> float:
        """Return the probability that at least one draw comes from a set of texts with this total probability."""
        return 1 - (1 - min(share, 1)) ** self._draws

    def _brevity(self, length: int) -> float:
        """Return the expected brevity penalty; if all drawn texts are longer, the shortest longer text counts."""
        longer = [len(text) for text in self._shares if len(text) > length]
        if not longer:
            return 0.0
        as_short = sum(share for text, share in self._shares.items() if len(text) <= length)
        return (1 - self._any_drawn(as_short)) * (1 - min(longer) / length)


def _whole(tokens: Sequence[int]) -> Text:
    """Append the end token, since the end of a text is matched too."""
    return (*tokens, END)


def _grams(text: Text, size: int) -> Iterator[Gram]:
    before = Counter[Text]()
    for start in range(len(text) - size + 1):
        words = text[start : start + size]
        yield (*words, -before[words])
        before[words] += 1
