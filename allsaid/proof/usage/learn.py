"""Learn words by which the submitted texts state a value: "pasteurised" in texts of rows without raw milk.

A text states each value once. So if a word states a value, texts have it where no rule finds the value, but rarely
where a rule does, and only texts of rows with this value have it. A word is *learned* if this is unlikely by chance
(Fisher's exact test with Bonferroni's correction) and if no other value or goal of the rows explains its texts as well.
A word that its clause denies counts as another word: "drop in", "don't drop in". Learned words are weak evidence: they
cover a value that no rule finds, but contradict nothing. For a value that all texts omit, no word is learned.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb
from types import MappingProxyType

from allsaid.proof.usage.names import Mention, mentions_of
from allsaid.proof.values.facts import Sign
from allsaid.proof.values.reading import Reading
from allsaid.proof.values.weak import is_omitted, signs_of
from schemas.act import parse_agenda_line
from schemas.texts.generated import goal_line

MAX_ERROR = 0.05  # largest probability that any word is learned by chance, in a round
MIN_TEXTS = 3  # fewest texts with the word in which no rule finds the value
MIN_SHARE = 0.9  # smallest share of the texts with the word whose rows have the value
ROUNDS = 5  # at most; after each round, fewer texts omit a value


@dataclass(frozen=True)
class Observed:
    """One text: the lines of its row, those that it seems to omit, words that no rule explains, and stated values."""

    lines: frozenset[str]
    omitted: frozenset[str]
    signs: frozenset[Sign]
    mentions: tuple[Mention, ...] = ()


def observe(reading: Reading, goal: str) -> Observed:
    """Return the omitted lines and unexplained words of a text; the ``goal`` of its row may explain words, too."""
    omitted = (fact.line for item, fact in enumerate(reading.facts) if is_omitted(reading, item))
    lines = (*(fact.line for fact in reading.facts), goal_line(goal))
    return Observed(frozenset(lines), frozenset(omitted), frozenset(signs_of(reading)), tuple(mentions_of(reading)))


def learn(
    texts: Sequence[Observed], never: Mapping[str, Collection[str]] = MappingProxyType({})
) -> dict[str, frozenset[Sign]]:
    """Return the words that state a value, by its agenda line; ``never``: column -> stems of words that do not."""
    with_sign = _index((sign, number) for number, text in enumerate(texts) for sign in text.signs)
    with_line = _index((line, number) for number, text in enumerate(texts) for line in text.lines)
    column_of = {line: parse_agenda_line(line).slot for line in with_line}
    with_column = _index((column_of[line], number) for line, numbers in with_line.items() for number in numbers)
    omitted = _index((line, number) for number, text in enumerate(texts) for line in text.omitted)
    found: dict[str, set[Sign]] = {}
    for _ in range(ROUNDS):
        tested: list[tuple[float, str, Sign]] = []
        for line, without in sorted(omitted.items()):
            texts_of_column = with_column[column_of[line]]
            together = Counter(sign for number in without for sign in texts[number].signs)
            for sign, times in sorted(together.items()):
                if times > 1 and len(without) >= MIN_TEXTS and sign[0] not in never.get(column_of[line], ()):
                    texts_with_sign = with_sign[sign] & texts_of_column
                    is_major = times >= MIN_TEXTS and len(texts_with_sign & with_line[line]) >= MIN_SHARE * len(
                        texts_with_sign
                    )
                    chance = (
                        _chance(times, len(texts_with_sign), len(without), len(texts_of_column)) if is_major else 1.0
                    )
                    tested.append((chance, line, sign))
        new = [
            (line, sign)
            for chance, line, sign in tested
            if chance * len(tested) <= MAX_ERROR
            and not _is_explained(with_sign[sign], line, with_line, len(texts), chance)
        ]
        for line, sign in new:
            found.setdefault(line, set()).add(sign)
            omitted[line] -= with_sign[sign]
        if not new:
            break
    return {line: frozenset(signs) for line, signs in sorted(found.items())}


def _is_explained(
    texts_with_word: set[int], line: str, with_line: Mapping[str, set[int]], texts: int, chance: float
) -> bool:
    """Return whether another column's value explains ``texts_with_word`` at least as well as ``line`` does."""
    column = parse_agenda_line(line).slot
    return any(
        _chance(len(texts_with_word & rows), len(texts_with_word), len(rows), texts) <= chance
        for other, rows in with_line.items()
        if parse_agenda_line(other).slot != column and len(texts_with_word & rows) >= MIN_TEXTS
    )


def _index(pairs: Iterable[tuple[object, int]]) -> dict:
    found: dict = {}
    for key, number in pairs:
        found.setdefault(key, set()).add(number)
    return found


@lru_cache(maxsize=1 << 16)
def _chance(times: int, drawn: int, marked: int, total: int) -> float:
    """Return the probability that at least ``times`` of the texts ``drawn`` from all are ``marked``."""
    ways = sum(
        comb(marked, number) * comb(total - marked, drawn - number) for number in range(times, min(drawn, marked) + 1)
    )
    return ways / comb(total, drawn)
