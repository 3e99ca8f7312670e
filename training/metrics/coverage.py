"""Coverage: which agenda items a text says, and what it says that the agenda lacks.

Defined here once, in words, for training and the batch job. All comparisons are made on words: phrase tokens are
split first (``olive_oil`` -> olive oil) and every word is stemmed (Snowball English), so that "tomatoes" stands for
"tomato". How an item is matched depends on its kind; a name is so far the only kind there is.

- An item is *given* if the head of its name, its last word, stands in the text. This is the figure called "% given".
- Beside it: *full name*, all its words stand in the text next to each other and in order; *any word*, at least one
  of its words stands in the text.
- A *known* name is an item name that the training agendas hold at least ``min_seen`` times (20) and that the agenda
  backs in at least the share ``min_backed`` (one half) of the training texts that mention it.
- Names are looked for longest first: a word that belongs to a longer name is no mention of a shorter one. A name
  counts once a text, however often it stands there.
- A name is *backed* by an agenda if all its words belong to one item, or if its head is an item's head.
- An *extra* item is a known name in the text that the agenda does not back.

Kiddon et al. 2016, section 5 ("Metrics"), say only "simple string match" for both figures.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import chain
from typing import Any, TypeVar

from schemas.example import PHRASE_JOINER, Example
from schemas.language.stems import snowball

Stems = tuple[str, ...]
T = TypeVar("T")
_NAME = ""  # key of a trie node that ends a name; no stem is empty


@dataclass(frozen=True)
class Coverage:
    """What one text of T tokens says of an agenda of L items. Of an empty agenda all is given.

    ``mentions`` and ``extra_mentions`` are positions in the T tokens, in order: the head of an item's name wherever
    it stands with the item's words directly before it, and every place of an extra name.
    """

    given: list[bool]  # L
    full_name: list[bool]  # L
    any_word: list[bool]  # L
    extra: list[str]  # written forms, in the order of their first mention
    mentions: list[list[int]]  # L lists, empty where the item is not given
    extra_mentions: list[list[int]]  # one list for each of ``extra``
    faults: int = 0  # of the wording (`training.metrics.faults`); counted of a user's table only
    unattested: tuple[str, ...] = ()  # passages in no known form (`training.forms`); of a phrasebook's model only
    certified: bool | None = None  # whether nothing speaks against the text; None without a phrasebook

    def of_first(self, items: int) -> Coverage:
        """The same without the items behind so many."""
        if items == len(self.given):
            return self
        kept = {name: getattr(self, name)[:items] for name in ("given", "full_name", "any_word", "mentions")}
        return replace(self, **kept)

    @property
    def percent_given(self) -> float:
        return _percent(self.given)

    @property
    def percent_given_full_name(self) -> float:
        return _percent(self.full_name)

    @property
    def percent_given_any_word(self) -> float:
        return _percent(self.any_word)


@dataclass(frozen=True)
class Lexicon:
    """The known names, in their most frequent written form, and how often training agendas hold them.

    Of a table also what has no placeholder: the words by which texts speak of a yes/no column, and the known goals.
    """

    names: dict[str, int]
    spoken: Mapping[str, frozenset[str]] = field(default_factory=dict)  # column -> words
    goals: tuple[str, ...] = ()  # that texts say beside their values
    asks_goal: bool = False  # whether a text is to say its own

    def to_json(self) -> dict[str, int]:
        """The names as plain data for ``json.dump``, sorted."""
        return dict(sorted(self.names.items()))

    @classmethod
    def from_json(cls, data: dict[str, int]) -> Lexicon:
        return cls(dict(data))

    @cached_property
    def trie(self) -> dict[str, Any]:
        return trie_of((stems_of(name.split()), name) for name in self.names)


def build_lexicon(examples: Iterable[Example], min_seen: int = 20, min_backed: float = 0.5) -> Lexicon:
    """Find the known names of a training part; holds its stems in memory, one reference a token."""
    seen: Counter[Stems] = Counter()
    forms: defaultdict[Stems, Counter[str]] = defaultdict(Counter)
    prepared = []
    for example in examples:
        agenda = [stems_of(item) for item in example.agenda_tokens if item]
        for name, item in zip(agenda, filter(None, example.agenda_tokens), strict=True):
            seen[name] += 1
            forms[name][" ".join(_words(item))] += 1
        prepared.append((stems_of(example.tokens), agenda))
    often = {name for name, count in seen.items() if count >= min_seen}
    mentioned, backed = _count_mentions(prepared, often)
    known = (name for name in often if backed[name] >= min_backed * mentioned[name])
    return Lexicon({_most_frequent(forms[name]): seen[name] for name in sorted(known)})


def measure(tokens: Sequence[str], agenda: Sequence[Sequence[str]], lexicon: Lexicon) -> Coverage:
    """Measure a text of T tokens against L item names, both lower case and with phrases merged or split."""
    positions = [place for place, token in enumerate(tokens) for _ in token_stems(token)]
    text = stems_of(tokens)
    items = [stems_of(item) for item in agenda]
    standing = set(text)
    mentions = [_item_mentions(item, text) for item in items]
    extra: dict[str, set[int]] = {}
    for start, end, name in find_names(text, lexicon.trie):
        if not is_backed(text[start:end], items):
            extra.setdefault(name, set()).update(positions[start:end])
    return Coverage(
        given=[bool(places) for places in mentions],
        full_name=[_contains(text, item) for item in items],
        any_word=[not standing.isdisjoint(item) for item in items],
        extra=list(extra),
        mentions=[sorted({positions[place] for place in places}) for places in mentions],
        extra_mentions=[sorted(places) for places in extra.values()],
    )


def _percent(flags: Sequence[bool]) -> float:
    return 100.0 * sum(flags) / len(flags) if flags else 100.0  # an empty agenda has nothing left to say


def _words(tokens: Iterable[str]) -> list[str]:
    """Split phrase tokens to their words."""
    return [word for token in tokens for word in token.split(PHRASE_JOINER) if word]


@lru_cache(maxsize=1 << 18)
def token_stems(token: str) -> Stems:
    return tuple(map(snowball, _words([token])))


def stems_of(tokens: Iterable[str]) -> Stems:
    return tuple(chain.from_iterable(map(token_stems, tokens)))


def _item_mentions(item: Stems, text: Stems) -> list[int]:
    """Places in ``text`` of the item's head and of the item's words directly before it."""
    places = []
    for place, stem in enumerate(text):
        if item and stem == item[-1]:
            places.append(place)
            before = place - 1
            while before >= 0 and text[before] in item[:-1]:
                places.append(before)
                before -= 1
    return places


def _contains(text: Stems, name: Stems) -> bool:
    return bool(name) and any(
        text[start : start + len(name)] == name for start in range(len(text)) if text[start] == name[0]
    )


def is_backed(name: Stems, agenda: Sequence[Stems]) -> bool:
    return any(item and (item[-1] == name[-1] or set(name) <= set(item)) for item in agenda)


def trie_of(names: Iterable[tuple[Stems, Any]]) -> dict[str, Any]:
    root: dict[str, Any] = {}
    for stems, name in names:
        node = root
        for stem in stems:
            node = node.setdefault(stem, {})
        node[_NAME] = name
    return root


def find_names(text: Stems, trie: dict[str, Any]) -> list[tuple[int, int, Any]]:
    """(start, end, name) of the names in ``text`` that don't overlap, longest first, then leftmost; by place."""
    return longest_first(all_names(text, trie))


