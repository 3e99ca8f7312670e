"""An act and its text -> a supervised example; for dialogue acts, for a table's rows and for DSTC2's acts alike.

The supervision is free (Kiddon et al. 2016, section 4.6, by placeholder instead of by string match): a placeholder
refers to its slot, and words that speak of a slot refer to one whose value has no placeholder ("allows kid -s" for
``kidsallowed=yes``, "what area" for ``request(area)``). Words of a slot stand in `KEYWORDS`, else they are the words of
its own name. They are compared by stem, and a run of them is one mention. A slot's first mention is new, later ones
are used; where words fit several slots, `pipelines.linking.delex.choose` decides.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from allsaid.language.stems import key
from allsaid.language.word_table import WordTable, normalise
from pipelines.linking.delex import Delexicalised, Item, choose, delexicalise, join_suffixes
from pipelines.linking.splits import content_hash
from pipelines.source import RecordFault
from schemas.act import Act, Slot
from schemas.example import NEW, NO_ITEM, NONE, USED, Example

# What people say when they speak of a slot without naming a value.
KEYWORDS: Mapping[str, str] = {
    "acceptscreditcards": "credit card cards",
    "address": "address street located location",
    "area": "area part neighborhood neighbourhood location region where district city town",
    "count": "many number count",
    "dogsallowed": "dog dogs pet pets puppy animals",
    "food": "food cuisine dish dishes eat type kind",
    "goodformeal": "meal meals breakfast lunch dinner brunch",
    "hasinternet": "internet wifi wi-fi connection",
    "kidsallowed": "child children kid kids childe-s",
    "name": "name called",
    "near": "near nearby close area part location neighborhood region vicinity landmark where",
    "phone": "phone telephone number",
    "postcode": "postcode post postal zip zipcode code",
    "price": "price cost",
    "pricerange": "price range pricerange cost expensive cheap spend",
    "type": "type kind",
}
# Words of a slot's name that say nothing about what it is.
EMPTY = "a an and are as at by can for from good has have in is it not of on or the to type value with"
_EMPTY = frozenset(EMPTY.split())

MAX_SLOTS = 100
MAX_ACT = 4000  # characters; the search for a slot's end takes the square of it


_ACT = re.compile(r"\s*(\??\w+)\s*\((.*)\)\s*", re.DOTALL)
# One slot: its name, and perhaps a value: quoted, or bare (a quote may be lost on one side).
_SLOT = re.compile(r"\s*(\w[\w -]*?)\s*(?:=\s*('(?:[^']|'(?!\s*(?:;|$)))*'|\"[^\"]*\"|[^;()=]*?)\s*)?(?:;|$)")
_SPELLED = {"dontcare": "dont_care", "true": "yes", "false": "no"}  # special values


def parse_act(text: str) -> tuple[str, list[Slot]]:
    """Act type and slots of ``inform(name='red door cafe';pricerange=moderate)``, values as written, quotes off.

    A slot without a value has "". Raises RecordFault.
    """
    if len(text) > MAX_ACT:
        raise RecordFault("long_act", f"'{text[:80]}' goes on for {len(text):,} characters; read are {MAX_ACT:,}.")
    act = _ACT.fullmatch(text)
    if act is None:
        raise RecordFault("bad_act", f"'{text[:80]}' is no act: it should be a type and, in brackets, slots.")
    slots = []
    inside, position = act[2].strip(), 0
    while position < len(inside):
        slot = _SLOT.match(inside, position)
        if slot is None:
            place = inside[position : position + 80]
            raise RecordFault("bad_act", f"'{place}' in '{text[:80]}' is no slot: it should be name=value.")
        slots.append(Slot(slot[1], (slot[2] or "").strip("'\"")))
        position = slot.end()
    if len(slots) > MAX_SLOTS:
        raise RecordFault("too_many_slots", f"'{text[:80]}' has {len(slots):,} slots; read are {MAX_SLOTS}.")
    return act[1], slots


def normalise_slots(slots: Sequence[Slot], words: WordTable) -> list[Slot]:
    """The slots with their values written as the normalised text writes them."""
    values = (" ".join(normalise(slot.value, words)[0]) for slot in slots)
    return [Slot(slot.slot, _SPELLED.get(value, value)) for slot, value in zip(slots, values, strict=True)]


@lru_cache(maxsize=1 << 12)
def keywords(slot: str) -> frozenset[str]:
    """Stems of the words that speak of a slot."""
    return stems(KEYWORDS.get(slot) or split_name(slot))


def split_name(slot: str) -> str:
    """Return the words of a slot's or column's name: "customer rating" of customerRating."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|[\W_]+", " ", slot)


