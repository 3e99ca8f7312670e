"""Slot values <-> placeholders, both ways, without loss.

A slot's value is looked up in the normalised text and replaced by the token ``SLOT_NAME``; the second value of the same
slot by ``SLOT_NAME_2``. A special value (yes, no, none, dont_care, asked for) has no placeholder. Its agenda token
contains the value instead (``SLOT_KIDSALLOWED_YES``, ``SLOT_AREA_?``), so that no two slots of an act share a token.

A text may write a value in other forms: "a or b" with "and", or in the other order; without the determiner; in English
also in the singular or plural, or with a hyphen (`allsaid.language.inflection`). A plural is marked by ``-s`` after the
placeholder, as in the corpora of Wen et al. 2015; the singular of a plural value by ``-sg``. Before a placeholder "a"
and "an" are one token, ``a/an``; filling chooses by the words that follow. Forms that filling would not restore are
stored as exceptions, so that `relexicalise` returns the normalised text.

If places where values fit overlap, the longest is replaced, then the leftmost, then the value itself before its
inflections. A form that fits several slots means the first slot that the text has not named yet; if all are named, the
slot named last.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise, product
from typing import NamedTuple

from allsaid.language.inflection import PLURAL, SINGULAR, Words, article, inflected, is_english, plural, singular
from allsaid.language.text import ENGLISH
from allsaid.proof.values.facts import Starts, starts_of
from schemas.act import ASKED, SPECIAL, Slot, Unrestored, item_token, unquoted

SUFFIXES = frozenset((PLURAL, SINGULAR, "-ly", "-er", "'s"))  # tokens of their own in the corpus, or here
DETERMINERS = frozenset(("a", "an", "the"))
ARTICLES = frozenset(("a", "an"))
ARTICLE = "a/an"  # either article before a placeholder; the tokeniser never returns this token
# Words that are never the whole value.
_NOT_ALONE = "i in is it not of on or and to for with -s -ly -er 's"
_NO_VALUE = DETERMINERS | frozenset(_NOT_ALONE.split())


@dataclass(frozen=True)
class Item:
    """A slot as an item of the agenda."""

    token: str  # the placeholder, or the token of slot and special value
    forms: tuple[Words, ...]  # ways to write the value, the canonical form first; none for a special value
    special_phrases: tuple[Words, ...] = ()  # that mean a special value

    @cached_property
    def starts(self) -> Starts:
        """The first words of its forms."""
        return _starts(self.forms)

    @cached_property
    def other_starts(self) -> dict[str, Starts]:
        """The first words of its inflections, by language; a cache."""
        return {}


@lru_cache(maxsize=1 << 14)
def _starts(forms: tuple[Words, ...], language: str | None = None) -> Starts:
    """Return the first words of some forms, or of their inflections in a language."""
    return starts_of(forms if language is None else inflected(forms, language))


@dataclass(frozen=True)
class Delexicalised:
    tokens: list[str]  # T
    surface: list[str]  # T, as written
    items: list[int]  # T positions of the placeholders' items, -1 for other tokens
    exceptions: list[Unrestored]


def item_tokens(slots: Iterable[Slot]) -> list[str]:
    """Return a different token for each slot."""
    tokens: dict[str, None] = {}
    for slot in slots:
        token = item_token(Slot(slot.slot, slot.value or ASKED))
        if token in tokens:
            token = next(f"{token}_{count}" for count in range(2, len(tokens) + 3) if f"{token}_{count}" not in tokens)
        tokens[token] = None
    return list(tokens)


@lru_cache(maxsize=1 << 14)
def forms(value: str) -> tuple[Words, ...]:
    """Return the forms of a normalised value, itself first; none for a special value."""
    if not value or value in SPECIAL:
        return ()
    words = tuple(unquoted(value).split())
    found = [words]
    joints = [position for position, word in enumerate(words) if word in ("or", "and")]
    if len(joints) == 1 and 0 < joints[0] < len(words) - 1:
        first, second = words[: joints[0]], words[joints[0] + 1 :]
        orders = ((first, second), (second, first))
        found += [(*left, joint, *right) for left, right in orders for joint in ("or", "and")]
    if words[0] in DETERMINERS:
        found.append(words[1:])
    return tuple(dict.fromkeys(form for form in found if form and not (len(form) == 1 and form[0] in _NO_VALUE)))


def items_of(slots: Sequence[Slot]) -> list[Item]:
    """Return the agenda's items for the slots of an act, whose values are normalised."""
    return [Item(token, forms(slot.value)) for token, slot in zip(item_tokens(slots), slots, strict=True)]


class _Place(NamedTuple):
    start: int
    end: int
    is_inflected: bool
    fits: tuple[int, ...]  # items, in the agenda's order