def all_names(text: Stems, trie: dict[str, Any]) -> list[tuple[int, int, Any]]:
    """(start, end, name) of every name in ``text``, also of those inside others."""
    found = []
    for start in range(len(text)):
        node, end = trie, start
        while end < len(text) and text[end] in node:
            node, end = node[text[end]], end + 1
            if _NAME in node:
                found.append((start, end, node[_NAME]))
    return found


def longest_first(found: Iterable[tuple[int, int, T]]) -> list[tuple[int, int, T]]:
    """Of some (start, end, …) those that don't overlap, longest first, then leftmost; by place."""
    taken: set[int] = set()
    chosen = []
    for start, end, name in sorted(found, key=lambda match: match[0] - match[1]):
        if taken.isdisjoint(range(start, end)):
            taken.update(range(start, end))
            chosen.append((start, end, name))
    return sorted(chosen, key=lambda match: match[0])


def _count_mentions(
    prepared: Iterable[tuple[Stems, list[Stems]]], names: set[Stems]
) -> tuple[Counter[Stems], Counter[Stems]]:
    """In how many texts each name is mentioned, and in how many of them the agenda backs it."""
    trie = trie_of((name, name) for name in sorted(names))
    mentioned: Counter[Stems] = Counter()
    backed: Counter[Stems] = Counter()
    for text, agenda in prepared:
        for name in {name for _, _, name in find_names(text, trie)}:
            mentioned[name] += 1
            backed[name] += is_backed(name, agenda)
    return mentioned, backed


def _most_frequent(forms: Counter[str]) -> str:
    return min(forms, key=lambda form: (-forms[form], form))
