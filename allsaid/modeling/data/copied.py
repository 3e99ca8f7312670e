"""Copied runs: the number of consecutive words that a text shares with one training text.

The definition, in words: phrase tokens are split into their words, marks of steps are left out, punctuation counts as
words. The *longest copied run* of a text is the greatest number of its consecutive words that are also consecutive, in
this order, in one training text.

The figure is exact. The index is a suffix array (Manber and Myers 1993) over the training texts' word ids, each text
followed by a separator that no query contains. It sorts all places by the words that follow them. So the places that
continue as a query does are a range of it, which shrinks with every further word.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file

from allsaid.modeling.tensors import write_tensors
from schemas.errors import UserError
from schemas.example import LINE_BREAK, PHRASE_JOINER

SEPARATOR = 0  # follows each training text; words are numbered from 1
UNKNOWN = -1  # in a query: a word in no training text, or the end
BLOCK = 1000  # queries looked up together
CHUNK = 10_000  # texts held as words at once


@dataclass(frozen=True)
class CopyIndex:
    """The words of all training texts and their places, sorted by what follows."""

    numbers: dict[str, int]  # word -> id
    ids: np.ndarray  # (N,) uint16, or uint32 for more words: the texts, each followed by a separator
    places: np.ndarray  # (N,) int32: positions in ``ids``, sorted by the words from there to the separator

    @classmethod
    def build(cls, texts: Iterable[Sequence[str]]) -> CopyIndex:
        """Index some texts (lists of tokens).

        Raises UserError if there are 2³¹ words or more.
        """
        numbers = {LINE_BREAK: SEPARATOR}  # a step break is left out below
        remaining = iter(texts)
        parts = []
        while chunk := list(islice(remaining, CHUNK)):
            parts.append(_with_separators(pa.array(chunk, pa.list_(pa.string())), numbers))
        ids = np.concatenate([np.zeros(0, np.int64), *parts])
        if len(ids) >= 1 << 31:
            raise UserError(f"{len(ids):,} training words are more than the index of copied runs can hold (2³¹).")
        del numbers[LINE_BREAK]
        narrow = ids.astype(np.uint16 if len(numbers) < 1 << 16 else np.uint32)
        return cls(numbers, narrow, _suffix_array(ids, len(numbers)))

    def longest_runs(self, texts: Sequence[Sequence[str]]) -> list[int]:
        """Return the longest copied run of each of some texts (lists of tokens), in words."""
        lengths: list[int] = []
        for start in range(0, len(texts), BLOCK):
            lengths += self._longest(texts[start : start + BLOCK])
        return lengths

    def save(self, path: Path) -> None:
        """Write a safetensors file; 6 bytes per training word if there are fewer than 65,536 distinct ones."""
        words = np.frombuffer("\n".join(self.numbers).encode(), np.uint8)
        arrays = {"words": words.copy(), "ids": self.ids, "places": self.places}
        write_tensors(path, {name: torch.from_numpy(array) for name, array in arrays.items()}, {})

    @classmethod
    def load(cls, path: Path) -> CopyIndex:
        """Read the file of `save`; raises UserError if it is damaged."""
        try:
            arrays = {name: tensor.numpy() for name, tensor in load_file(path).items()}
            words = arrays["words"].tobytes().decode()
            numbers = {word: number for number, word in enumerate(words.split("\n") if words else [], SEPARATOR + 1)}
            ids, places = arrays["ids"], arrays["places"]
            _check(numbers, ids, places)
            return cls(numbers, ids, places)
        except (SafetensorError, OSError, KeyError, ValueError) as fault:
            raise UserError(f"{path} is no index of copied runs ({fault}).") from fault

    @cached_property
    def _starts(self) -> np.ndarray:
        """Return the starts (words + 2,): places that begin with word w are ``places[starts[w]:starts[w + 1]]``."""
        counts = np.bincount(self.ids, minlength=len(self.numbers) + 1)
        return np.concatenate([[0], counts.cumsum()])

    def _longest(self, texts: Sequence[Sequence[str]]) -> list[int]:
        numbered = [self._number(text) for text in texts]
        queries = np.array([number for text in numbered for number in text], dtype=np.int64)
        text_of = np.repeat(np.arange(len(texts)), [len(text) for text in numbered])
        best = np.zeros(len(texts), np.int64)
        at = np.flatnonzero(queries != UNKNOWN)
        low, high = self._starts[queries[at]], self._starts[queries[at] + 1]
        length = 1
        while len(at):
            best[text_of[at]] = length
            going = queries[at + length] != UNKNOWN
            at, low, high = at[going], low[going], high[going]
            word = queries[at + length]
            low, high = self._bound(low, high, length, word), self._bound(low, high, length, word + 1)
            going = low < high
            at, low, high = at[going], low[going], high[going]
            length += 1
        return best.tolist()

    def _number(self, text: Sequence[str]) -> list[int]:
        words = (word for token in text if token != LINE_BREAK for word in token.split(PHRASE_JOINER) if word)
        return [*(self.numbers.get(word, UNKNOWN) for word in words), UNKNOWN]

    def _bound(self, low: np.ndarray, high: np.ndarray, depth: int, word: np.ndarray) -> np.ndarray:
        """Return the first of the places low … high whose word at ``depth`` isn't less than ``word``, or ``high``."""
        while (open_ := low < high).any():
            middle = (low + high) // 2
            smaller = self.ids[np.where(open_, self.places[np.where(open_, middle, 0)] + depth, 0)] < word
            low, high = np.where(open_ & smaller, middle + 1, low), np.where(open_ & ~smaller, middle, high)
        return low


