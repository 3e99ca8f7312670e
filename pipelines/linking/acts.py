"""An act and its text -> a supervised example; used for dialogue acts, for rows of a table and for DSTC2's acts.

The supervision needs no labels (Kiddon et al. 2016, section 4.6, with placeholders instead of a string match). A
placeholder refers to its slot. A slot whose value has no placeholder is mentioned by keywords: "allows kid -s" for
``kidsallowed=yes``, "what area" for ``request(area)``. A slot's keywords are in `KEYWORDS`, else they are the words of
the slot's name. They are compared by stem, and adjacent keywords are one mention. The first mention of a slot has the
reference type NEW, later mentions USED. If words fit several slots, `pipelines.linking.delex.choose` decides.
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

# The words with which people mention a slot without its value.
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
# Words of a slot's name that don't count as its keywords.
WORDS_WITHOUT_CONTENT = "a an and are as at by can for from good has have in is it not of on or the to type value with"
_WITHOUT_CONTENT = frozenset(WORDS_WITHOUT_CONTENT.split())

MAX_SLOTS = 100
MAX_ACT = 4000  # characters; the search for a slot's end takes time quadratic in the length

_ACT = re.compile(r"\s*(\??\w+)\s*\((.*)\)\s*", re.DOTALL)
# One slot: its name and an optional value, quoted or bare (the quote on one side may be missing).
_SLOT = re.compile(r"\s*(\w[\w -]*?)\s*(?:=\s*('(?:[^']|'(?!\s*(?:;|$)))*'|\"[^\"]*\"|[^;()=]*?)\s*)?(?:;|$)")
_SPECIAL_VALUES = {"dontcare": "dont_care", "true": "yes", "false": "no"}  # spelling in corpora -> ours


def parse_act(text: str) -> tuple[str, list[Slot]]:
    """Return type and slots of an act such as ``inform(name='red door cafe';pricerange=moderate)``.

    Values are as written, without quotes; a slot without a value has "". Raises RecordFault.
    """
    check_length(text)
    act = _ACT.fullmatch(text)
    if act is None:
        raise RecordFault("bad_act", f"'{text[:80]}' is not an act of the form type(slots).")
    return act[1], [Slot(slot.slot, slot.value.strip("'\"")) for slot in parse_slots(act[2], text, _SLOT, "name=value")]


def check_length(act: str) -> None:
    """Raise RecordFault for an act of more than MAX_ACT characters."""
    if len(act) > MAX_ACT:
        raise RecordFault("long_act", f"'{act[:80]}' has {len(act):,} characters; the limit is {MAX_ACT:,}.")


def parse_slots(slots: str, act: str, pattern: re.Pattern[str], form: str) -> list[Slot]:
    """Parse the slots of an act by the pattern of one slot, with name and value as groups.

    ``form``: the form of a slot, for the error. Raises RecordFault.
    """
    found, position = [], 0
    slots = slots.strip()
    while position < len(slots):
        slot = pattern.match(slots, position)
        if slot is None:
            place = slots[position : position + 80]
            raise RecordFault("bad_act", f"'{place}' in '{act[:80]}' is not a slot of the form {form}.")
        found.append(Slot(slot[1], (slot[2] or "").strip()))
        position = slot.end()
    if len(found) > MAX_SLOTS:
        raise RecordFault("too_many_slots", f"'{act[:80]}' has {len(found):,} slots; the limit is {MAX_SLOTS}.")
    return found


def normalise_slots(slots: Sequence[Slot], words: WordTable) -> list[Slot]:
    """Return the slots with values normalised like the text."""
    values = (" ".join(normalise(slot.value, words)[0]) for slot in slots)
    return [Slot(slot.slot, _SPECIAL_VALUES.get(value, value)) for slot, value in zip(slots, values, strict=True)]


@lru_cache(maxsize=1 << 12)
def keywords(slot: str) -> frozenset[str]:
    """Return the stems of the words that mention a slot."""
    return stems(KEYWORDS.get(slot) or split_name(slot))


def split_name(slot: str) -> str:
    """Return the words of a slot's or column's name: "customer rating" for customerRating."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|[\W_]+", " ", slot)


@lru_cache(maxsize=1 << 12)
def stems(words: str) -> frozenset[str]:
    """Return the stems of words separated by blanks, without those of WORDS_WITHOUT_CONTENT."""
    return frozenset(key(word) for word in words.lower().split() if word not in _WITHOUT_CONTENT)


