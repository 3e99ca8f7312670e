"""Uses of things before they are made, of items after they are used up, and things kept but never used."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from allsaid.language.text import listed
from allsaid.proof.foods.hierarchy import load_foods
from allsaid.proof.foods.names import stems_of
from allsaid.proof.recipes.checker.parsed import KITCHEN, ParsedRecipe
from allsaid.proof.recipes.frames import Clause, Group, Member
from allsaid.proof.recipes.mentions import MIXED, Mention
from schemas.texts.finding import BEFORE_MADE, NEVER_USED, USED_UP, Finding

# What only a step can make; a name such as "sauce" or "crust" may be bought.
_MADE = listed(
    "mixture dough batter filling dressing marinade glaze frosting icing stuffing custard roux meringue streusel"
)
_THE = frozenset(("the",))
_LEFT = frozenset(("remaining",))
# Commands that may make something whose foods the text does not name: "grind the whole spices".
_MAKES = frozenset(verb for verb, actions in KITCHEN.verbs.items() if "mix" in actions) | listed("make prepare grind")
# Foods that no cook takes out of a mixture again; salt and pepper are often added twice.
_MELTS = listed(
    """milk buttermilk oil vinegar broth stock wine syrup honey molasses cream juice sauce flour sugar cornstarch cocoa
    baking_powder powder soda cinnamon nutmeg paprika cumin egg eggs yolks butter margarine shortening mayonnaise yogurt
    mustard vanilla extract ketchup catsup yeast"""
)
_ADDS = listed("add combine mix stir blend fold beat whisk")
# Commands that may separate a mixture.
_MOVES = listed("remove transfer drain strain lift return divide reserve separate set repeat discard slice pour spoon")
# Words of a clause that may add a part of a food, or not add it: "half the milk", "more salt if necessary".
_PARTS = listed(
    """if half part some remaining rest more additional extra taste alternately amount small little adjust necessary
    while when leftover except"""
)
_NUMBERS = KITCHEN["number"] - {"half"}  # of "one-fourth"; "half-and-half" is a food
_SHARES = KITCHEN["number"] | listed(
    "another half remaining more some additional rest extra other each reserved few little"
)
# Words before and after a thing that is named before it is made: "to make the dough", "the mixture of flour and sugar".
_INTRODUCES = listed("make prepare preparing for to making form forms into until combine mix")
_MIXTURES = frozenset((MIXED, "mixtures"))
_INTRODUCED = listed("ingredients from of : - --")
_KEEPS = listed("reserve reserving drain draining discard discarding")  # "drain the artichokes, reserving the marinade"
_LATER = listed(
    "cover chill refrigerate let stand marinate remaining"
)  # of clauses after which a food may be meant again
_TO = frozenset(("to", "into", "in"))
_OTHER_WAY = listed(": hand processor alternatively also")  # "to microwave:", "to mix by hand", "can also be melted"
_STORES = listed("store refrigerate freeze keep")  # what was set aside: "set aside. Store in a jar"
_PURPOSES = listed("for garnish until while before after had cool dry rise briefly")  # "set aside for garnish"
_DOUGHS = frozenset(("dough", "batter"))
_BOUGHT = re.compile(r"(?i)recipe|pastry|dough|mix|pate|crust|biscuit")  # in a line that may mean a dough
_SLOWLY = listed("most slowly gradually sprinkle sprinkling cup cups first")  # of a food that is added in parts
_PREPARED = re.compile(
    r"(?i)recipe|above|reserv|beaten|mixed|mixture|plus|combined|blended|divided|dissolved"
)  # in a line of the list
_CATCH_ALLS = listed("ingredients everything all mixture rest remaining reserved return together layers both")
_MAY_MEAN_KEPT = KITCHEN["made"] | _CATCH_ALLS | {"it", "them", "reheat"}
_SAME = frozenset(("the", "in", "same"))  # before a vessel that was named
# In "any remaining flour", and in "the remaining cup yogurt", whose fraction was lost.
_NO_MORE = listed("any cup cups teaspoon tablespoon")


def check(recipe: ParsedRecipe) -> Iterator[Finding]:
    """Yield the findings about things that are made and used."""
    yield from _before_made(recipe)
    yield from _never_used(recipe)
    yield from _used_up(recipe)
    yield from _nothing_left(recipe)


def _before_made(recipe: ParsedRecipe) -> Iterator[Finding]:
    words = recipe.words
    listed_words = {word.strip(",;()") for line in recipe.lines for word in line.lower().split()}
    for place, word in enumerate(words):
        is_meant = place > 0 and words[place - 1] in _THE and not _is_introduced(recipe, place)
        if word in _MADE and word not in listed_words and is_meant and not _is_made(recipe, word, place):
            yield recipe.finding(BEFORE_MADE, (place - 1, place + 1))
    for clause, mention in ((part, one) for part in recipe.steps.clauses for one in part.mentions):
        before = words[max(mention.start - 1, 0) : mention.start]
        is_mixed = words[mention.end : mention.end + 1] == [MIXED] and bool(before) and before[0] in _THE
        is_mixed = is_mixed and words[max(mention.start - 2, 0)] != "as"  # "as the cheese mixture is salty"
        if not mention.items or not is_mixed or recipe.steps.verb(clause) not in _ADDS | {"pour"}:
            continue
        named = words[mention.end - 1] in words[: mention.start] or any(
            {*earlier.items} & {*mention.items} for earlier in recipe.mentions if earlier.end <= mention.start
        )
        is_prepared = any(map(_PREPARED.search, recipe.lines))
        if not named and not is_prepared and {"ingredients", "first"}.isdisjoint(words[: mention.start]):
            yield recipe.finding(BEFORE_MADE, (mention.start - 1, mention.end + 1))


def _is_introduced(recipe: ParsedRecipe, place: int) -> bool:
    """Return whether "the dough" may occur before it is made: "the dough ingredients", "the dough can rest"."""
    words = recipe.words
    before, after = words[max(place - 2, 0) : place - 1], words[place + 1 : place + 2]
    if not (_INTRODUCES | _KEEPS).isdisjoint(before) or not _INTRODUCED.isdisjoint(after):
        return True
    sentence = next(part for part in recipe.steps.sentences if part.start <= place < part.end)
    if not {"after", "before", "can", "could"}.isdisjoint(words[sentence.start : sentence.end]):
        return True
    return ":" in words[sentence.start : sentence.end] or all(clause.verb is None for clause in sentence.clauses)


def _is_made(recipe: ParsedRecipe, word: str, place: int) -> bool:
    """Return whether the words before a place may have made the thing there."""
    before = recipe.words[:place]
    if _MAKES.intersection(before[:-1]) or (word in _DOUGHS and any(map(_BOUGHT.search, recipe.lines))):
        return True
    return (
        word in before[:-1] or "ingredients" in before or sum(mention.end <= place for mention in recipe.mentions) >= 2
    )


def _never_used(recipe: ParsedRecipe) -> Iterator[Finding]:
    """Yield the clauses that keep items for later, if no later word may mean them."""
    clauses = recipe.steps.clauses
    for number, clause in enumerate(clauses):
        near = clauses[max(number - 2, 0) : number + 1]
        if any(recipe.steps.verb(following) in _STORES for following in clauses[number + 1 : number + 2]):
            continue
        if not _is_kept(recipe, clause) or _is_garnish(recipe, clauses[max(number - 1, 0)].start, clause.end):
            continue
        kept = {item for member in near for mention in member.mentions for item in mention.items}
        kept = {item for item in kept if recipe.names[item][-1:] != ["water"]}  # "rinse with water; set aside"
        later = {item for mention in recipe.mentions if mention.start >= clause.end for item in mention.items}
        after = recipe.words[clause.end :]
        words = [word for item in kept for word in recipe.lines[item].lower().split()]
        words += recipe.words[near[0].start : clause.end]
        names = _MAY_MEAN_KEPT | _foods_in(words) | {*recipe.goal}
        if kept and kept.isdisjoint(later) and names.isdisjoint(after):
            vessels = KITCHEN["vessel"].intersection(recipe.words[near[0].start : clause.end])
            if any(word in vessels and before in _SAME for before, word in pairwise(after)):
                continue
            yield recipe.finding(NEVER_USED, clause)


def _foods_in(words: Iterable[str]) -> set[str]:
    """Return the words that are foods, which may name an item again: "clams" of "cockles or clams"."""
    return {food for word in words if stems_of([food := word.strip(",;()")]) in load_foods().canonical}


def _is_kept(recipe: ParsedRecipe, clause: Clause) -> bool:
    """Return whether a clause keeps something for later: "set aside"."""
    return recipe.steps.verb(clause) in ("set", "put") and "aside" in recipe.words[clause.start : clause.end]


def _is_garnish(recipe: ParsedRecipe, start: int, end: int) -> bool:
    """Return whether words give the purpose or the time of keeping, such as "for garnish"."""
    return not _PURPOSES.isdisjoint(recipe.words[start:end])


def _used_up(recipe: ParsedRecipe) -> Iterator[Finding]:
    """Yield the clauses that add an item again that was mixed with others before."""
    mixed: dict[int, list[str]] = {}  # item -> the words that named it
    last: set[int] = set()  # items of the last mixture
    mixtures: list[set[int]] = []
    for clause in recipe.steps.clauses:
        in_clause = {*recipe.words[clause.start : clause.end]}
        if in_clause & _OTHER_WAY:
            return
        if recipe.steps.verb(clause) in _MOVES:
            mixed.clear()
        if recipe.steps.verb(clause) not in _ADDS or in_clause & _PARTS:
            if clause.mentions or in_clause & _LATER:
                last = set()
            continue
        for group in clause.groups:
            if not _is_object(recipe, clause, group) or not _MIXTURES.isdisjoint(
                recipe.words[group.start : group.end + 1]
            ):
                continue
            items = {member.mention.items[0] for member in group.members if member.mention and member.mention.items}
            is_same = len(items & last) > 1 or (len(items) > 1 and any(items <= mixture for mixture in mixtures))
            if is_same and recipe.steps.verb(clause) != "add":  # "add milk and cream. Mix the milk, cream and bread"
                continue
            for member in group.members:
                mention = member.mention
                if mention is None or not _is_named_alone(recipe, member):
                    continue
                named = recipe.words[mention.start : mention.end]
                at_once = last >= items and len(group.members) == 1 and _TO.isdisjoint(in_clause)
                if mixed.get(mention.items[0]) == named and (named[-1] in _MELTS or at_once):
                    yield recipe.finding(USED_UP, clause)
            last = set()
            if len(group.members) > 1:
                whole = [
                    member.mention for member in group.members if member.mention and _is_named_alone(recipe, member)
                ]
                last = {mention.items[0] for mention in whole}
                mixtures.append(last)
                mixed |= {mention.items[0]: recipe.words[mention.start : mention.end] for mention in whole}


def _nothing_left(recipe: ParsedRecipe) -> Iterator[Finding]:
    """Yield each mention of the rest of an item, such as "the remaining oil", after steps that used all of it."""
    members = [
        (clause, member) for clause in recipe.steps.clauses for group in clause.groups for member in group.members
    ]
    for _, member in members:
        mention = member.mention
        if mention is None or len(mention.items) != 1 or recipe.words[mention.end : mention.end + 1] == [MIXED]:
            continue
        words = recipe.words[member.start : mention.start]
        if not _LEFT.intersection(words) or not _NO_MORE.isdisjoint(words) or ":" in recipe.words[: member.start]:
            continue
        if (
            _is_made_sauce(recipe, mention)
            or recipe.is_listed_again(mention)
            or not recipe.ends_name(member.end)
            or any(word[:1].isdigit() for word in words)
        ):
            continue
        before = [
            (clause, earlier)
            for clause, earlier in members
            if earlier.mention and mention.items[0] in earlier.mention.items and earlier.end <= member.start
        ]
        between = recipe.words[before[-1][1].end : member.start] if before else []
        if MIXED in between or "reserve" in between:
            continue
        is_same = any(recipe.words[earlier.end - 1] == recipe.words[mention.end - 1] for _, earlier in before)
        if is_same and all(_is_all(recipe, clause, earlier) for clause, earlier in before):
            yield recipe.finding(USED_UP, (member.start, member.end))


def _is_made_sauce(recipe: ParsedRecipe, mention: Mention) -> bool:
    """Return whether a word may mean something made instead of an item: "the sauce", where the list has steak sauce."""
    return (
        mention.end - mention.start < len(recipe.namer.items[mention.items[0]])
        and recipe.words[mention.start] in KITCHEN["made"]
    )


def _is_named_alone(recipe: ParsedRecipe, member: Member) -> bool:
    """Return whether a food is a whole item of the agenda, without an amount or an adjective."""
    mention = member.mention
    is_bare = mention is not None and recipe.words[member.start : mention.start] in ([], ["the"])
    return is_bare and recipe.ends_name(member.end) and _is_whole(recipe, member)


def _is_all(recipe: ParsedRecipe, clause: Clause, member: Member) -> bool:
    """Return whether a clause adds a whole item, without a word about an amount."""
    words = recipe.words[clause.start : clause.end]
    is_part = recipe.words[max(member.start - 1, 0)] == "of"  # an amount that the parser can't read
    has_amount = any(
        word[:1].isdigit() or word in _SHARES | _PARTS | _SLOWLY or word.partition("-")[0] in _NUMBERS for word in words
    )
    return _is_whole(recipe, member) and recipe.steps.verb(clause) in _ADDS and not has_amount and not is_part


def _is_object(recipe: ParsedRecipe, clause: Clause, group: Group) -> bool:
    """Return whether a list is the object of the command: "add the oil", "stir in the oil"."""
    assert clause.verb is not None
    between = recipe.words[clause.verb + 1 : group.start]
    return between in ([], ["in"], ["together"])


def _is_whole(recipe: ParsedRecipe, member: Member) -> bool:
    """Return whether a food of a list is a whole item of the agenda, named by its head; no part, and no mixture."""
    mention = member.mention
    if mention is None or len(mention.items) != 1 or member.end > mention.end:
        return False
    head = stems_of(recipe.names[mention.items[0]])[-1:]
    is_head = head == stems_of(recipe.words[mention.end - 1 : mention.end])
    return is_head and recipe.words[mention.end : mention.end + 1] != [MIXED]