def _places(tokens: Sequence[str], items: Sequence[Item], language: str) -> list[_Place]:
    """Return the places of values in the text from left to right; no two overlap."""
    places_of: dict[str, list[int]] = {}
    for start, token in enumerate(tokens):
        places_of.setdefault(token, []).append(start)
    fits: dict[tuple[int, int, bool], list[int]] = {}  # (-length, start, is inflected) -> items
    for position, item in enumerate(items):
        if language not in item.other_starts:
            item.other_starts[language] = _starts(item.forms, language)
        for is_inflected, starts in ((False, item.starts), (True, item.other_starts[language])):
            for word in places_of.keys() & starts.keys():
                for form, start in product(starts[word], places_of[word]):
                    if len(form) == 1 or tuple(tokens[start : start + len(form)]) == form:
                        fits.setdefault((-len(form), start, is_inflected), []).append(position)
    replaced = [False] * len(tokens)
    places = []
    for length, start, is_inflected in sorted(fits):
        if not any(replaced[start : start - length]):
            replaced[start : start - length] = [True] * -length
            places.append(_Place(start, start - length, is_inflected, tuple(fits[length, start, is_inflected])))
    return sorted(places, key=lambda place: place.start)


def delexicalise(
    tokens: Sequence[str], surface: Sequence[str], items: Sequence[Item], language: str = ""
) -> Delexicalised:
    """Replace the values in a normalised text by placeholders; a ``language`` of "" is detected as English or not."""
    result = Delexicalised([], [], [], [])
    named: list[int] = []  # items in the order of their latest mention
    language = language or (ENGLISH if is_english(tokens) else "")
    end = 0
    for place in _places(tokens, items, language):
        item = choose(place.fits, named)
        _copy(result, tokens[end : place.start], surface[end : place.start])
        written, end = tuple(tokens[place.start : place.end]), place.end
        if language == ENGLISH and place.start and tokens[place.start - 1] in ARTICLES and result.items[-1] < 0:
            _replace_article(result, written)
        value = items[item].forms[0]
        if written != value:
            result.exceptions.append(Unrestored(len(result.tokens), " ".join(written)))
        result.tokens.append(items[item].token)
        result.surface.append(" ".join(surface[place.start : place.end]))
        result.items.append(item)
        if place.is_inflected and language == ENGLISH and (number := number_of(value, written)):
            result.exceptions.append(Unrestored(len(result.tokens), ""))
            _copy(result, [number], [number])
        named = [other for other in named if other != item] + [item]
    _copy(result, tokens[end:], surface[end:])
    return result


def _replace_article(result: Delexicalised, following: Words) -> None:
    """Replace the last token, an article, by ARTICLE."""
    if article(following) != result.tokens[-1]:
        result.exceptions.append(Unrestored(len(result.tokens) - 1, result.tokens[-1]))
    result.tokens[-1] = ARTICLE


@lru_cache(maxsize=1 << 14)
def number_of(value: Words, written: Words) -> str:
    """Return the suffix that turns a value into its written form, PLURAL or SINGULAR; "" if neither does."""
    form = " ".join(written)
    return next((number for number in (PLURAL, SINGULAR) if join_suffixes(" ".join((*value, number))) == form), "")


def choose(fits: Sequence[int], named: Sequence[int]) -> int:
    """Return the item that an ambiguous mention means: the first one not yet named, else the one named last."""
    unnamed = [item for item in fits if item not in named]
    return unnamed[0] if unnamed else max(fits, key=named.index)


def _copy(result: Delexicalised, tokens: Sequence[str], surface: Sequence[str]) -> None:
    result.tokens.extend(tokens)
    result.surface.extend(surface)
    result.items.extend([-1] * len(tokens))


def relexicalise(tokens: Sequence[str], slots: Sequence[Slot], exceptions: Iterable[Unrestored] = ()) -> str:
    """Return the normalised text of delexicalised tokens; placeholders of slots that the act lacks stay as they are."""
    named = zip(item_tokens(slots), slots, strict=True)
    values = {token: unquoted(slot.value) for token, slot in named if forms(slot.value)}
    written = {exception.position: exception.written for exception in exceptions}
    return " ".join(filter(None, fill(tokens, values, written)))


def fill(tokens: Sequence[str], values: Mapping[str, str], written: Mapping[int, str] | None = None) -> list[str]:
    """Return the words for each of T tokens: a placeholder's value, the right article for ARTICLE, or the token.

    ``written``: position -> words to use instead of these.
    """
    fixed = written or {}
    words = [fixed.get(position, values.get(token, token)) for position, token in enumerate(tokens)]
    for position, token in enumerate(tokens):
        if token == ARTICLE and position not in fixed:
            words[position] = article(" ".join(words[position + 1 : position + 3]).split())
    return words


def join_suffixes(text: str) -> str:
    """Return a text with single blanks and its suffixes joined to their words: "hotels" for ``hotel -s``."""
    joined: list[str] = []
    for word in text.split():
        if word in SUFFIXES and joined:
            joined[-1] = _join(joined[-1], word)
        else:
            joined.append(word)
    return " ".join(joined)


def _join(word: str, suffix: str) -> str:
    if suffix == PLURAL:
        return plural(word)
    return singular(word) if suffix == SINGULAR else word + suffix.removeprefix("-")


def speak(normalised: str) -> str:
    """Return a relexicalised text as people write it: with suffixes joined, and without doubled determiners.

    A generated text may have "the" before a name that begins with it; the second determiner stays. A suffix of number
    that follows no word, which a model may write, is dropped.
    """
    tokens = ["a", *normalised.split()]
    attached = (word for before, word in pairwise(tokens) if word not in (PLURAL, SINGULAR) or before[-1].isalnum())
    words = join_suffixes(" ".join(attached)).split()
    pairs = pairwise([*words, ""])
    return " ".join(word for word, after in pairs if word not in DETERMINERS or after not in DETERMINERS)
