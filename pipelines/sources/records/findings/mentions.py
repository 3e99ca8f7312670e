"""What the texts of a user's table say of one column's cells; for the guess of a mapping."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from allsaid.language.numbers import find_numbers, read_amount
from allsaid.language.stems import key
from allsaid.language.word_table import AS_WRITTEN, normalise
from pipelines.sources.records.mapping import Column
from pipelines.sources.records.values import YES, forms_of, normalised, spoken_of

MAX_KEYWORDS = 3
SHARED = 4  # letters that a word of the texts and one of a column's name have in common at the front: fold, foldable
OFTEN, MOSTLY, SELDOM = 0.5, 0.8, 0.1  # shares of the rows, or of a word's uses


@dataclass(frozen=True)
class Texts:
    """The texts of N rows."""

    written: Sequence[str]

    @cached_property
    def padded(self) -> list[str]:
        """N normalised texts, with a blank on each side."""
        return [f" {' '.join(normalise(text, AS_WRITTEN)[0])} " for text in self.written]

    @cached_property
    def beside_numbers(self) -> tuple[Counter[str], Counter[str]]:
        """How often each word is used, and how often beside a number."""
        uses: Counter[str] = Counter()
        near: Counter[str] = Counter()
        for text in self.padded:
            words = text.split()
            places = [place for place, word in enumerate(words) if any(map(str.isdigit, word))]
            uses.update(words)
            near.update(
                words[one] for one in {one + step for one in places for step in (-1, 1)} if -1 < one < len(words)
            )
        return uses, near

    @cached_property
    def words(self) -> list[set[str]]:
        """N sets of words."""
        return [{word for word in text.split() if word.isalpha()} for text in self.padded]


def says(text: str, column: Column, cell: str) -> bool:
    """Whether a text, as in `Texts.padded`, says a cell in one of the forms that its column's kind allows."""
    forms = forms_of(column, normalised(column, cell, AS_WRITTEN))
    return any(f" {' '.join(form)} " in text for form in forms)


def share_said(texts: Texts, column: Column, cells: Iterable[tuple[int, str]]) -> float:
    """Of a column's filled cells, each with its row: the share that stands in the row's text."""
    found = [says(texts.padded[row], column, cell) for row, cell in cells]
    return sum(found) / len(found) if found else 0.0


def keywords_of(texts: Texts, name: str, cells: Sequence[tuple[int, str]]) -> list[str]:
    """Words of the texts that speak of a yes/no column, most telling first; none where its own name's words do.

    They begin as a word of the name does, or stand in most texts of a yes (or of a yes and no), and in few others.
    """
    filled = {row for row, _ in cells}
    own = spoken_of(Column(name, "yes/no"))
    yes = {row for row, cell in cells if cell.lower() in YES}
    if (
        max(_share(texts, rows, lambda words: any(key(word) in own for word in words)) for rows in (filled, yes))
        >= OFTEN
    ):
        return []
    everywhere = set(range(len(texts.words)))
    uses = Counter(word for row in filled for word in texts.words[row])
    stems = [part for part in name.lower().replace("_", " ").replace("-", " ").split() if len(part) > SHARED]
    related = [word for word, rows in uses.most_common() if rows > 1 and any(_is_like(word, part) for part in stems)]
    if related:
        return related[:MAX_KEYWORDS]
    for rows in (filled, yes):
        others = everywhere - rows
        if rows and others:
            telling = [word for word in uses if _tells(texts, word, rows, others)]
            if telling:
                return sorted(telling, key=lambda word: (-uses[word], word))[:MAX_KEYWORDS]
    return []


def _is_like(word: str, part: str) -> bool:
    return len(word) >= SHARED and word[:SHARED] == part[:SHARED]


def _tells(texts: Texts, word: str, rows: set[int], others: set[int]) -> bool:
    return (
        len(word) >= SHARED
        and _share(texts, rows, lambda words: word in words) >= OFTEN
        and _share(texts, others, lambda words: word in words) <= SELDOM
    )


def _share(texts: Texts, rows: set[int], holds: Callable[[set[str]], bool]) -> float:
    return sum(holds(texts.words[row]) for row in rows) / len(rows) if rows else 0.0


def units_of(texts: Texts, cells: Sequence[tuple[int, str]]) -> list[str]:
    """Words and signs that texts write beside a column's numbers: "€" and "euros".

    One stands beside the number in a tenth of the rows, and nearly nowhere else than beside numbers.
    """
    beside: Counter[str] = Counter()
    for row, cell in cells:
        amount = read_amount(cell)
        words = texts.padded[row].split()
        places = [place for place, word in enumerate(words) if amount and _writes(word, amount.number)]
        beside.update({near for place in places for near in _near(words, place)})
    uses, with_numbers = texts.beside_numbers
    often = [word for word, rows in beside.most_common() if rows >= SELDOM * len(cells) and not word.isdigit()]
    return [word for word in often if with_numbers[word] >= MOSTLY * uses[word]][:MAX_KEYWORDS]


def _writes(word: str, number: Decimal) -> bool:
    return any(found == number for _, _, found in find_numbers(word))


def _near(words: Sequence[str], place: int) -> list[str]:
    """The word behind a place, and signs such as € before or behind it."""
    near = [words[one] for one in (place - 1, place + 1) if 0 <= one < len(words)]
    signs = [word for word in near if unicodedata.category(word[0]) in ("Sc", "So") or word == "%"]
    return signs + [word for word in words[place + 1 : place + 2] if word.isalpha()]