def _check(numbers: dict[str, int], ids: np.ndarray, places: np.ndarray) -> None:
    """Raise ValueError for a place or a word out of range, which would otherwise fail during a search."""
    if ids.shape != places.shape or ids.ndim != 1 or ids.dtype.kind != "u" or places.dtype.kind != "i":
        raise ValueError("words and places are not two lists of whole numbers of the same length")
    if len(ids) and (ids.max() > len(numbers) or places.min() < 0 or places.max() >= len(ids)):
        raise ValueError("it names words or places that it doesn't hold")


def _with_separators(texts: pa.ListArray, numbers: dict[str, int]) -> np.ndarray:
    """Return the ids of all words of some texts, with a separator after each text."""
    words = number_words(texts.flatten(), numbers)
    text_of = pc.list_parent_indices(texts).to_numpy()[pc.list_parent_indices(words).to_numpy()]
    flat = words.flatten().to_numpy()
    kept = flat != numbers[LINE_BREAK]
    flat, text_of = flat[kept], text_of[kept]
    ids = np.full(len(flat) + len(texts), SEPARATOR, np.int64)
    ids[np.arange(len(flat)) + text_of] = flat
    return ids


def _suffix_array(ids: np.ndarray, largest: int) -> np.ndarray:
    """Return positions (N,) int32, sorted by the ids that follow them, at least up to the next separator.

    Prefix doubling: places that are sorted by their first h words get sorted by their first 2 h words, by their own
    ranks and the ranks of the places h words later. Only places that still share their rank are sorted again.
    """
    bits = max(largest.bit_length(), 1)
    width = min(63 // bits, len(ids))  # ids that fit into one number
    keys = np.zeros(len(ids), np.int64)
    for shift in range(width):
        keys <<= bits
        keys[: len(ids) - shift] |= ids[shift:]
    places = np.argsort(keys, kind="stable").astype(np.int32)
    ranks = np.empty(len(ids) + 1, np.int32)  # the first position in ``places`` of those with equal rank
    ranks[-1] = -1  # after the end
    _rank(ranks, places, keys[places], np.arange(len(ids)))
    ends = np.flatnonzero(ids == SEPARATOR)
    longest = int(np.diff(ends, prepend=-1).max(initial=0))
    while width < longest:
        shared = _shared(ranks[places])
        if not len(shared):
            break
        unsorted = places[shared]
        keys = (ranks[unsorted].astype(np.int64) << 32) + ranks[np.minimum(unsorted + width, len(ids))] + 1
        order = np.argsort(keys, kind="stable")
        places[shared] = unsorted[order]
        _rank(ranks, unsorted[order], keys[order], shared)
        width *= 2
    return places


def _rank(ranks: np.ndarray, places: np.ndarray, keys: np.ndarray, positions: np.ndarray) -> None:
    """Rank ``places``, which are sorted by ``keys``, by the position of the first place with the same key."""
    first = np.ones(len(keys), bool)
    first[1:] = keys[1:] != keys[:-1]
    ranks[places] = np.maximum.accumulate(np.where(first, positions, 0))


def _shared(ranks: np.ndarray) -> np.ndarray:
    """Return the positions of sorted ranks that occur more than once."""
    same = ranks[1:] == ranks[:-1]
    return np.flatnonzero(np.append(same, False) | np.append(False, same))


def number_words(tokens: pa.Array, numbers: dict[str, int]) -> pa.ListArray:
    """Return the numbers of each token's words, phrases split; a new word gets the next number in ``numbers``."""
    coded = tokens.dictionary_encode()
    split = [
        [numbers.setdefault(word, len(numbers)) for word in token.split(PHRASE_JOINER) if word]
        for token in coded.dictionary.to_pylist()
    ]
    return pa.array(split, pa.list_(pa.int64())).take(coded.indices)
