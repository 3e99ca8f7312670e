"""Steps that are no sentences: without a verb, cut off, with a missing word, or without an object."""

from __future__ import annotations

from collections.abc import Iterator

from allsaid.language.text import listed
from allsaid.proof.recipes.checker.cooking import ELSEWHERE
from allsaid.proof.recipes.checker.parsed import KITCHEN, ParsedRecipe
from allsaid.proof.recipes.frames import ENDS, Clause, Sentence
from schemas.example import LINE_BREAK
from schemas.texts.finding import FRAGMENT, Finding

_HOLES = frozenset(("the", "a", "an", "your"))  # no mark can follow these
_CUT_OFF = frozenset(("of", "into", "from"))  # no full stop; but "cut into, but not through, the onion"
_ARTICLES = frozenset(("the", "a", "an"))
_BREAKS = frozenset(("and", "with", "to", "at"))  # before a full stop
_BEFORE_A = frozenset(
    ("in", "into", "with", "to", "on")
)  # before an "a" that is an article; "vitamin a, c" has no hole
_STRANDED = frozenset(("with", "to", "at"))  # may end a sentence with a verb: "it is served with ."
_CLOSES = frozenset((",", ";", "."))
_OPENS = listed("in on with using")  # of a step without a verb: "in a large pot"
_SHORT = 7  # words of an opening that was cut off
# Words that can't be twice in a row: "the the".
_TWICE = frozenset(("the", "a", "and", "with", "of", "in", "to", "or", "until", "into", "for"))
# Words that are a verb or need one.
_VERBAL = listed(
    "to is are be was were will should must may can has have had do does makes serves need needs used it you we being"
)
# Commands that need an object, which a first step can't leave out.
_TRANSITIVE = listed(
    """cook boil drain rinse chop slice peel cut dice mince grate saute fry brown bake simmer place put arrange insert
    rub stuff wash soak grind mash beat whip cream pound marinate remove trim core roll sprinkle pour spread"""
)
# "Stir in the milk" needs a place that is named before: "in the bowl", "into the water".
_ADDITIONS = frozenset((verb, "in") for verb in ("stir", "fold", "beat", "blend", "mix", "whisk"))
_PLACES = KITCHEN["vessel"] - {"oven", "broiler", "griddle", "grill", "refrigerator"} | listed(
    "to into in together water"
)
# In "add all ingredients", to the pan of a bread machine, and in "add the olives just before serving".
_ALL = listed(
    "ingredients everything all machine cycle setting breadmaker breadmachine layers order before glass shaker"
)
_PREPARES = listed("preheat heat grease oil butter flour line set")  # commands before the first food is added
_AFTER_VERB = listed("in into with over on to until till for aside from at")  # after a command without an object
_HEADING = 4  # words of a line that only names a part of the dish


def check(recipe: ParsedRecipe) -> Iterator[Finding]:
    """Yield the findings about sentences."""
    clauses = recipe.steps.clauses
    first = next((clause for clause in clauses if clause.mentions), None)
    means_all = not _ALL.isdisjoint(recipe.words[: clauses[0].end]) if clauses else False
    means_all = means_all or bool(ELSEWHERE.search(" ".join((*recipe.goal, *recipe.words))))
    if clauses and not means_all and _is_about_nothing(recipe, clauses[0]):
        yield recipe.finding(FRAGMENT, clauses[0])
    elif first and not means_all and _adds_to_nothing(recipe, first):
        yield recipe.finding(FRAGMENT, first)
    for sentence in recipe.steps.sentences:
        passage = _hole(recipe, sentence) or _fragment(recipe, sentence)
        if passage:
            yield recipe.finding(FRAGMENT, passage)


def _is_about_nothing(recipe: ParsedRecipe, clause: Clause) -> bool:
    """Return whether a first clause has no object: "cook in boiling water until tender"."""
    if clause.verb is None or clause.verb != clause.start or recipe.steps.verb(clause) not in _TRANSITIVE:
        return False
    return (
        not clause.mentions
        and "was" not in recipe.words[: clause.end]
        and recipe.words[clause.verb + 1 : clause.verb + 2] != []
        and recipe.words[clause.verb + 1] in _AFTER_VERB
    )


def _adds_to_nothing(recipe: ParsedRecipe, clause: Clause) -> bool:
    """Return whether the first clause that names a food stirs it into something: "stir in the milk"."""
    before = {recipe.steps.verb(earlier) for earlier in recipe.steps.clauses if earlier.start < clause.start}
    if clause.verb is None or clause.verb != clause.start or not before <= _PREPARES:
        return False
    if recipe.steps.verb(clause) == "add" or "water" in recipe.words[: clause.start]:
        return _PLACES.isdisjoint(recipe.words[: clause.end])
    into = recipe.words[clause.verb + 2 : clause.end]  # "mix in a bowl the eggs"
    return tuple(recipe.words[clause.verb : clause.verb + 2]) in _ADDITIONS and _PLACES.isdisjoint(into)


def _hole(recipe: ParsedRecipe, sentence: Sentence) -> tuple[int, int] | None:
    """Return the first two neighbours that can't follow each other: "the ," "and and"."""
    words = recipe.words
    for place in range(sentence.start, sentence.end - 1):
        word, after = words[place], words[place + 1]
        is_hole = (word in _HOLES and after in _CLOSES and (word != "a" or words[place - 1] in _BEFORE_A)) or (
            word in _BREAKS | _CUT_OFF and after == "."
        )
        # "it is served with ." is right, but "bake it with a cup of ." has a hole
        before = (at for at in range(sentence.start, place) if words[at] in _VERBAL)
        is_clause = any(words[at] != "it" or words[at - 1] not in KITCHEN.verbs for at in before)
        if word in _STRANDED | _CUT_OFF and is_clause:
            is_hole = False
        is_hole = is_hole or (word in _ARTICLES and after in ("of", "with"))
        is_inch = word == "in" and words[place - 1][:1].isdigit()  # "7 in in diameter"
        if is_hole or (word == after and word in _TWICE and not is_inch):
            return place, place + 2
    return None


def _fragment(recipe: ParsedRecipe, sentence: Sentence) -> tuple[int, int] | None:
    """Return a sentence that begins like a step and has no verb: "in a large pot"."""
    words = [word for word in recipe.words[sentence.start : sentence.end] if word not in ENDS]
    if not words or any(clause.verb is not None for clause in sentence.clauses):
        return None
    is_heading = recipe.words[sentence.end - 1] in (":", LINE_BREAK) and len(words) <= _HEADING
    if is_heading or words[0] not in _OPENS or len(words) > _SHORT or words[-1] not in KITCHEN["vessel"]:
        return None
    if "bottom" in words:  # "vegs. in bottom of pot"
        return None
    is_verbal = _VERBAL.intersection(words) or any(
        word in KITCHEN.verbs or word.endswith(("ed", "ing")) for word in words
    )
    return None if is_verbal else (sentence.start, sentence.end)
