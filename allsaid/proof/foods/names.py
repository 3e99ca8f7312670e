"""Names in texts: stems of words, a trie of names, and the mentions in a text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from typing import Generic, TypeVar

from allsaid.language.stems import snowball
from schemas.example import PHRASE_JOINER

Stems = tuple[str, ...]
T = TypeVar("T")


def words_of(tokens: Iterable[str]) -> list[str]:
    """Split phrase tokens into their words."""
    return [word for token in tokens for word in token.split(PHRASE_JOINER) if word]


@lru_cache(maxsize=1 << 18)
def token_stems(token: str) -> Stems:
    return tuple(map(snowball, words_of([token])))


def stems_of(tokens: Iterable[str]) -> Stems:
    return tuple(chain.from_iterable(map(token_stems, tokens)))


def is_backed(name: Stems, agenda: Sequence[Stems]) -> bool:
    return any(item and (item[-1] == name[-1] or all(stem in item for stem in name)) for item in agenda)


class Trie(dict[str, "Trie[T]"], Generic[T]):
    """Node of a trie: the next stem of a name -> its node."""

    __slots__ = ("value",)

    def __init__(self) -> None:
        self.value: T | None = None  # of the name that ends here, if one does


def trie_of(names: Iterable[tuple[Stems, T]]) -> Trie[T]:
    """Build a trie of names with their values, which are never None."""
    root = Trie[T]()
    for stems, value in names:
        node = root
        for stem in stems:
            if stem not in node:
                node[stem] = Trie()
            node = node[stem]
        node.value = value
    return root


def find_names(text: Stems, trie: Trie[T]) -> list[tuple[int, int, T]]:
    """Return (start, end, value) of non-overlapping names in ``text``, longest first, then leftmost; in text order."""
    return longest_first(all_names(text, trie))


def all_names(text: Stems, trie: Trie[T]) -> list[tuple[int, int, T]]:
    """Return (start, end, value) of every name in ``text``, also of those inside others."""
    found = []
    for start in range(len(text)):
        node, end = trie.get(text[start]), start + 1
        while node is not None:
            if node.value is not None:
                found.append((start, end, node.value))
            node, end = node.get(text[end]) if end < len(text) else None, end + 1
    return found


def longest_first(found: Iterable[tuple[int, int, T]]) -> list[tuple[int, int, T]]:
    """Select non-overlapping (start, end, …) tuples, preferring the longest, then the leftmost; in text order."""
    taken: set[int] = set()
    chosen = []
    for start, end, name in sorted(found, key=lambda match: match[0] - match[1]):
        if taken.isdisjoint(range(start, end)):
            taken.update(range(start, end))
            chosen.append((start, end, name))
    return sorted(chosen, key=lambda match: match[0])