@lru_cache(maxsize=1 << 12)
def stems(words: str) -> frozenset[str]:
    """Stems of the words, parted by blanks, that say something."""
    return frozenset(key(word) for word in words.lower().split() if word not in _EMPTY)


def link(done: Delexicalised, items: Sequence[Item], spoken: Sequence[frozenset[str]]) -> tuple[list[int], list[int]]:
    """Reference type and item of each of T tokens; ``spoken`` has the stems that speak of each of L items."""
    having: dict[str, list[int]] = {}
    for position, item in enumerate(items):
        for stem in () if item.forms else spoken[position]:
            having.setdefault(stem, []).append(position)
    in_phrases = _in_phrases(done.tokens, items)
    types, refs = [NONE] * len(done.tokens), [NO_ITEM] * len(done.tokens)
    named: list[int] = []  # items in the order of their latest mention
    running = NO_ITEM  # the item of the mention that the token before belongs to, where that is a word
    for position, (token, found) in enumerate(zip(done.tokens, done.items, strict=True)):
        fits: Sequence[int] = having.get(key(token), ()) if having and found < 0 else ()
        fits = in_phrases.get(position, fits)
        if running in fits:
            types[position], refs[position] = types[position - 1], running
            continue
        running = choose(fits, named) if fits else NO_ITEM
        mentioned = max(found, running)
        if mentioned >= 0:
            types[position], refs[position] = USED if mentioned in named else NEW, mentioned
            named = [other for other in named if other != mentioned] + [mentioned]
    return types, refs


def _in_phrases(tokens: Sequence[str], items: Sequence[Item]) -> dict[int, tuple[int, ...]]:
    """Return the places of the longest word of each phrase that means a special value, with the phrase's item.

    The other words of a phrase ("only" in "adults only") mention nothing by themselves.
    """
    found: dict[int, tuple[int, ...]] = {}
    for position, item in enumerate(items):
        for phrase in item.said:
            longest = phrase.index(max(phrase, key=len))
            for start in range(len(tokens) - len(phrase) + 1):
                if tuple(tokens[start : start + len(phrase)]) == phrase:
                    found[start + longest] = (position,)
    return found


@dataclass(frozen=True)
class Told:
    """What to say and how it was said; the lists have an element for each of L slots."""

    id: str
    goal: str
    goal_tokens: list[str]
    agenda: list[str]  # as written
    slots: list[Slot]  # values normalised
    items: list[Item]
    spoken: list[frozenset[str]]  # stems of the words that speak of a slot
    text: str  # as written
    file: str
    offset: int
    handcrafted: str = ""
    language: str = ""  # of the text, by its code; "": its own words tell whether it is English


def rows(told: Told, words: WordTable) -> tuple[Example, Act]:
    """The supervised example and the act, of one id; ``words`` is the normaliser's table."""
    tokens, surface = normalise(told.text, words)
    done = delexicalise(tokens, surface, told.items, told.language)
    types, refs = link(done, told.items, told.spoken)
    normalised = " ".join(tokens)
    example = Example(
        id=told.id,
        content_hash=content_hash("".join(filter(str.isalnum, normalised))),
        goal=told.goal,
        goal_tokens=told.goal_tokens,
        agenda=told.agenda,
        agenda_tokens=[[item.token] for item in told.items],
        text=join_suffixes(told.text),
        tokens=done.tokens,
        surface=done.surface,
        ref_types=types,
        ref_items=refs,
        file=told.file,
        offset=told.offset,
    )
    act = Act(
        id=told.id,
        act_type=told.goal,
        slots=told.slots,
        text=told.text,
        normalised=normalised,
        tokens=done.tokens,
        exceptions=done.exceptions,
        handcrafted=told.handcrafted,
        file=told.file,
        offset=told.offset,
    )
    return example, act


def figures(example: Example, items: Sequence[Item]) -> dict[str, int]:
    """How long the text is, and how many of the act's values stand in it."""
    mentioned = set(example.ref_items)
    return {
        "tokens": len(example.tokens),
        "items": len(items),
        "given values": sum(bool(item.forms) for item in items),
        "found values": sum(bool(item.forms) and position in mentioned for position, item in enumerate(items)),
    }
