"""A table of fields as a language model reads it: its distinct words with all their places (Lebret et al. 2016).

Words are compared without letter case. The copy candidates of a table are its numbers, each read as NUMBER or YEAR, and
the words that the vocabulary of V words lacks. Their ids begin at V.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from allsaid.modeling.data.vocabulary import PAD, SPECIALS, UNKNOWN, Vocabulary, VocabularySet
from schemas.box import NUMBER, YEAR

NUMERALS = (NUMBER, YEAR)
NO_WORD = SPECIALS[UNKNOWN]  # the token of a field without words, such as a slot without a value
POSITIONS = 10  # counted from both ends, l in section 5.3; later ones count as the last
_GLUED = re.compile(r"\.[^\W\d_]")  # a full stop and the letter that follows
_ORDINAL = re.compile(r"\d{1,2}|[ivx]{1,5}")
_ABBREVIATION = 3  # letters
_OPENING, _CLOSING = frozenset(("-lrb-", "(")), frozenset(("-rrb-", ")"))


@dataclass(frozen=True)
class Vocabularies(VocabularySet):
    field: Vocabulary  # names of fields


@dataclass(frozen=True)
class Table:
    """N tokens, in the order of the table; named as in :class:`schemas.box.Box`."""

    fields: Sequence[str]
    positions: Sequence[int]
    ends: Sequence[int]
    tokens: Sequence[str]  # lower case, numerals as NUMBER or YEAR
    originals: Sequence[str]

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The distinct words in lower case, by their first places, and their numbers from 0."""
        return {word: number for number, word in enumerate(dict.fromkeys(map(str.lower, self.originals)))}

    @cached_property
    def firsts(self) -> list[int]:
        """The first place of each distinct word."""
        places = {word.lower(): place for place, word in reversed([*enumerate(self.originals)])}
        return [places[word] for word in self.numbers]

    @cached_property
    def items(self) -> list[tuple[str, int, int]]:
        """Each field's name, first place and end: a field ends where the name changes or positions restart."""
        spans: list[tuple[str, int, int]] = []
        for place, (name, position) in enumerate(zip(self.fields, self.positions, strict=True)):
            if spans and spans[-1][0] == name and position > self.positions[place - 1]:
                spans[-1] = (name, spans[-1][1], place + 1)
            else:
                spans.append((name, place, place + 1))
        return spans


@dataclass(frozen=True)
class TableIds:
    """The ids of a table of N tokens, C of them distinct."""

    words: list[int]  # (C,) ids, copy candidates from V on
    reads: list[int]  # (C,) ids below V, as which the words are read
    of_word: list[int]  # (N,) the number of each place's word, from 1
    fields: list[int]  # (N,)
    starts: list[int]  # (N,) 1 to POSITIONS
    ends: list[int]  # (N,)
    items: list[int]  # (N,) the field of the table, from 1


def table_ids(table: Table, vocabularies: Vocabularies) -> TableIds:
    """Return the ids of a table."""
    ids, next_id = vocabularies.text.ids, len(vocabularies.text)
    words, reads = [], []
    for place in table.firsts:
        token = table.tokens[place]
        read = PAD if token == NO_WORD else ids.get(token, UNKNOWN)
        is_own = read == UNKNOWN or token in NUMERALS
        words.append(next_id if is_own else read)
        reads.append(read)
        next_id += is_own
    return TableIds(
        words,
        reads,
        [table.numbers[word.lower()] + 1 for word in table.originals],
        vocabularies.field.encode(table.fields),
        [min(position, POSITIONS) for position in table.positions],
        [min(end, POSITIONS) for end in table.ends],
        [number for number, (_, first, last) in enumerate(table.items, 1) for _ in range(first, last)],
    )


def own_words(table: Table, vocabulary: Vocabulary) -> dict[str, int]:
    """Return the table's copy candidates as the table writes them, and their ids from V on."""
    known = vocabulary.ids
    firsts = [place for place in table.firsts if table.tokens[place] in NUMERALS or table.tokens[place] not in known]
    return {table.originals[place]: len(vocabulary) + number for number, place in enumerate(firsts)}


def to_words(tokens: Sequence[int], table: Table, vocabulary: Vocabulary) -> list[str]:
    """Return the words of a text's ids; those from V on are the table's copy candidates."""
    known, candidates = vocabulary.words, [*own_words(table, vocabulary)]
    return [known[token] if token < len(known) else candidates[token - len(known)] for token in tokens]


def text_ids(
    tokens: Sequence[str], originals: Sequence[str], table: Table, ids: TableIds, vocabulary: Vocabulary
) -> list[int]:
    """Return the ids of T tokens of a text, those of copy candidates from V on."""
    numbers, known = table.numbers, vocabulary.ids
    lowered = zip(tokens, map(str.lower, originals), strict=True)
    return [ids.words[numbers[word]] if word in numbers else known.get(token, UNKNOWN) for token, word in lowered]


def first_sentence(tokens: list[str], originals: list[str]) -> tuple[list[str], list[str]]:
    """Return the first sentence of T tokens that may hold several.

    Some corpora glue a full stop to the next word (``fußballspieler .er spielte``). Such a stop ends no sentence after
    a number of at most two digits, a Roman numeral or a word of at most three letters (``8 .juli``), or in brackets.
    """
    depth = 0
    for place, word in enumerate(originals):
        depth = max(0, depth + (word in _OPENING) - (word in _CLOSING))
        if place and not depth and _GLUED.match(word) and not _keeps_going(originals[place - 1]):
            return [*tokens[:place], "."], [*originals[:place], "."]
    return tokens, originals


def _keeps_going(word: str) -> bool:
    """Return whether a full stop after the word probably belongs to it: the sentence goes on."""
    return bool(_ORDINAL.fullmatch(word)) or (word.isalpha() and len(word) <= _ABBREVIATION)
