"""Mentions of a column's cells in the texts of a user's table, compared with chance.

The texts count as mentioning a column if its cells are found in the texts of their rows clearly more often than in
shuffled texts, by more than three standard deviations. Each of ten shuffles assigns the texts to the rows in another
order; the mean number of cells found then is what chance explains. So a column with the same cell in all rows is never
mentioned, nor is a column of small numbers that many texts contain.
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

from allsaid.language.endings import endings
from allsaid.language.inflection import COMMONEST, language_of
from allsaid.language.numbers import find_numbers, read_amount
from allsaid.language.stems import key
from allsaid.language.text import listed
from allsaid.language.word_table import AS_WRITTEN, normalise
from allsaid.proof.polarity import is_negated
from pipelines.sources.records.mapping import Column
from pipelines.sources.records.mapping_keys import YES_NO
from pipelines.sources.records.values import YES, forms_of, normalised, spoken_of

MAX_KEYWORDS = 3
MIN_TEXTS = 3  # that show their language
SHARED = 4  # leading letters that a word of the texts and a word of a column's name share: fold, foldable
OFTEN, MOSTLY, SELDOM = 0.5, 0.8, 0.1  # shares of the rows, or of a word's uses
# Words without content, in English, German, French and Spanish; a phrase neither begins nor ends with one.
WITHOUT_CONTENT = listed("""a an the of in on at to for with and or but is are was were be been it its this that
these those they them their he she his her we us our you your i my who which as by from has have had do does did
will would can could may so also too then here there der die das dem des und oder aber ist sind war mit ein eine
einen einem einer im in am an auf aus bei von vom zu zum zur für wir uns sie er es ihr ihre ihren sein seine auch
wird werden haben sich als wie so hier le la les de du des au aux et ou mais est sont un une ce cet cette ces il
elle ils elles nous vous se sa ses leur en dans par avec qui que el los las del al y o es una unos unas con en por
para su sus se lo que como""")
# Words that need others to mean something: "without a lid", "under £20".
_JOINING = """no not nor never without under over up out off about only just more less very than if when while after
before nicht kein keine ohne nur noch mehr sehr über unter nach vor pas ne sans plus sur sous très sin más muy sobre"""
_NOT_ALONE = WITHOUT_CONTENT.union(_JOINING.split())
SHUFFLES = 10
DEVIATIONS, MIN_DEVIATION = 3, 1.0  # standard deviations above chance; a deviation counts as at least this many cells

Mentions = Callable[[int], bool]  # whether the text of a row mentions a cell


def has_content(word: str) -> bool:
    """Return whether a word means something without other words."""
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
    def uses(self) -> tuple[Counter[str], Counter[str]]:
        """How often each word is used, and how often next to a number."""
        uses: Counter[str] = Counter()
        next_to_numbers: Counter[str] = Counter()
        for words in self.words:
            numbers = [position for position, word in enumerate(words) if any(map(str.isdigit, word))]
            uses.update(words)
            next_to_numbers.update(
                words[neighbour]
                for neighbour in {position + step for position in numbers for step in (-1, 1)}
                if -1 < neighbour < len(words)
            )
        return uses, next_to_numbers

    @cached_property
    def words(self) -> list[list[str]]:
        """N lists of words."""
        return [text.split() for text in self.padded]

    @cached_property
    def language(self) -> tuple[str, int]:
        """The language of most texts, if it is one whose endings are known, and their number; else "" and 0."""
        languages = [language for words in self.words if (language := language_of(words))]
        language, count = max(Counter(languages).items(), key=lambda entry: entry[1], default=("", 0))
        is_clear = count >= max(MIN_TEXTS, MOSTLY * len(languages), OFTEN * sum(map(bool, self.written)))
        return (language, count) if is_clear and endings(language) else ("", 0)

    def evidence(self) -> str:
        """Return a comment that says by which words the texts show their language; "" if they show none to name."""
        language, count = self.language
        if not language:
            return ""
        used = [word for word, _ in self.uses[0].most_common() if word in COMMONEST[language]][:MAX_KEYWORDS]
        return (
            f"# {count:,} of {sum(map(bool, self.written)):,} texts have more of the commonest words of '{language}' "
            f"({', '.join(used)}) than of any other language.\n"
        )

    @cached_property
    def word_sets(self) -> list[set[str]]:
        """N sets of words of letters, with hyphens in compounds such as dishwasher-safe."""
        return [{word for word in words if word.replace("-", "").isalpha()} for words in self.words]

    @cached_property
    def shuffled(self) -> list[dict[int, int]]:
        """Several orders of the rows that have a text: row -> the row whose text it gets."""
        rows = [row for row, text in enumerate(self.written) if text]
        random = Random(0)
        return [dict(zip(rows, random.sample(rows, len(rows)), strict=True)) for _ in range(SHUFFLES)]

    def are_mentioned(self, cells: Iterable[tuple[int, Mentions]]) -> bool:
        """Return whether the texts mention cells, each given with its row, clearly more often than by chance."""
        found = [(row, mentions) for row, mentions in cells if self.written[row]]
        mentioned = sum(mentions(row) for row, mentions in found)
        by_chance = sum(mentions(order[row]) for order in self.shuffled for row, mentions in found) / SHUFFLES
        deviation = sqrt(by_chance * (1 - by_chance / len(found))) if found else 0.0
        return mentioned > by_chance + DEVIATIONS * max(deviation, MIN_DEVIATION)

    def mentions_of(self, column: Column, cell: str) -> Mentions:
        """Return a test whether a row's text mentions a cell in one of the forms that the column's kind allows."""
        forms = [f" {' '.join(form)} " for form in forms_of(column, normalised(column, cell, AS_WRITTEN))]
        return lambda row: any(form in self.padded[row] for form in forms)

    def share_mentioned(self, column: Column, cells: Iterable[tuple[int, str]]) -> float:
        """Return the share of a column's filled cells, each given with its row, that the row's text mentions."""
        found = [self.mentions_of(column, cell)(row) for row, cell in cells]
        return sum(found) / len(found) if found else 0.0

    def are_answered(self, cells: Sequence[tuple[int, str]], is_keyword: Callable[[str], bool]) -> bool:
        """Return whether the texts affirm or deny the keywords as the cells do, clearly more often than by chance."""
        answers = []  # of each text; None if it has no keyword
        for words in self.words:
            positions = {position for position, word in enumerate(words) if is_keyword(word)}
            answers.append(not is_negated(words, positions) if positions else None)

        def agrees(answer: bool) -> Mentions:
            return lambda row: answers[row] is answer

        return self.are_mentioned((row, agrees(cell.lower() in YES)) for row, cell in cells)


def keywords_of(texts: Texts, name: str, cells: Sequence[tuple[int, str]]) -> list[str] | None:
    """Return the words of the texts that mention a yes/no column; no words if the words of its name suffice.

    They begin like a word of the name, or are in most texts of rows with a yes (or with a yes or no) and in few others.
    Returns None if no words express the column's cells.
    """
    filled = {row for row, _ in cells}
    name_stems = spoken_of(Column(name, YES_NO))
    yes = {row for row, cell in cells if cell.lower() in YES}
    is_named = texts.are_answered(cells, lambda word: key(word) in name_stems)
    if is_named and any(
        _share(texts, rows, lambda words: any(key(word) in name_stems for word in words)) >= OFTEN
        for rows in (filled, yes)
    ):
        return []
    uses = Counter(word for row in filled for word in texts.word_sets[row])
    parts = [part for part in name.lower().replace("_", " ").replace("-", " ").split() if len(part) > SHARED]
    beginnings = {part[:SHARED] for part in parts}
    related = [word for word, rows in uses.most_common() if rows > 1 and word[:SHARED] in beginnings]
    for words in (related, *(_typical_words(texts, uses, rows) for rows in (filled, yes))):
        keywords = [word for word in words if texts.are_answered(cells, word.__eq__)]
        if keywords:
            return keywords[:MAX_KEYWORDS]
    return [] if is_named else None


def _typical_words(texts: Texts, uses: Counter[str], rows: set[int]) -> list[str]:
    """Return the words that are in most texts of some rows and in few of the others, the most frequent first."""
    others = {row for row, text in enumerate(texts.written) if text} - rows
    found = [word for word in uses if has_content(word) and others and _is_typical(texts, word, rows, others)]
    return sorted(found, key=lambda word: (-uses[word], word))


def _is_typical(texts: Texts, word: str, rows: set[int], others: set[int]) -> bool:
    return (
        _share(texts, rows, lambda words: word in words) >= OFTEN
        and _share(texts, others, lambda words: word in words) <= SELDOM
    )


def _share(texts: Texts, rows: set[int], holds: Callable[[set[str]], bool]) -> float:
    return sum(holds(texts.word_sets[row]) for row in rows) / len(rows) if rows else 0.0


def units_of(texts: Texts, cells: Sequence[tuple[int, str]]) -> list[str]:
    """Return words and signs that texts write next to a column's numbers: "€" and "euros".

    They are next to the number in a tenth of the rows, and hardly ever anywhere but next to numbers.
    """
    neighbours: Counter[str] = Counter()  # word -> rows
    for row, cell in cells:
        amount = read_amount(cell)
        words = texts.words[row]
        positions = [position for position, word in enumerate(words) if amount and _is_number(word, amount.number)]
        neighbours.update({near for position in positions for near in _near(words, position)})
    uses, next_to_numbers = texts.uses
    frequent = [word for word, rows in neighbours.most_common() if rows >= SELDOM * len(cells) and not word.isdigit()]
    units = [word for word in frequent if has_content(word) and next_to_numbers[word] >= MOSTLY * uses[word]]
    return units[:MAX_KEYWORDS]


def _is_number(word: str, number: Decimal) -> bool:
    return any(found == number for _, _, found in find_numbers(word))


def _near(words: Sequence[str], position: int) -> list[str]:
    """Return the word after a position, and signs such as € before or after it."""
    near = [words[neighbour] for neighbour in (position - 1, position + 1) if 0 <= neighbour < len(words)]
    signs = [word for word in near if unicodedata.category(word[0]) in ("Sc", "So") or word == "%"]
    return signs + [word for word in words[position + 1 : position + 2] if word.isalpha()]
