"""Mentions of a column's cells in the texts of a user's table, compared with chance.

A column counts as said if its cells are found in the texts of their own rows clearly more often than in shuffled rows,
by more than three standard deviations. Each of ten shuffles gives the texts to the rows in another order; the mean
number of cells found then is chance. So a column with the same cell in all rows is never said, and neither is a column
of small numbers that many texts have.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from math import sqrt
from random import Random

from allsaid.language.numbers import find_numbers, read_amount
from allsaid.language.stems import key
from allsaid.language.word_table import AS_WRITTEN, normalise
from allsaid.proof.polarity import is_negated
from pipelines.sources.records.mapping import Column
from pipelines.sources.records.mapping_keys import YES_NO
from pipelines.sources.records.values import YES, forms_of, normalised, spoken_of

MAX_KEYWORDS = 3
SHARED = 4  # leading letters that a word of the texts and one of a column's name share: fold, foldable
OFTEN, MOSTLY, SELDOM = 0.5, 0.8, 0.1  # shares of the rows, or of a word's uses
# Words that say nothing, in English, German, French and Spanish; a phrase neither begins nor ends with one.
_EMPTY = """a an the of in on at to for with and or but is are was were be been it its this that these those they them
their he she his her we us our you your i my who which as by from has have had do does did will would can could may so
also too then here there
der die das dem des und oder aber ist sind war mit ein eine einen einem einer im in am an auf aus bei von vom zu zum
zur für wir uns sie er es ihr ihre ihren sein seine auch wird werden haben sich als wie so hier
le la les de du des au aux et ou mais est sont un une ce cet cette ces il elle ils elles nous vous se sa ses leur en
dans par avec qui que
el los las del al y o es una unos unas con en por para su sus se lo que como"""
EMPTY = frozenset(_EMPTY.split())
# Words that need others to say something: "without a lid", "under £20".
_JOINING = """no not nor never without under over up out off about only just more less very than if when while after
before nicht kein keine ohne nur noch mehr sehr über unter nach vor pas ne sans plus sur sous très sin más muy sobre"""
_NOT_ALONE = EMPTY.union(_JOINING.split())
SHUFFLES = 10
DEVIATIONS, LEAST = 3, 1.0  # standard deviations above chance; the least that one is, in cells

Says = Callable[[int], bool]  # whether the text of a row says a cell


def is_telling(word: str) -> bool:
    """Return whether a word says something by itself."""
    return word not in _NOT_ALONE


@dataclass(frozen=True)
class Texts:
    """The texts of N rows, "" for a row without one."""

    written: Sequence[str]

    @cached_property
    def padded(self) -> list[str]:
        """N normalised texts, with a blank on each side."""
        return [f" {' '.join(normalise(text, AS_WRITTEN)[0])} " for text in self.written]

    @cached_property
    def beside_numbers(self) -> tuple[Counter[str], Counter[str]]:
        """How often each word is used, and how often next to a number."""
        uses: Counter[str] = Counter()
        near: Counter[str] = Counter()
        for words in self.words:
            places = [place for place, word in enumerate(words) if any(map(str.isdigit, word))]
            uses.update(words)
            near.update(
                words[neighbour]
                for neighbour in {place + step for place in places for step in (-1, 1)}
                if -1 < neighbour < len(words)
            )
        return uses, near

    @cached_property
    def words(self) -> list[list[str]]:
        """N lists of words."""
        return [text.split() for text in self.padded]

    @cached_property
    def kinds_of_words(self) -> list[set[str]]:
        """N sets of words of letters, with hyphens in compounds such as dishwasher-safe."""
        return [{word for word in words if word.replace("-", "").isalpha()} for words in self.words]

    @cached_property
    def shuffled(self) -> list[dict[int, int]]:
        """Several orders of the rows that have a text: row -> the row whose text it gets."""
        rows = [row for row, text in enumerate(self.written) if text]
        random = Random(0)
        return [dict(zip(rows, random.sample(rows, len(rows)), strict=True)) for _ in range(SHUFFLES)]

    def is_said(self, cells: Iterable[tuple[int, Says]]) -> bool:
        """Return whether the texts say cells, each given with its row, clearly more often than by chance."""
        found = [(row, says) for row, says in cells if self.written[row]]
        own = sum(says(row) for row, says in found)
        by_chance = sum(says(order[row]) for order in self.shuffled for row, says in found) / SHUFFLES
        deviation = sqrt(by_chance * (1 - by_chance / len(found))) if found else 0.0
        return own > by_chance + DEVIATIONS * max(deviation, LEAST)

    def saying(self, column: Column, cell: str) -> Says:
        """Return whether a text says a cell in one of the forms that its column's kind allows."""
        forms = [f" {' '.join(form)} " for form in forms_of(column, normalised(column, cell, AS_WRITTEN))]
        return lambda row: any(form in self.padded[row] for form in forms)

    def share_said(self, column: Column, cells: Iterable[tuple[int, str]]) -> float:
        """Return the share of a column's filled cells, each given with its row, that the row's text says."""
        found = [self.saying(column, cell)(row) for row, cell in cells]
        return sum(found) / len(found) if found else 0.0

    def are_answered(self, cells: Sequence[tuple[int, str]], is_keyword: Callable[[str], bool]) -> bool:
        """Return whether the texts say yes or no, as the cells have it, of what keywords mention."""
        said = []
        for words in self.words:
            places = {place for place, word in enumerate(words) if is_keyword(word)}
            said.append(not is_negated(words, places) if places else None)

        def saying(answer: bool) -> Says:
            return lambda row: said[row] is answer

        return self.is_said((row, saying(cell.lower() in YES)) for row, cell in cells)


