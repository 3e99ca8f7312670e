"""Vocabularies of text, titles and agendas (Kiddon et al. 2016, section 4.1)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Self

import pyarrow as pa

from schemas.act import PREFIX, SPECIAL

PAD, UNKNOWN, START, END = 0, 1, 2, 3
SPECIALS = ("<pad>", "<unk>", "<text>", "</text>")
_VALUES = "|".join(re.escape(value.upper()) for value in sorted(SPECIAL))
_SLOT_AND_VALUE = re.compile(rf"({PREFIX}.+?)_({_VALUES})(_\d+)?")


@dataclass(frozen=True)
class Vocabulary:
    """Words by id; the special tokens stand first, then words by falling count, equals by name."""

    words: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def ids(self) -> dict[str, int]:
        return {word: position for position, word in enumerate(self.words)}

    @cached_property
    def placeholders(self) -> frozenset[str]:
        """The words that stand for a value."""
        return frozenset(word for word in self.words if word.startswith(PREFIX))

    def encode(self, tokens: Iterable[str]) -> list[int]:
        ids = self.ids
        return [ids.get(token, UNKNOWN) for token in tokens]

    def decode(self, ids: Iterable[int]) -> list[str]:
        return [self.words[position] for position in ids]


@dataclass(frozen=True)
class VocabularySet:
    """The vocabularies of a task, each a field."""

    text: Vocabulary  # of what is written

    def to_json(self) -> dict[str, list[str]]:
        return {part.name: list(getattr(self, part.name).words) for part in fields(self)}

    @classmethod
    def from_json(cls, values: Mapping[str, list[str]]) -> Self:
        """Raises ValueError where a vocabulary is missing, holds a word twice or lacks the special tokens."""
        names = [part.name for part in fields(cls)]
        for name in names:
            words = values.get(name, [])
            if tuple(words[: len(SPECIALS)]) != SPECIALS:
                raise ValueError(f"'{name}' doesn't begin with {' '.join(SPECIALS)}")
            if len(set(words)) != len(words):
                raise ValueError(f"'{name}' holds '{Counter(words).most_common(1)[0][0]}' twice")
        return cls(*(Vocabulary(tuple(values[name])) for name in names))


@dataclass(frozen=True)
class Vocabularies(VocabularySet):
    """Those of the task of an agenda."""

    title: Vocabulary
    agenda: Vocabulary

    @property
    def sizes(self) -> tuple[int, int, int]:
        return len(self.text), len(self.title), len(self.agenda)


def choose_words(counts: Mapping[str, int], cutoff: int, size: int = 0) -> Vocabulary:
    """Keep the words seen at least ``cutoff`` times; words that look like a special token are left out.

    size: keep so many at most, the most frequent ones; 0: all.
    """
    kept = sorted((-count, word) for word, count in counts.items() if count >= cutoff and word not in SPECIALS)
    return Vocabulary(SPECIALS + tuple(word for _, word in kept[: size or None]))


def count_words(column: pa.ChunkedArray | pa.Array) -> dict[str, int]:
    """Count the strings of a column of (lists of) lists of strings."""
    flat = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    while pa.types.is_list(flat.type):
        flat = flat.flatten()
    counts = flat.value_counts()
    return dict(zip(counts.field("values").to_pylist(), counts.field("counts").to_pylist(), strict=True))


def item_words(item: Iterable[str]) -> list[str]:
    """The words whose embeddings make an item: its own, and of a slot and its special value each by itself.

    So ``SLOT_DOGSALLOWED_NO`` has something of ``SLOT_DOGSALLOWED_YES`` and of every other slot that is a no.
    """
    found: list[str] = []
    for word in item:
        parts = _SLOT_AND_VALUE.fullmatch(word)
        found += [word, parts[1], parts[2]] if parts else [word]
    return found


def all_item_words(items: pa.ListArray) -> pa.ListArray:
    """:func:`item_words` of each item, every different word looked at once."""
    coded = items.flatten().dictionary_encode()
    each = [item_words([word]) for word in coded.dictionary.to_pylist()]
    words = pa.array(each, pa.list_(pa.string())).take(coded.indices)
    starts = pa.array(words.offsets.to_numpy()[items.offsets.to_numpy() - items.offsets[0].as_py()])
    return pa.ListArray.from_arrays(starts, words.flatten())
