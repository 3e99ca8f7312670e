"""Mentions of foods in a text: of items of its agenda, and of foods that the agenda lacks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from allsaid.language.stems import snowball
from allsaid.proof.coverage import Lexicon
from allsaid.proof.foods.hierarchy import load_foods
from allsaid.proof.foods.names import Stems, all_names, longest_first, stems_of
from schemas.example import LINE_BREAK, PHRASE_JOINER

_COVERS = frozenset(("vegetable", "fruit", "meat", "herb", "spice", "seafood", "bean", "nut"))
MIXED = "mixture"  # a name before it belongs to something made: "flour mixture"


@dataclass(frozen=True)
class Mention:
    """A name in a text of words."""

    start: int
    end: int
    items: tuple[int, ...]  # items of the agenda that it may mean, the best first; empty: foreign

    @property
    def is_foreign(self) -> bool:
        return not self.items


def split_words(tokens: Sequence[str]) -> tuple[list[str], list[int]]:
    """Split phrase tokens into words; also return the place of each word's token."""
    words, places = [], []
    for place, token in enumerate(tokens):
        parts = [token] if token == LINE_BREAK else [part for part in token.split(PHRASE_JOINER) if part]
        words += parts
        places += [place] * len(parts)
    return words, places


@lru_cache(maxsize=1 << 17)
def _stem(word: str) -> str:
    return LINE_BREAK if word == LINE_BREAK else snowball(word)


@lru_cache(maxsize=1)
def _general() -> frozenset[Stems]:
    """Return the stems of words that cover other foods and are not bought themselves."""
    foods = load_foods()
    covering = {kind for stems, kinds in foods.kinds.items() for kind in kinds if kind != foods.canonical[stems]}
    return frozenset(stems_of(kind.split()) for kind in covering if kind in _COVERS)


def _is_food(name: Stems) -> bool:
    """Return whether a name is in the list of foods: "bread flour" is, but not the "bread" in it."""
    return name in load_foods().canonical


class Namer:
    """Finder of the names of one agenda's items and of all known foods."""

    def __init__(self, agenda: Sequence[Sequence[str]], lexicon: Lexicon) -> None:
        """agenda: L item names as tokens, lower case."""
        self.items = [stems_of(item) for item in agenda]
        self.lexicon = lexicon
        self._by_head: dict[str, list[int]] = {}
        for place, item in enumerate(self.items):
            if item:
                self._by_head.setdefault(item[-1], []).append(place)
        self._meant: dict[Stems, tuple[int, ...]] = {}

    def find(self, words: Sequence[str]) -> list[Mention]:
        """Return the mentions in text order; they don't overlap."""
        stems = tuple(map(_stem, words))
        spans = {(start, end): name for start, end, name in all_names(stems, self.lexicon.trie)}
        for place, stem in enumerate(stems):
            for item in self._by_head.get(stem, ()):
                start = place
                while start and stems[start - 1] in self.items[item][:-1]:
                    start -= 1
                spans.setdefault((start, place + 1), "")
        found = []
        for start, end, name in longest_first((*span, name) for span, name in spans.items()):
            if self.lexicon.is_mention(words, start, end, name or " ".join(words[start:end])):
                found.append(Mention(start, end, self.meant(stems[start:end])))
        return found

    def _covers(self, name: Stems, item: Stems) -> bool:
        """Return whether a more general word means an item: "vegetables" may be carrots, and are no vegetable oil."""
        return not (name in _general() and {*name} <= {*item[:-1]}) and bool(self.lexicon.back(name, [item]))

    def meant(self, name: Stems) -> tuple[int, ...]:
        """Return the items that a name may mean, the best first: by head, by all words, as a more general word."""
        if name not in self._meant:
            same = self._by_head.get(name[-1], [])
            if same:
                shared = {item: len({*self.items[item]} & {*name}) for item in same}
                same = [item for item in same if shared[item] == max(shared.values())]
            elif name not in _general():  # "vegetable" is no vegetable oil
                same = [
                    place for place, item in enumerate(self.items) if {*name} <= {*item} and not _is_food(item[-1:])
                ]
            if not same:
                same = [place for place, item in enumerate(self.items) if item and self._covers(name, item)]
                same.sort(key=lambda place: self.items[place][-1] not in name)  # no broth is "chicken pieces"
            self._meant[name] = tuple(same)
        return self._meant[name]
