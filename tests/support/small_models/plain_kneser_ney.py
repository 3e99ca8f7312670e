"""Interpolated modified Kneser-Ney once more, n-gram by n-gram (Chen and Goodman 1998, section 4.1.6).

As KenLM does it: n-grams that begin with <s> keep their own counts, unigrams are interpolated with all V words, where
<unk> is one and <s> none, and an order that gives no discounts has those of ``FALLBACK``.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

START, END, UNKNOWN = "<s>", "</s>", "<unk>"
FALLBACK = (0.5, 1.0, 1.5)
Ngram = tuple[str, ...]


class PlainKneserNey:
    def __init__(self, sentences: Sequence[Sequence[str]], order: int, words: int = 0) -> None:
        """words: V; by default those of the sentences, </s> and <unk>."""
        self.order = order
        self.vocabulary = {word for sentence in sentences for word in sentence} | {END, UNKNOWN}
        self.words = words or len(self.vocabulary)
        self.counts = self._adjusted_counts(sentences)
        self.guessed: list[int] = []  # the orders with discounts of FALLBACK
        self.discounts = {n: self._discounts_of(n) for n in range(1, order + 1)}
        self.following: dict[Ngram, list[Ngram]] = defaultdict(list)
        self.totals: Counter[Ngram] = Counter()
        for ngram, count in self.counts.items():
            self.following[ngram[:-1]].append(ngram)
            self.totals[ngram[:-1]] += count

    def _adjusted_counts(self, sentences: Sequence[Sequence[str]]) -> Counter[Ngram]:
        seen: Counter[Ngram] = Counter()
        for sentence in sentences:
            whole = (START, *sentence, END)
            for end in range(2, len(whole) + 1):
                for n in range(1, min(self.order, end) + 1):
                    seen[whole[end - n : end]] += 1
        adjusted: Counter[Ngram] = Counter()
        for ngram, count in seen.items():
            if len(ngram) == self.order or ngram[0] == START:
                adjusted[ngram] = count
            if len(ngram) > 1:
                adjusted[ngram[1:]] += 1  # one more word that it follows
        return adjusted

    def _discounts_of(self, n: int) -> tuple[float, ...]:
        """Equation 26; of counts 1, 2, and 3 or more."""
        having = Counter(count for ngram, count in self.counts.items() if len(ngram) == n)
        if all(having[count] for count in (1, 2, 3)):
            y = having[1] / (having[1] + 2 * having[2])
            found = tuple(count - (count + 1) * y * having[count + 1] / having[count] for count in (1, 2, 3))
            if all(0 <= discount <= count for count, discount in enumerate(found, 1)):
                return found
        self.guessed.append(n)
        return FALLBACK

    def backoff(self, context: Ngram) -> float:
        """What a context leaves to shorter ones; of one never seen that is all."""
        if context not in self.following:
            return 1.0
        return sum(map(self._discount, self.following[context])) / self.totals[context]

    def probability(self, word: str, context: Ngram) -> float:
        context = context[-self.order + 1 :] if self.order > 1 else ()
        shorter = 1 / self.words if not context else self.probability(word, context[1:])
        ngram = (*context, word)
        own = (self.counts[ngram] - self._discount(ngram)) / self.totals[context] if ngram in self.counts else 0.0
        return own + self.backoff(context) * shorter

    def _discount(self, ngram: Ngram) -> float:
        return self.discounts[len(ngram)][min(self.counts[ngram], 3) - 1]
