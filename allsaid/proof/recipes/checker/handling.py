"""Commands that no cook can carry out on a food: "slice the milk", "drain the sugar"."""

from __future__ import annotations

from collections.abc import Iterator

from allsaid.language.text import listed
from allsaid.proof.foods.names import stems_of
from allsaid.proof.recipes.checker.parsed import ParsedRecipe
from allsaid.proof.recipes.dishes import dish_of
from allsaid.proof.recipes.frames import Clause
from schemas.texts.finding import IMPOSSIBLE, Finding

_LIQUIDS = listed("water milk buttermilk oil vinegar broth stock bouillon wine syrup honey molasses cream juice")
_POWDERS = listed("flour sugar salt cornstarch cornmeal cocoa baking-powder soda powder paprika cinnamon nutmeg")
_CUTS = listed("chop slice dice peel core seed pit cube mince julienne quarter halve trim debone shell grate shred")
# Commands -> the last words of names of foods to which they can't be done.
_NOT = (
    (_CUTS, _LIQUIDS | listed("flour sugar salt cornstarch cornmeal applesauce yogurt")),
    (listed("drain rinse blanch parboil wash"), _POWDERS | listed("butter margarine shortening honey syrup molasses")),
    (listed("beat whip cream"), listed("lettuce spaghetti macaroni beef pork carrot celery")),
)
_AWAY = listed("off away from")  # "rinse the salt from the cod"
_BEATS = listed("beat whisk mix stir blend combine break scramble pour separate fold crack whip puree process")
_EGGS = frozenset(("egg", "eggs"))
# Dishes of beaten eggs, in which no egg is boiled.
_OF_EGGS = frozenset(map(stems_of, (["omelet"], ["omelette"], ["frittata"], ["quiche"], ["souffle"])))


def check(recipe: ParsedRecipe) -> Iterator[Finding]:
    """Yield the clauses whose foods can't be the object of their command."""
    beats_eggs = dish_of(" ".join(recipe.goal)) in _OF_EGGS
    for clause in recipe.steps.clauses:
        verb, words = recipe.steps.verb(clause), recipe.words[clause.start : clause.end]
        heads = _object(recipe, clause)
        is_wrong = any(verb in verbs and heads <= foods for verbs, foods in _NOT)
        is_boiled = beats_eggs and heads <= _EGGS and (verb in ("boil", "drain") or "boiling" in words)
        if heads and (is_wrong or is_boiled):
            yield recipe.finding(IMPOSSIBLE, clause)
    if beats_eggs and (unbeaten := _unbeaten(recipe)):
        yield recipe.finding(IMPOSSIBLE, unbeaten)


def _unbeaten(recipe: ParsedRecipe) -> Clause | None:
    """Return the first clause about eggs if no clause beats them: "add the eggs. Drain" makes no omelet."""
    clauses = [clause for clause in recipe.steps.clauses if _EGGS.intersection(recipe.words[clause.start : clause.end])]
    said = " ".join((*recipe.lines, *recipe.words)).lower()
    is_beaten = not clauses or (
        "beaten" in said
        or "ingredients" in said
        or not _BEATS.isdisjoint(recipe.words[clauses[0].start : clauses[-1].end])
    )
    return None if is_beaten else clauses[0]


def _object(recipe: ParsedRecipe, clause: Clause) -> set[str]:
    """Return the last words of the names that directly follow a command; none if something else is its object."""
    group = next((group for group in clause.groups if clause.verb is not None and group.start == clause.verb + 1), None)
    if group is None or not _AWAY.isdisjoint(recipe.words[group.end : group.end + 1]):
        return set()
    if any(member.mention is None or member.end > member.mention.end for member in group.members):
        return set()  # "shred the chicken broth cubes"
    return {recipe.words[mention.end - 1] for mention in group.mentions}
