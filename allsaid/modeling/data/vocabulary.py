"""Vocabularies of text, titles and agendas (Kiddon et al. 2016, section 4.1), of words or of pieces of words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Self

import pyarrow as pa

from allsaid.modeling.data import pieces
from schemas.act import PREFIX, SPECIAL
from schemas.errors import UserError

PAD, UNKNOWN, START, END = 0, 1, 2, 3
MERGES = "_merges"  # suffix of the name under which a vocabulary's merges are saved
SPECIALS = ("<pad>", "<unk>", "<text>", "</text>")
_VALUES = "|".join(re.escape(value.upper()) for value in sorted(SPECIAL))
_SLOT_AND_VALUE = re.compile(rf"({PREFIX}.+?)_({_VALUES})(_\d+)?")


@dataclass(frozen=True)
class Vocabulary:
    """Words by id: the special tokens first, then words by decreasing count, equal counts by name.

    With merges its words are pieces of words (`allsaid.modeling.data.pieces`).
    """

    words: tuple[str, ...]
    merges: tuple[pieces.Merge, ...] = ()  # in the order of learning; empty for whole words

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def ids(self) -> dict[str, int]:
        return {word: position for position, word in enumerate(self.words)}

    @cached_property
    def placeholders(self) -> frozenset[str]:
        """Return the words that are placeholders of a value."""
        return frozenset(word for word in self.words if word.startswith(PREFIX))

    def encode(self, tokens: Iterable[str]) -> list[int]:
        ids = self.ids
        return [ids.get(token, UNKNOWN) for token in tokens]

    def decode(self, ids: Iterable[int]) -> list[str]:
        return [self.words[position] for position in ids]

    @cached_property
    def _ranks(self) -> dict[pieces.Merge, int]:
        return {merge: rank for rank, merge in enumerate(self.merges)}

    @cached_property
    def _cuts(self) -> dict[str, tuple[str, ...]]:
        """Return the cache of words that were cut before."""
        return {}

    def cut(self, words: Iterable[str]) -> list[tuple[str, ...]]:
        """Return the pieces of each word, or the word itself if words are whole."""
        if not self.merges:
            return [(word,) for word in words]
        cut_words = []
        for word in words:
            if word not in self._cuts:
                self._cuts[word] = pieces.cut(word, self._ranks)
            cut_words.append(self._cuts[word])
        return cut_words

    def join(self, tokens: Sequence[str]) -> list[str]:
        """Return the words of a text that is given in words of the vocabulary, which may be pieces."""
        return pieces.join(tokens) if self.merges else list(tokens)


@dataclass(frozen=True)
class VocabularySet:
    """The vocabularies of a task, each a field; a task with one vocabulary uses this class itself."""

    text: Vocabulary  # of generated texts

    def to_json(self) -> dict[str, list[str]]:
        """Return the words of each vocabulary and, for pieces, its merges: two pieces separated by a tab."""
        parts = {part.name: getattr(self, part.name) for part in fields(self)}
        merges = {name + MERGES: ["\t".join(pair) for pair in part.merges] for name, part in parts.items()}
        return {name: list(part.words) for name, part in parts.items()} | {
            name: pairs for name, pairs in merges.items() if pairs
        }

    @classmethod
    def from_json(cls, values: Mapping[str, list[str]]) -> Self:
        """Build the set from `to_json`.

        Raises ValueError where a vocabulary is missing, holds a word twice or lacks the special tokens, or where a
        merge is invalid.
        """
        names, merges = [part.name for part in fields(cls)], dict[str, tuple[pieces.Merge, ...]]()
        for name in names:
            words = values.get(name, [])
            if tuple(words[: len(SPECIALS)]) != SPECIALS:
                raise ValueError(f"'{name}' doesn't begin with {' '.join(SPECIALS)}")
            if len(set(words)) != len(words):
                raise ValueError(f"'{name}' holds '{Counter(words).most_common(1)[0][0]}' twice")
            pairs = [
                (first, second) for first, _, second in (line.partition("\t") for line in values.get(name + MERGES, []))
            ]
            if invalid := [pair for pair in pairs if not all(pair)]:
                raise ValueError(f"'{name + MERGES}' holds {invalid[0]}, which are no two pieces")
            merges[name] = tuple(pairs)
        return cls(*(Vocabulary(tuple(values[name]), merges[name]) for name in names))


@dataclass(frozen=True)
class Vocabularies(VocabularySet):
    """Vocabularies of the task of an agenda."""

    title: Vocabulary
    agenda: Vocabulary

    @property
    def sizes(self) -> tuple[int, int, int]:
        return len(self.text), len(self.title), len(self.agenda)


def check_counted(counts: Mapping[str, int], where: str) -> None:
    """Raise UserError if no word was counted in the training part of the data set ``where``."""
    if not counts:
        raise UserError(f"The training part of {where} is empty, so there is nothing to learn.")


def choose_words(counts: Mapping[str, int], cutoff: int, size: int = 0) -> Vocabulary:
    """Keep the words seen at least ``cutoff`` times; words that look like a special token are left out.

    size: maximum number of words, the most frequent ones; 0: all.
    """
    kept = sorted((-count, word) for word, count in counts.items() if count >= cutoff and word not in SPECIALS)
    return Vocabulary(SPECIALS + tuple(word for _, word in kept[: size or None]))


def choose_pieces(counts: Mapping[str, int], cutoff: int, merges: int) -> Vocabulary:
    """Choose pieces of the counted words: all that merges make, and characters seen at least ``cutoff`` times.

    merges: the maximum number. Raises UserError where no pair of characters is seen ``cutoff`` times.
    """
    learned = pieces.learn(counts, merges, cutoff)
    if not learned:
        raise UserError(
            f"No two characters are adjacent {cutoff:,} times in the training part, so there are no pieces of words to "
            "learn. Set text_cutoff lower, or merges to 0."
        )
    uncounted = Vocabulary((), learned)
    characters, used = Counter[str](), Counter[str]()
    for word, word_pieces in zip(counts, uncounted.cut(counts), strict=True):
        for symbol in pieces.symbols(word):
            characters[symbol] += counts[word]
        for piece in word_pieces:
            used[piece] += counts[word]
    known = {first + second for first, second in learned}
    known |= {character for character, count in characters.items() if count >= cutoff}
    kept = sorted(known.difference(SPECIALS), key=lambda piece: (-used[piece], piece))
    return Vocabulary((*SPECIALS, *kept), learned)


def count_words(column: pa.ChunkedArray | pa.Array) -> dict[str, int]:
    """Count the strings of a column of (lists of) lists of strings."""
    flat = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    while pa.types.is_list(flat.type):
        flat = flat.flatten()
    counts = flat.value_counts()
    return dict(zip(counts.field("values").to_pylist(), counts.field("counts").to_pylist(), strict=True))


def item_words(item: Iterable[str]) -> list[str]:
    """Return the words whose embeddings make up an item: its own, and separately a slot and its special value.

    So ``SLOT_DOGSALLOWED_NO`` shares parts with ``SLOT_DOGSALLOWED_YES`` and with every other slot that is a no.
    """
    words: list[str] = []
    for word in item:
        parts = _SLOT_AND_VALUE.fullmatch(word)
        words += [word, parts[1], parts[2]] if parts else [word]
    return words


def all_item_words(items: pa.ListArray) -> pa.ListArray:
    """Apply :func:`item_words` to each item; every distinct word is processed once."""
    coded = items.flatten().dictionary_encode()
    each = [item_words([word]) for word in coded.dictionary.to_pylist()]
    words = pa.array(each, pa.list_(pa.string())).take(coded.indices)
    starts = pa.array(words.offsets.to_numpy()[items.offsets.to_numpy() - items.offsets[0].as_py()])
    return pa.ListArray.from_arrays(starts, words.flatten())
