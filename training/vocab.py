"""Vocabularies of text, titles and agendas (Kiddon et al. 2016, section 4.1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import pyarrow as pa

from schemas.example import PHRASE_JOINER

PAD, UNKNOWN, START, END = 0, 1, 2, 3
SPECIALS = ("<pad>", "<unk>", "<text>", "</text>")


@dataclass(frozen=True)
class Vocabulary:
    """Words by id; the special tokens stand first, then words by falling count, equals by name."""

    words: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def ids(self) -> dict[str, int]:
        return {word: position for position, word in enumerate(self.words)}

    def encode(self, tokens: Iterable[str]) -> list[int]:
        ids = self.ids
        return [ids.get(token, UNKNOWN) for token in tokens]

    def decode(self, ids: Iterable[int]) -> list[str]:
        return [self.words[position] for position in ids]


@dataclass(frozen=True)
class Vocabularies:
    text: Vocabulary
    title: Vocabulary
    agenda: Vocabulary

    def to_json(self) -> dict[str, list[str]]:
        return {"text": list(self.text.words), "title": list(self.title.words), "agenda": list(self.agenda.words)}

    @classmethod
    def from_json(cls, values: Mapping[str, list[str]]) -> Vocabularies:
        return cls(*(Vocabulary(tuple(values[name])) for name in ("text", "title", "agenda")))


def choose_words(counts: Mapping[str, int], cutoff: int) -> Vocabulary:
    """Keep the words seen at least ``cutoff`` times; words that look like a special token are left out."""
    kept = sorted((-count, word) for word, count in counts.items() if count >= cutoff and word not in SPECIALS)
    return Vocabulary(SPECIALS + tuple(word for _, word in kept))


def count_words(column: pa.ChunkedArray | pa.Array) -> dict[str, int]:
    """Count the strings of a column of (lists of) lists of strings."""
    flat = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    while pa.types.is_list(flat.type):
        flat = flat.flatten()
    counts = flat.value_counts()
    return dict(zip(counts.field("values").to_pylist(), counts.field("counts").to_pylist(), strict=True))


def number_words(tokens: pa.Array, numbers: dict[str, int]) -> pa.ListArray:
    """The numbers of each token's words, phrases split; a new word gets the next number in ``numbers``."""
    coded = tokens.dictionary_encode()
    split = [
        [numbers.setdefault(word, len(numbers)) for word in token.split(PHRASE_JOINER) if word]
        for token in coded.dictionary.to_pylist()
    ]
    return pa.array(split, pa.list_(pa.int64())).take(coded.indices)
