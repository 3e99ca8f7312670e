"""Coverage: the agenda items that a text mentions, and its extra items, which the agenda lacks.

This is the definition for names; `allsaid.proof.values.matching` matches values. Phrase tokens are split into words
(``olive_oil`` -> olive oil), and words are compared by stem (Snowball English).

- An item is *given* if the head of its name, its last word, is in the text. This is the figure called "% given".
- Two more figures: *full name*, all its words are in the text next to each other and in order; *any word*, at least
  one of its words is in the text.
- For recipes, `allsaid.proof.known_foods` defines the *known* names. In other tasks, and by the older rule for recipes,
  a name is known if the training agendas hold it at least ``min_seen`` times (20) and back it in at least the share
  ``min_backed`` (one half) of the training texts that mention it.
- Longer names are matched first: a word of a longer name does not mention a shorter one. A name counts once per text.
- An agenda *backs* a name if one item has all its words, or the same head. With the list of foods
  (`allsaid.proof.foods.hierarchy`), an item also backs its other names, its parts and more general words.
- An *extra* item is a known name in the text that the agenda does not back.

Kiddon et al. 2016, section 5 ("Metrics"), define both figures only as "simple string match".
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from sys import intern

from allsaid.proof.foods.hierarchy import Foods, load_foods
from allsaid.proof.foods.names import Stems, Trie, find_names, is_backed, stems_of, token_stems, trie_of, words_of
from allsaid.proof.polarity import Idioms
from schemas.example import Example
from schemas.texts.finding import Finding

Words = tuple[str, ...]
# Grades of a text from another system: all wording known; some wording unknown; the row contradicts it.
GRADES = ATTESTED, UNKNOWN_WORDING, CONTRADICTED = ("attested", "unknown_wording", "contradicted")


@dataclass(frozen=True)
class Coverage:
    """Coverage of an agenda of L items by one text of T tokens; an empty agenda is fully covered.

    ``mentions`` and ``extra_mentions`` are sorted positions in the T tokens. A mention is each occurrence of an item's
    head and the item's words directly before it; an extra mention is every position of an extra name.
    """

    given: list[bool]  # L
    full_name: list[bool]  # L
    any_word: list[bool]  # L
    extra: list[str]  # written forms, in the order of their first mention
    mentions: list[list[int]]  # L lists, empty where the item is not given
    extra_mentions: list[list[int]]  # one list for each of ``extra``
    faults: int = 0  # of the wording (`allsaid.proof.faults`); counted for a user's table only
    unattested: tuple[str, ...] = ()  # passages in no known form (`allsaid.proof.forms`); only with a phrasebook
    certified: bool | None = None  # whether all checks pass; None if there are none
    recipe: tuple[Finding, ...] = ()  # findings of the checker of recipes (`allsaid.proof.recipes.checker`)
    findings: tuple[Finding, ...] = ()  # of the values of a record
    weak: frozenset[int] = frozenset()  # the given items of a record that rest on weak evidence

    def of_first(self, items: int) -> Coverage:
        """Return the coverage of only the first ``items`` items."""
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

    @property
    def grade(self) -> str | None:
        """The grade of a text from another system, which may omit values; None without a phrasebook."""
        if self.certified is None:
            return None
        return CONTRADICTED if self.extra else UNKNOWN_WORDING if self.unattested else ATTESTED


@dataclass(frozen=True)
class Lexicon:
    """The known names, in their most frequent written form, with their counts in training agendas.

    For a table it also holds what has no placeholder: the words by which texts mention a yes/no column, and the known
    goals.
    """

    names: dict[str, int]
    spoken: Mapping[str, frozenset[str]] = field(default_factory=dict)  # column -> words
    goals: tuple[str, ...] = ()  # that texts mention in addition to their values
    asks_goal: bool = False  # whether a text must mention its own goal
    by_training: Lexicon | None = None  # for recipes: names known from the training part alone, the older rule
    foods: Foods | None = None  # for recipes: decides which mentions of a name an agenda backs
    idioms: Mapping[str, Idioms] = field(default_factory=dict)  # column -> phrases of the mapping for yes and no

    def to_json(self) -> dict[str, int]:
        """Return the sorted names as plain data for ``json.dump``."""
        return dict(sorted(self.names.items()))

    @classmethod
    def from_json(cls, names: dict[str, int], with_foods: dict[str, int] | None = None) -> Lexicon:
        """Build the lexicon of the training part's names; for recipes, of all known names, including the former."""
        older = cls(dict(names))
        return older if with_foods is None else cls(dict(with_foods), by_training=older, foods=load_foods())

    @cached_property
    def trie(self) -> Trie[str]:
        return trie_of((stems_of(name.split()), name) for name in self.names)

    @property
    def of_training(self) -> Lexicon:
        """The lexicon by the older rule; it differs only for recipes."""
        return self.by_training or self

    def back(self, name: Stems, agenda: Sequence[Stems]) -> bool:
        """Return whether an agenda, the stems of L items, backs a name."""
        return self.foods.back(name, agenda) if self.foods else is_backed(name, agenda)

    def meaning(self, stems: Stems, name: str) -> str:
        """Return one name for all names of a food: "kiwi" and "kiwi fruit" are one extra item."""
        return self.foods.canonical.get(stems, name) if self.foods else name

    def is_mention(self, words: Sequence[str], start: int, end: int, name: str) -> bool:
        """Return whether a text's words from ``start`` to ``end`` mean the known name with these stems."""
        return self.foods is None or self.foods.is_mention(words, start, end, name)


