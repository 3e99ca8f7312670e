"""Slot values <-> placeholders, both ways, without loss.

A slot's value is looked for in the normalised text and replaced by one token: ``SLOT_NAME``; the second value of the
same slot is ``SLOT_NAME_2``. A special value (yes, no, none, dont_care, asked for) stays a value: it has no
placeholder, and its agenda token holds it instead (``SLOT_KIDSALLOWED_YES``, ``SLOT_AREA_?``), so that no two slots
of an act are told by the same token.

The value may also be written otherwise: "a or b" with "and", or in the other order; without its determiner; in
English in the other number or with a hyphen (`allsaid.language.inflection`). Its plural is told by ``-s`` behind the
placeholder, as the corpora of Wen et al. 2015 write it, the singular of a value in the plural by ``-sg``. Before a
placeholder "a" and "an" are one token, ``a/an``; filling chooses by what follows. What is written differently from
what filling gives is kept beside the tokens, so that `relexicalise` gives the normalised text back.

Among all places where a value fits, longer ones go first, then those on the left, then the value itself before its
inflections. A form that fits several slots means the first that the text has not named yet, and when all are named,
the one that was named last.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from allsaid.language.inflection import (
    PLURAL,
    SINGULAR,
    Words,
    article,
    inflected,
    is_english,
    plural,
    singular,
)
from allsaid.language.text import ENGLISH
from schemas.act import ASKED, SPECIAL, Slot, Unrestored, item_token, unquoted

SUFFIXES = frozenset((PLURAL, SINGULAR, "-ly", "-er", "'s"))  # written apart in the corpus, or by us
DETERMINERS = frozenset(("a", "an", "the"))
ARTICLES = frozenset(("a", "an"))
ARTICLE = "a/an"  # either, before a placeholder; the tokeniser never gives it
# Words that are no value when they stand alone, whatever the table says.
_NO_VALUE = DETERMINERS | frozenset(
    ["i", "in", "is", "it", "not", "of", "on", "or", "and", "to", "for", "with", "-s", "-ly", "-er", "'s"]
)


@dataclass(frozen=True)
class Item:
    """A slot as the agenda holds it."""

    token: str  # its placeholder, or the token of slot and special value
    forms: tuple[Words, ...]  # ways to write its value, the canonical one first; none for a special value
    said: tuple[Words, ...] = ()  # phrases that mean a special value


@dataclass(frozen=True)
class Delexicalised:
    tokens: list[str]  # T
    surface: list[str]  # T, as written
    items: list[int]  # T positions of the items that the placeholders stand for, -1 elsewhere
    exceptions: list[Unrestored]


def item_tokens(slots: Iterable[Slot]) -> list[str]:
    """A token for each slot, none twice."""
    tokens: dict[str, None] = {}
    for slot in slots:
        token = item_token(Slot(slot.slot, slot.value or ASKED))
        if token in tokens:
            token = next(f"{token}_{count}" for count in range(2, len(tokens) + 3) if f"{token}_{count}" not in tokens)
        tokens[token] = None
    return list(tokens)


@lru_cache(maxsize=1 << 14)
def forms(value: str) -> tuple[Words, ...]:
    """Ways to write a normalised value, itself first; none for a special value."""
    if not value or value in SPECIAL:
        return ()
    words = tuple(unquoted(value).split())
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
    is_inflected: bool
    fits: tuple[int, ...]  # items, in the agenda's order


def _places(tokens: Sequence[str], items: Sequence[Item], language: str) -> list[_Place]:
    """Where values stand in the text: no two places overlap, from left to right."""
    having: dict[str, list[tuple[Words, bool, int]]] = {token: [] for token in tokens}
    for position, item in enumerate(items):
        for is_inflected, ways in ((False, item.forms), (True, inflected(item.forms, language))):
            for form in ways:
                if form[0] in having:
                    having[form[0]].append((form, is_inflected, position))
    fits: dict[tuple[int, int, bool], list[int]] = {}  # (-length, start, is inflected) -> items
    for start, token in enumerate(tokens):
        for form, is_inflected, position in having[token]:
            if len(form) == 1 or tuple(tokens[start : start + len(form)]) == form:
                fits.setdefault((-len(form), start, is_inflected), []).append(position)
    taken = [False] * len(tokens)
    places = []
    for length, start, is_inflected in sorted(fits):
        if not any(taken[start : start - length]):
            taken[start : start - length] = [True] * -length
            places.append(_Place(start, start - length, is_inflected, tuple(fits[length, start, is_inflected])))
    return sorted(places, key=lambda place: place.start)


def delexicalise(
    tokens: Sequence[str], surface: Sequence[str], items: Sequence[Item], language: str = ""
) -> Delexicalised:
    """Replace the values in a normalised text by their placeholders; ``language`` "": English if its words are."""
    done = Delexicalised([], [], [], [])
    named: list[int] = []  # items in the order of their latest mention
    language = language or (ENGLISH if is_english(tokens) else "")
    end = 0
    for place in _places(tokens, items, language):
        item = choose(place.fits, named)
        _copy(done, tokens[end : place.start], surface[end : place.start])
        written, end = tuple(tokens[place.start : place.end]), place.end
        if language == ENGLISH and place.start and tokens[place.start - 1] in ARTICLES and done.items[-1] < 0:
            _replace_article(done, written)
        value = items[item].forms[0]
        if written != value:
            done.exceptions.append(Unrestored(len(done.tokens), " ".join(written)))
        done.tokens.append(items[item].token)
        done.surface.append(" ".join(surface[place.start : place.end]))
        done.items.append(item)
        if place.is_inflected and language == ENGLISH and (number := number_of(value, written)):
            done.exceptions.append(Unrestored(len(done.tokens), ""))
            _copy(done, [number], [number])
        named = [other for other in named if other != item] + [item]
    _copy(done, tokens[end:], surface[end:])
    return done


def _replace_article(done: Delexicalised, following: Words) -> None:
    """Put the token of both articles for the last one."""
    if article(following) != done.tokens[-1]:
        done.exceptions.append(Unrestored(len(done.tokens) - 1, done.tokens[-1]))
    done.tokens[-1] = ARTICLE


@lru_cache(maxsize=1 << 14)
def number_of(value: Words, written: Words) -> str:
    """The token that makes the written form of a value: of its plural, of its singular; "" where none does."""
    spoken = " ".join(written)
    return next((number for number in (PLURAL, SINGULAR) if join_suffixes(" ".join((*value, number))) == spoken), "")


def choose(fits: Sequence[int], named: Sequence[int]) -> int:
    """Which of several items a mention means: the first not named yet, else the one that was named last."""
    return next((item for item in fits if item not in named), max(fits, key=lambda item: _last(named, item)))


def _last(named: Sequence[int], item: int) -> int:
    return named.index(item) if item in named else -1


def _copy(done: Delexicalised, tokens: Sequence[str], surface: Sequence[str]) -> None:
    done.tokens.extend(tokens)
    done.surface.extend(surface)
    done.items.extend([-1] * len(tokens))


def relexicalise(tokens: Sequence[str], slots: Sequence[Slot], exceptions: Iterable[Unrestored] = ()) -> str:
    """The normalised text of delexicalised tokens; placeholders of slots that the act lacks stay as they are."""
    told = zip(item_tokens(slots), slots, strict=True)
    values = {token: unquoted(slot.value) for token, slot in told if forms(slot.value)}
    written = {exception.position: exception.written for exception in exceptions}
    return " ".join(filter(None, fill(tokens, values, written)))


def fill(tokens: Sequence[str], values: Mapping[str, str], written: Mapping[int, str] | None = None) -> list[str]:
    """What stands for each of T tokens: a placeholder's value, the article that fits what follows, or the token.

    ``written``: what stands at some positions whatever the rule says.
    """
    kept = written or {}
    words = [kept.get(position, values.get(token, token)) for position, token in enumerate(tokens)]
    for position, token in enumerate(tokens):
        if token == ARTICLE and position not in kept:
            words[position] = article(" ".join(words[position + 1 : position + 3]).split())
    return words


def join_suffixes(text: str) -> str:
    """A text with its suffixes joined to their words and single blanks: ``hotel -s`` is "hotels"."""
    said: list[str] = []
    for word in text.split():
        if word in SUFFIXES and said:
            said[-1] = _join(said[-1], word)
        else:
            said.append(word)
    return " ".join(said)


def _join(word: str, suffix: str) -> str:
    if suffix == PLURAL:
        return plural(word)
    return singular(word) if suffix == SINGULAR else word + suffix.removeprefix("-")


def speak(normalised: str) -> str:
    """A relexicalised text as people write it: suffixes joined, and of two determiners in a row the second.

    Two stand together where a generated text has "the" before a name that begins with it. A number's suffix behind no
    word, which a model may write, says nothing.
    """
    given = normalised.split()
    said = (word for before, word in pairwise(["a", *given]) if word not in (PLURAL, SINGULAR) or before[-1].isalnum())
    words = join_suffixes(" ".join(said)).split()
    pairs = pairwise([*words, ""])
    return " ".join(word for word, after in pairs if word not in DETERMINERS or after not in DETERMINERS)
