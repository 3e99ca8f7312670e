"""Words for a value that the submitted texts use themselves: "pasteurised" in texts of rows without raw milk.

A text states each value once. So a word that states a value is in the texts where no rule finds the value, rarely in
others, and in those of rows with this value alone. A word is *learned* if this is no chance: by Fisher's exact test,
with Bonferroni's correction, and if no other value or goal of the rows explains its texts as well. A clause that denies
the word counts as another word: "drop in", "don't drop in". Learned words are weak evidence: they cover a value that no
rule finds, and contradict nothing. Where all texts omit a value, there is no such word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb

from allsaid.proof.values.facts import Sign
from allsaid.proof.values.reading import Reading
from allsaid.proof.values.weak import is_omitted, signs_of
from schemas.act import parse_agenda_line
from schemas.texts.generated import goal_line

MAX_ERROR = 0.05  # probability that a word is learned by chance, in a round
MIN_TEXTS = 3  # with the word, whose value no rule finds
MIN_SHARE = 0.9  # of the texts with the word: their rows have the value
ROUNDS = 5  # at most; words that are learned leave fewer texts without a value


@dataclass(frozen=True)
class Observed:
    """One text: the lines of its row, those that it seems to omit, and its words that belong to nothing else."""

    lines: frozenset[str]
    omitted: frozenset[str]
    signs: frozenset[Sign]


def observe(reading: Reading, goal: str) -> Observed:
    """Return what is left to explain in a text; the ``goal`` of its row may explain words, too."""
    omitted = (fact.line for item, fact in enumerate(reading.facts) if is_omitted(reading, item))
    lines = (*(fact.line for fact in reading.facts), goal_line(goal))
    return Observed(frozenset(lines), frozenset(omitted), frozenset(signs_of(reading)))


def learn(texts: Sequence[Observed]) -> dict[str, frozenset[Sign]]:
    """Return the words that state a value, by its agenda line."""
    with_sign = _index((sign, number) for number, text in enumerate(texts) for sign in text.signs)
    with_line = _index((line, number) for number, text in enumerate(texts) for line in text.lines)
    column_of = {line: parse_agenda_line(line).slot for line in with_line}
    with_column = _index((column_of[line], number) for line, numbers in with_line.items() for number in numbers)
    omitted = _index((line, number) for number, text in enumerate(texts) for line in text.omitted)
    found: dict[str, set[Sign]] = {}
    for _ in range(ROUNDS):
        tested: list[tuple[float, str, Sign]] = []
        for line, without in sorted(omitted.items()):
            every = with_column[column_of[line]]
            together = Counter(sign for number in without for sign in texts[number].signs)
            for sign, times in sorted(together.items()):
                if times > 1 and len(without) >= MIN_TEXTS:
                    having = with_sign[sign] & every
                    is_major = times >= MIN_TEXTS and len(having & with_line[line]) >= MIN_SHARE * len(having)
                    chance = _chance(times, len(having), len(without), len(every)) if is_major else 1.0
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


def _is_explained(having: set[int], line: str, with_line: Mapping[str, set[int]], texts: int, chance: float) -> bool:
    """Return whether another column's value explains the texts ``having`` a word at least as well as ``line``."""
    column = parse_agenda_line(line).slot
    return any(
        _chance(len(having & rows), len(having), len(rows), texts) <= chance
        for other, rows in with_line.items()
        if parse_agenda_line(other).slot != column and len(having & rows) >= MIN_TEXTS
    )


def _index(pairs: Iterable[tuple[object, int]]) -> dict:
    found: dict = {}
    for key, number in pairs:
        found.setdefault(key, set()).add(number)
    return found


@lru_cache(maxsize=1 << 16)
def _chance(times: int, drawn: int, marked: int, every: int) -> float:
    """Return the probability that at least ``times`` of the texts ``drawn`` from all are ``marked``."""
    ways = sum(comb(marked, one) * comb(every - marked, drawn - one) for one in range(times, min(drawn, marked) + 1))
    return ways / comb(every, drawn)