def keywords_of(texts: Texts, name: str, cells: Sequence[tuple[int, str]]) -> list[str] | None:
    """Return the words of the texts that mention a yes/no column; none of them if the words of its name do.

    They begin like a word of the name, or are in most texts of a yes (or of a yes and a no) and in few others. Returns
    None if no words express its cells.
    """
    filled = {row for row, _ in cells}
    own = spoken_of(Column(name, YES_NO))
    yes = {row for row, cell in cells if cell.lower() in YES}
    is_named = texts.are_answered(cells, lambda word: key(word) in own)
    if is_named and any(
        _share(texts, rows, lambda words: any(key(word) in own for word in words)) >= OFTEN for rows in (filled, yes)
    ):
        return []
    uses = Counter(word for row in filled for word in texts.kinds_of_words[row])
    stems = [part for part in name.lower().replace("_", " ").replace("-", " ").split() if len(part) > SHARED]
    begins = {part[:SHARED] for part in stems}
    related = [word for word, rows in uses.most_common() if rows > 1 and word[:SHARED] in begins]
    for words in (related, *(_telling(texts, uses, rows) for rows in (filled, yes))):
        said = [word for word in words if texts.are_answered(cells, word.__eq__)]
        if said:
            return said[:MAX_KEYWORDS]
    return [] if is_named else None


def _telling(texts: Texts, uses: Counter[str], rows: set[int]) -> list[str]:
    """Return the words that are in most texts of some rows and in few of the others, the most frequent first."""
    others = {row for row, text in enumerate(texts.written) if text} - rows
    found = [word for word in uses if is_telling(word) and others and _tells(texts, word, rows, others)]
    return sorted(found, key=lambda word: (-uses[word], word))


def _tells(texts: Texts, word: str, rows: set[int], others: set[int]) -> bool:
    return (
        _share(texts, rows, lambda words: word in words) >= OFTEN
        and _share(texts, others, lambda words: word in words) <= SELDOM
    )


def _share(texts: Texts, rows: set[int], holds: Callable[[set[str]], bool]) -> float:
    return sum(holds(texts.kinds_of_words[row]) for row in rows) / len(rows) if rows else 0.0


def units_of(texts: Texts, cells: Sequence[tuple[int, str]]) -> list[str]:
    """Return words and signs that texts write next to a column's numbers: "€" and "euros".

    One is next to the number in a tenth of the rows, and hardly ever elsewhere than next to numbers.
    """
    beside: Counter[str] = Counter()
    for row, cell in cells:
        amount = read_amount(cell)
        words = texts.words[row]
        places = [place for place, word in enumerate(words) if amount and _writes(word, amount.number)]
        beside.update({near for place in places for near in _near(words, place)})
    uses, with_numbers = texts.beside_numbers
    often = [word for word, rows in beside.most_common() if rows >= SELDOM * len(cells) and not word.isdigit()]
    return [word for word in often if is_telling(word) and with_numbers[word] >= MOSTLY * uses[word]][:MAX_KEYWORDS]


def _writes(word: str, number: Decimal) -> bool:
    return any(found == number for _, _, found in find_numbers(word))


def _near(words: Sequence[str], place: int) -> list[str]:
    """Return the word after a place, and signs such as € before or after it."""
    near = [words[neighbour] for neighbour in (place - 1, place + 1) if 0 <= neighbour < len(words)]
    signs = [word for word in near if unicodedata.category(word[0]) in ("Sc", "So") or word == "%"]
    return signs + [word for word in words[place + 1 : place + 2] if word.isalpha()]
