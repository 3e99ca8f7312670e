"""Names in texts: stems of words, a trie of names, and the mentions in a text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, TypeVar

from allsaid.language.stems import snowball
from schemas.example import PHRASE_JOINER

Stems = tuple[str, ...]
T = TypeVar("T")
_NAME = ""  # key of a trie node that ends a name; no stem is empty


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


def trie_of(names: Iterable[tuple[Stems, Any]]) -> dict[str, Any]:
    root: dict[str, Any] = {}
    for stems, name in names:
        node = root
        for stem in stems:
            node = node.setdefault(stem, {})
        node[_NAME] = name
    return root


def find_names(text: Stems, trie: dict[str, Any]) -> list[tuple[int, int, Any]]:
    """Return (start, end, name) of non-overlapping names in ``text``, longest first, then leftmost; in text order."""
    return longest_first(all_names(text, trie))


def all_names(text: Stems, trie: dict[str, Any]) -> list[tuple[int, int, Any]]:
    """Return (start, end, name) of every name in ``text``, also of those inside others."""
    found = []
    for start in range(len(text)):
        node, end = trie, start
        while end < len(text) and text[end] in node:
            node, end = node[text[end]], end + 1
            if _NAME in node:
                found.append((start, end, node[_NAME]))
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