@dataclass(frozen=True)
class Training:
    """The items and texts of a training part; equal words share one string object."""

    seen: Counter[Stems]  # items
    forms: Mapping[Stems, Counter[str]]  # how items are written
    texts: list[tuple[Words, list[Stems]]]  # each with its agenda

    def form(self, name: Stems) -> str:
        """Return the most frequent written form of an item's name."""
        forms = self.forms[name]
        return min(forms, key=lambda form: (-forms[form], form))


def read_training(examples: Iterable[Example]) -> Training:
    found = Training(Counter(), defaultdict(Counter), [])
    for example in examples:
        written = [item for item in example.agenda_tokens if item]
        agenda = list(map(stems_of, written))
        found.seen.update(agenda)
        for name, item in zip(agenda, written, strict=True):
            found.forms[name][" ".join(words_of(item))] += 1
        found.texts.append((tuple(map(intern, words_of(example.tokens))), agenda))
    return found


def build_lexicon(examples: Iterable[Example], min_seen: int = 20, min_backed: float = 0.5) -> Lexicon:
    """Find the known names from a training part alone."""
    return lexicon_of(read_training(examples), min_seen, min_backed)


def lexicon_of(training: Training, min_seen: int = 20, min_backed: float = 0.5) -> Lexicon:
    frequent = {name: training.form(name) for name, count in training.seen.items() if count >= min_seen}
    mentioned, backed = count_mentions(training.texts, frequent)
    known = (name for name in frequent if backed[name] >= min_backed * mentioned[name])
    return Lexicon({frequent[name]: training.seen[name] for name in sorted(known)})


def measure(tokens: Sequence[str], agenda: Sequence[Sequence[str]], lexicon: Lexicon) -> Coverage:
    """Measure a text of T tokens against L item names, both lower case and with phrases merged or split."""
    positions = [place for place, token in enumerate(tokens) for _ in token_stems(token)]
    text = stems_of(tokens)
    items = [stems_of(item) for item in agenda]
    stems, heads = set(text), {item[-1] for item in items if item}  # most names are backed by a shared head
    mentions = [_item_mentions(item, text) for item in items]
    extra: dict[str, set[int]] = {}
    written: dict[str, str] = {}  # meaning -> the first name with it
    words: list[str] = []  # split only if a name is not backed
    for start, end, name in find_names(text, lexicon.trie):
        if text[end - 1] in heads or lexicon.back(text[start:end], items):
            continue
        words = words or words_of(tokens)
        if lexicon.is_mention(words, start, end, name):
            name = written.setdefault(lexicon.meaning(text[start:end], name), name)
            extra.setdefault(name, set()).update(positions[start:end])
    return Coverage(
        given=[bool(places) for places in mentions],
        full_name=[_contains(text, item) for item in items],
        any_word=[not stems.isdisjoint(item) for item in items],
        extra=list(extra),
        mentions=[sorted({positions[place] for place in places}) for places in mentions],
        extra_mentions=[sorted(places) for places in extra.values()],
    )


def _percent(flags: Sequence[bool]) -> float:
    return 100.0 * sum(flags) / len(flags) if flags else 100.0  # an empty agenda is fully covered


def _item_mentions(item: Stems, text: Stems) -> list[int]:
    """Return the positions in ``text`` of the item's head and of the item's words directly before it."""
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


def count_mentions(
    texts: Iterable[tuple[Words, list[Stems]]], names: Mapping[Stems, str], foods: Foods | None = None
) -> tuple[Counter[Stems], Counter[Stems]]:
    """Count, for each name, the texts that mention it, and how many of their agendas back it."""
    trie = trie_of((name, name) for name in sorted(names))
    mentioned: Counter[Stems] = Counter()
    backed: Counter[Stems] = Counter()
    for words, agenda in texts:
        found = find_names(stems_of(words), trie)
        for name in {name for at, end, name in found if foods is None or foods.is_mention(words, at, end, names[name])}:
            mentioned[name] += 1
            backed[name] += foods.back(name, agenda) if foods else is_backed(name, agenda)
    return mentioned, backed
