"""Slot values <-> placeholders, both ways, without loss.

A slot's value is looked for in the normalised text and replaced by one token: ``SLOT_NAME``; the second value of the
same slot is ``SLOT_NAME_2``. A special value (yes, no, none, dont_care, asked for) stays a value: it has no
placeholder, and its agenda token holds it instead (``SLOT_KIDSALLOWED_YES``, ``SLOT_AREA_?``), so that no two slots
of an act are told by the same token.

The value may also be written otherwise: "a or b" with "and", or in the other order; without its determiner. What is
written differently from the value itself is kept beside the tokens, so that `relexicalise` gives the normalised text
back. Among all places where a value fits, longer ones go first, then those on the left. A form that fits several slots
means the first that the text has not named yet, and when all are named, the one that was named last.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from schemas.act import ASKED, PREFIX, SPECIAL, Slot, Written, spelled

SUFFIXES = frozenset(("-s", "-ly", "-er", "'s"))  # written apart in the corpus
DETERMINERS = frozenset(("a", "an", "the"))
# Words that are no value when they stand alone, whatever the table says.
_NO_VALUE = DETERMINERS | frozenset(
    ["i", "in", "is", "it", "not", "of", "on", "or", "and", "to", "for", "with", "-s", "-ly", "-er", "'s"]
)
_IRREGULAR = {("child", "-s"): "children"}

Words = tuple[str, ...]


@dataclass(frozen=True)
class Item:
    """A slot as the agenda holds it."""

    token: str  # its placeholder, or the token of slot and special value
    forms: tuple[Words, ...]  # ways to write its value, the canonical one first; none for a special value


@dataclass(frozen=True)
class Delexicalised:
    tokens: list[str]  # T
    surface: list[str]  # T, as written
    items: list[int]  # T positions of the items that the placeholders stand for, -1 elsewhere
    exceptions: list[Written]


@lru_cache(maxsize=1 << 12)
def placeholder(slot: str) -> str:
    """``SLOT_DOGS_ALLOWED`` for "dogs allowed"."""
    return PREFIX + (re.sub(r"\W+", "_", slot).strip("_").upper() or "X")


def item_tokens(slots: Iterable[Slot]) -> list[str]:
    """A token for each slot, none twice."""
    tokens: dict[str, None] = {}
    for slot in slots:
        value = slot.value or ASKED
        token = placeholder(slot.slot) + (f"_{value.upper()}" if value in SPECIAL else "")
        if token in tokens:
            token = next(f"{token}_{count}" for count in range(2, len(tokens) + 3) if f"{token}_{count}" not in tokens)
        tokens[token] = None
    return list(tokens)


@lru_cache(maxsize=1 << 14)
def forms(value: str) -> tuple[Words, ...]:
    """Ways to write a normalised value, itself first; none for a special value."""
    if not value or value in SPECIAL:
        return ()
    words = tuple(spelled(value).split())
    found = [words]
    joints = [position for position, word in enumerate(words) if word in ("or", "and")]
    if len(joints) == 1 and 0 < joints[0] < len(words) - 1:
        first, second = words[: joints[0]], words[joints[0] + 1 :]
        found += [(*one, joint, *other) for one, other in ((first, second), (second, first)) for joint in ("or", "and")]
    if words[0] in DETERMINERS:
        found.append(words[1:])
    return tuple(dict.fromkeys(form for form in found if form and not (len(form) == 1 and form[0] in _NO_VALUE)))


def items_of(slots: Sequence[Slot]) -> list[Item]:
    """The agenda's items of an act whose values are normalised."""
    return [Item(token, forms(slot.value)) for token, slot in zip(item_tokens(slots), slots, strict=True)]


@dataclass(frozen=True)
class _Place:
    start: int
    end: int
    fits: tuple[int, ...]  # items, in the agenda's order


def _places(tokens: Sequence[str], items: Sequence[Item]) -> list[_Place]:
    """Where values stand in the text: no two places overlap, from left to right."""
    having: dict[str, list[tuple[Words, int]]] = {}
    for position, item in enumerate(items):
        for form in item.forms:
            having.setdefault(form[0], []).append((form, position))
    fits: dict[tuple[int, int], list[int]] = {}  # (-length, start) -> items
    for start, token in enumerate(tokens):
        for form, position in having.get(token, ()):
            if len(form) == 1 or tuple(tokens[start : start + len(form)]) == form:
                fits.setdefault((-len(form), start), []).append(position)
    taken = [False] * len(tokens)
    places = []
    for length, start in sorted(fits):
        if not any(taken[start : start - length]):
            taken[start : start - length] = [True] * -length
            places.append(_Place(start, start - length, tuple(fits[length, start])))
    return sorted(places, key=lambda place: place.start)


def delexicalise(tokens: Sequence[str], surface: Sequence[str], items: Sequence[Item]) -> Delexicalised:
    """Replace the values in a normalised text by their placeholders."""
    done = Delexicalised([], [], [], [])
    named: list[int] = []  # items in the order of their latest mention
    end = 0
    for place in _places(tokens, items):
        item = choose(place.fits, named)
        _copy(done, tokens[end : place.start], surface[end : place.start])
        written, end = tuple(tokens[place.start : place.end]), place.end
        if written != items[item].forms[0]:
            done.exceptions.append(Written(len(done.tokens), " ".join(written)))
        done.tokens.append(items[item].token)
        done.surface.append(" ".join(surface[place.start : place.end]))
        done.items.append(item)
        named = [other for other in named if other != item] + [item]
    _copy(done, tokens[end:], surface[end:])
    return done


def choose(fits: Sequence[int], named: Sequence[int]) -> int:
    """Which of several items a mention means: the first not named yet, else the one that was named last."""
    return next((item for item in fits if item not in named), max(fits, key=lambda item: _last(named, item)))


def _last(named: Sequence[int], item: int) -> int:
    return named.index(item) if item in named else -1


def _copy(done: Delexicalised, tokens: Sequence[str], surface: Sequence[str]) -> None:
    done.tokens.extend(tokens)
    done.surface.extend(surface)
    done.items.extend([-1] * len(tokens))


def relexicalise(tokens: Sequence[str], slots: Sequence[Slot], exceptions: Iterable[Written] = ()) -> str:
    """The normalised text of delexicalised tokens; placeholders of slots that the act lacks stay as they are."""
    told = zip(item_tokens(slots), slots, strict=True)
    values = {token: spelled(slot.value) for token, slot in told if forms(slot.value)}
    words = [values.get(token, token) for token in tokens]
    for exception in exceptions:
        words[exception.position] = exception.written
    return " ".join(words)


def join_suffixes(text: str) -> str:
    """A text with its suffixes joined to their words and single blanks: ``hotel -s`` is "hotels"."""
    said: list[str] = []
    for word in text.split():
        if word in SUFFIXES and said:
            said[-1] = _IRREGULAR.get((said[-1], word)) or said[-1] + word.removeprefix("-")
        else:
            said.append(word)
    return " ".join(said)


def speak(normalised: str) -> str:
    """A relexicalised text as people write it: suffixes joined, and of two determiners in a row the second.

    Two stand together where a generated text has "the" before a name that begins with it.
    """
    words = join_suffixes(normalised).split()
    pairs = pairwise([*words, ""])
    return " ".join(word for word, after in pairs if word not in DETERMINERS or after not in DETERMINERS)