def link(text: Delexicalised, items: Sequence[Item], keywords: Sequence[frozenset[str]]) -> tuple[list[int], list[int]]:
    """Return reference type and item of each of T tokens; ``keywords``: the stems that mention each of L items."""
    by_keyword: dict[str, list[int]] = {}
    for position, item in enumerate(items):
        for stem in () if item.forms else keywords[position]:
            by_keyword.setdefault(stem, []).append(position)
    by_position = _phrase_items(text.tokens, items)
    types, refs = [NONE] * len(text.tokens), [NO_ITEM] * len(text.tokens)
    mentioned: list[int] = []  # items in the order of their latest mention
    previous = NO_ITEM  # the item that the token before mentions by a keyword
    for position, (token, placeholder) in enumerate(zip(text.tokens, text.items, strict=True)):
        fits: Sequence[int] = by_keyword.get(key(token), ()) if by_keyword and placeholder < 0 else ()
        fits = by_position.get(position, fits)
        if previous in fits:
            types[position], refs[position] = types[position - 1], previous
            continue
        previous = choose(fits, mentioned) if fits else NO_ITEM
        item_here = max(placeholder, previous)
        if item_here >= 0:
            types[position], refs[position] = USED if item_here in mentioned else NEW, item_here
            mentioned = [other for other in mentioned if other != item_here] + [item_here]
    return types, refs


def _phrase_items(tokens: Sequence[str], items: Sequence[Item]) -> dict[int, tuple[int, ...]]:
    """Return the items whose special values are expressed by phrases, by the position of the phrase's longest word.

    The other words of the phrase, such as "only" in "adults only", mention nothing.
    """
    found: dict[int, tuple[int, ...]] = {}
    for position, item in enumerate(items):
        for phrase in item.special_phrases:
            if phrase[0] not in tokens:
                continue
            longest = phrase.index(max(phrase, key=len))
            for start in range(len(tokens) - len(phrase) + 1):
                if tuple(tokens[start : start + len(phrase)]) == phrase:
                    found[start + longest] = (position,)
    return found


@dataclass(frozen=True)
class ActText:
    """An act and its text before they are linked; the lists have an element for each of L slots."""

    id: str
    goal: str
    goal_tokens: list[str]
    agenda: list[str]  # as written
    slots: list[Slot]  # values normalised
    items: list[Item]
    keywords: list[frozenset[str]]  # stems of the words that mention a slot
    text: str  # as written
    file: str
    offset: int
    handcrafted: str = ""
    language: str = ""  # code of the text's language; "": the words show whether it is English


def rows(act_text: ActText, words: WordTable) -> tuple[Example, Act]:
    """Return the supervised example and the act, both with the same id; ``words`` is the normaliser's table."""
    tokens, surface = normalise(act_text.text, words)
    delexicalised = delexicalise(tokens, surface, act_text.items, act_text.language)
    types, refs = link(delexicalised, act_text.items, act_text.keywords)
    normalised = " ".join(tokens)
    example = Example(
        id=act_text.id,
        content_hash=content_hash("".join(filter(str.isalnum, normalised))),
        goal=act_text.goal,
        goal_tokens=act_text.goal_tokens,
        agenda=act_text.agenda,
        agenda_tokens=[[item.token] for item in act_text.items],
        text=join_suffixes(act_text.text),
        tokens=delexicalised.tokens,
        surface=delexicalised.surface,
        ref_types=types,
        ref_items=refs,
        file=act_text.file,
        offset=act_text.offset,
    )
    act = Act(
        id=act_text.id,
        act_type=act_text.goal,
        slots=act_text.slots,
        text=act_text.text,
        normalised=normalised,
        tokens=delexicalised.tokens,
        exceptions=delexicalised.exceptions,
        handcrafted=act_text.handcrafted,
        file=act_text.file,
        offset=act_text.offset,
    )
    return example, act


def figures(example: Example, items: Sequence[Item]) -> dict[str, int]:
    """Return the number of tokens, of items, of the act's values, and of those values that the text expresses."""
    mentioned = set(example.ref_items)
    return {
        "tokens": len(example.tokens),
        "items": len(items),
        "given values": sum(bool(item.forms) for item in items),
        "found values": sum(bool(item.forms) and position in mentioned for position, item in enumerate(items)),
    }
