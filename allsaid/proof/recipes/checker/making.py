"""Uses of things before they are made, of items after they are used up, and things kept but never used."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from allsaid.proof.foods.hierarchy import load_foods
from allsaid.proof.foods.names import stems_of, words_of
from allsaid.proof.recipes.checker.view import KITCHEN, View
from allsaid.proof.recipes.frames import Clause, Group, Member
from allsaid.proof.recipes.kitchen import listed
from allsaid.proof.recipes.mentions import MIXED
from schemas.texts.finding import BEFORE_MADE, NEVER_USED, USED_UP, Finding

# What only a step can make; a name such as "sauce" or "crust" may be bought.
_MADE = listed(
    "mixture dough batter filling dressing marinade glaze frosting icing stuffing custard roux meringue streusel"
)
_THE = frozenset(("the", "this"))
_LEFT = frozenset(("remaining", "reserved"))
_ADDS = listed("add combine mix stir blend fold beat whisk")
# Commands that may separate a mixture.
_MOVES = listed("remove transfer drain strain lift return divide reserve separate set repeat discard slice pour spoon")
_PARTS = listed(
    """if half part some remaining rest more additional extra taste alternately amount small little adjust necessary
    while when leftover"""
)
_SHARES = KITCHEN["number"] | listed(
    "another half remaining more some additional rest extra other each reserved few little"
)
_INTRODUCES = listed("make prepare for to making form forms into until combine mix")
_PREPARED = re.compile(r"reserv|beaten|mixed|plus|combined|blended|divided")  # in a line of the list
_CATCH_ALLS = listed("ingredients everything all mixture rest remaining reserved return together layers both")
_MAY_MEAN_KEPT = KITCHEN["made"] | _CATCH_ALLS | {"it", "them"}
_SAME = frozenset(("the", "in", "same"))  # before a vessel that was named


def check(view: View) -> Iterator[Finding]:
    """Yield the findings about things that are made and used."""
    yield from _before_made(view)
    yield from _never_used(view)
    yield from _used_up(view)
    yield from _nothing_left(view)


def _before_made(view: View) -> Iterator[Finding]:
    words = view.words
    listed_words = {word for name in view.names for word in words_of(name)}
    for place, word in enumerate(words):
        is_meant = place > 0 and words[place - 1] in _THE and not _is_introduced(words, place)
        if word in _MADE and word not in listed_words and is_meant and not _is_made(view, word, place):
            yield view.finding(BEFORE_MADE, (place - 1, place + 1))
    for mention in view.mentions:
        before = words[max(mention.start - 1, 0) : mention.start]
        is_left = bool(before) and before[0] in _LEFT
        is_mixed = words[mention.end : mention.end + 1] == [MIXED] and before and before[0] in _THE
        if not mention.items or not (is_left or is_mixed):
            continue
        named = words[mention.end - 1] in words[: mention.start] or any(
            {*earlier.items} & {*mention.items} for earlier in view.mentions if earlier.end <= mention.start
        )
        is_prepared = any(_PREPARED.search(view.lines[item].lower()) for item in mention.items)
        if not named and not is_prepared and "ingredients" not in words[: mention.start]:
            yield view.finding(BEFORE_MADE, (mention.start - 1, mention.end + bool(is_mixed)))


def _is_introduced(words: Sequence[str], place: int) -> bool:
    """Whether the words around "the dough" are about how it is made: "make the dough", "the dough ingredients"."""
    before, after = words[max(place - 2, 0) : place - 1], words[place + 1 : place + 2]
    return bool(_INTRODUCES.intersection(before)) or after in (["ingredients"], [":"])


def _is_made(view: View, word: str, place: int) -> bool:
    """Return whether the words before a place may have made the thing there."""
    before = view.words[:place]
    return word in before[:-1] or "ingredients" in before or sum(mention.end <= place for mention in view.mentions) >= 2


def _never_used(view: View) -> Iterator[Finding]:
    """Yield the clauses that keep items for later, if no later word may mean them."""
    clauses = view.steps.clauses
    for number, clause in enumerate(clauses):
        if not _is_kept(view, clause) or _is_garnish(view, clause):
            continue
        near = clauses[max(number - 1, 0) : number + 1]
        kept = {item for member in near for mention in member.mentions for item in mention.items}
        later = {item for mention in view.mentions if mention.start >= clause.end for item in mention.items}
        after = view.words[clause.end :]
        if kept and kept.isdisjoint(later) and (_MAY_MEAN_KEPT | _other_foods(view, kept)).isdisjoint(after):
            vessels = KITCHEN["vessel"].intersection(view.words[near[0].start : clause.end])
            if any(word in vessels and before in _SAME for before, word in pairwise(after)):
                continue
            yield view.finding(NEVER_USED, clause)


def _other_foods(view: View, items: set[int]) -> set[str]:
    """Return the foods in the lines of some items, which may name them: "clams" of "cockles or clams"."""
    words = {word.strip(",;()") for item in items for word in view.lines[item].lower().split()}
    return {word for word in words if stems_of([word]) in load_foods().canonical}


def _is_kept(view: View, clause: Clause) -> bool:
    """Return whether a clause keeps something for later: "set aside", "reserve"."""
    words = view.words[clause.start : clause.end]
    verb = view.steps.verb(clause)
    return verb == "reserve" or (verb in ("set", "put") and "aside" in words)


def _is_garnish(view: View, clause: Clause) -> bool:
    """Return whether a clause gives the purpose or the time of keeping, such as "for garnish"."""
    words = view.words[clause.start : clause.end]
    return bool({"for", "garnish", "until", "to", "while"}.intersection(words))


def _used_up(view: View) -> Iterator[Finding]:
    """Yield the clauses that add an item again that was mixed with others before."""
    mixed: set[int] = set()
    last: set[int] = set()  # items of the last mixture
    for clause in view.steps.clauses:
        in_clause = {*view.words[clause.start : clause.end]}
        if view.steps.verb(clause) in _MOVES or ":" in in_clause:  # "to microwave:" begins another way
            mixed.clear()
        if view.steps.verb(clause) not in _ADDS or in_clause & _PARTS:
            continue
        for group in clause.groups:
            if not _is_object(view, clause, group):
                continue
            items = {member.mention.items[0] for member in group.members if member.mention and member.mention.items}
            is_same = len(items & last) > 1 and group.start == (clause.verb or 0) + 1
            if is_same and view.steps.verb(clause) != "add":  # "add milk and cream. Mix the milk, cream and bread"
                continue
            for member in group.members:
                mention = member.mention
                if mention is None or not _is_whole(view, member):
                    continue
                words = view.words[member.start : mention.start]
                if any(word[:1].isdigit() or word in _SHARES for word in words):
                    continue
                if mention.items[0] in mixed:
                    yield view.finding(USED_UP, clause)
            if len(group.members) > 1:
                last = {
                    member.mention.items[0] for member in group.members if member.mention and _is_whole(view, member)
                }
                mixed |= last


def _nothing_left(view: View) -> Iterator[Finding]:
    """Yield each mention of the rest of an item, such as "the remaining oil", after steps that used all of it."""
    members = [(clause, member) for clause in view.steps.clauses for group in clause.groups for member in group.members]
    for _, member in members:
        mention = member.mention
        if mention is None or len(mention.items) != 1 or view.words[mention.end : mention.end + 1] == [MIXED]:
            continue
        if not _LEFT.intersection(view.words[member.start : mention.start]):
            continue
        before = [
            (clause, earlier)
            for clause, earlier in members
            if earlier.mention and mention.items[0] in earlier.mention.items and earlier.end <= member.start
        ]
        if before and all(_is_all(view, clause, earlier) for clause, earlier in before):
            yield view.finding(USED_UP, (member.start, member.end))


def _is_all(view: View, clause: Clause, member: Member) -> bool:
    """Return whether a clause adds a whole item, without a word about an amount."""
    words = view.words[clause.start : clause.end]
    has_amount = any(word[:1].isdigit() or word in _SHARES or word in _PARTS for word in words)
    return _is_whole(view, member) and view.steps.verb(clause) in _ADDS and not has_amount


def _is_object(view: View, clause: Clause, group: Group) -> bool:
    """Return whether a list is the object of the command: "add the oil", "stir in the oil"."""
    assert clause.verb is not None
    between = view.words[clause.verb + 1 : group.start]
    return between in ([], ["in"], ["together"])


def _is_whole(view: View, member: Member) -> bool:
    """Return whether a food of a list is a whole item of the agenda, named by its head; no part, and no mixture."""
    mention = member.mention
    if mention is None or len(mention.items) != 1 or member.end > mention.end:
        return False
    head = stems_of(view.names[mention.items[0]])[-1:]
    is_head = head == stems_of(view.words[mention.end - 1 : mention.end])
    return is_head and view.words[mention.end : mention.end + 1] != [MIXED]
