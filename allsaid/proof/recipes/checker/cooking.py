"""Raw food that no step cooks, and dough or batter that no step bakes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from itertools import pairwise

from allsaid.language.text import listed
from allsaid.proof.foods.names import stems_of, words_of
from allsaid.proof.recipes.checker.parsed import KITCHEN, ParsedRecipe, kinds_of
from allsaid.proof.recipes.dishes import dish_of, is_another
from allsaid.proof.recipes.frames import Clause
from schemas.texts.finding import OTHER_DISH, RAW, UNBAKED, Finding

# Kinds of the list of foods (`Foods.kinds`) whose members are raw when they are bought.
_GRAINS = frozenset(("rice", "pasta"))
_RAW_KINDS = _GRAINS | {"meat", "poultry", "seafood"}
_DRY = listed("barley lentils lentil grits millet quinoa")
_HARD = _DRY | listed("potato potatoes yams yucca")
_HEAT = KITCHEN["heat"] - {"warm"}
_READY = KITCHEN["ready"]
_OF_GRAINS = listed(
    "vinegar wine flour paper cake cakes krispies cereal syrup milk noodles instant minute cooked bran mix"
)
# Dishes of raw food.
_UNCOOKED = listed(
    """tartare ceviche seviche carpaccio sushi jerky gravlax cured sausage marinade rub seasoning starter mix raw
    dough batter crust sponge pastry bisquick filling stuffing shell wrapper wrappers biga substitute dehydrating
    drying"""
)
# Of a machine that bakes bread by itself.
_MACHINE = listed("bmm abm machine machines cycle breadmaker breadmachine")
_SERVED_COLD = listed("salad salads sandwich sandwiches dip spread")  # whose meat is bought cooked, or left over
_BUTCHERS = frozenset(("meat", "poultry"))
_MEATS = _BUTCHERS | {"seafood"}
_CATCH_ALLS = listed("ingredients everything all")
# Of a text whose other steps are elsewhere, or of a part of a dish.
ELSEWHERE = re.compile(
    r"\b((part|pt\.?) (\d|ii?\b)|\d of \d|((press|push) start|before using|ready to use|bread pan|as in the)\b)"
)
_ANOTHER = re.compile(r"(?i)recipe|\bmix\b")  # in a line
_BOILED = listed("pudding dumpling dumplings ball balls gnocchi")
_DROPS, _BOILING = listed("drop lower slip slide"), listed("boil boiling simmer simmering")
_WORD = re.compile(r"[\w'-]+")
_FLAT = listed("pizza pretzel pretzels bagels biscuits crackers")  # which may rise in the oven alone
_STUFFED = re.compile(r"\bcasings?\b|sausage skins")  # of sausages, which are kept raw
_SOFTENING = _HEAT - listed("saute sauteed skillet fry fried frying stir-fry wok hot-oil heat heated") | listed(
    "package directions instructions soak soaked al tender drain drained absorbed"
)
_BAKING = KITCHEN["heat"] - listed(
    "boil boiled boiling heat heated preheat preheated simmer melted scald scalded warm low high"
)
_SERVES = frozenset(("serve", "pour", "spoon", "peel", None))  # over pasta, which is cooked
_PUTS = listed("add put place stir mix combine toss fold layer")
_VARIATION = listed("variation variations")
_STATES = listed("you is are minutes hour hours")
_LEGUMES = frozenset(("bean", "legume", "lentil"))
_DRIED, _DONE = listed("dried dry split"), listed("cooked canned cn can frozen sprouts noodles paste sauce flour")
_FLOURS = frozenset(("flour",))
_INERT = listed("nutritional brewer brewers brewer's")  # yeast that raises nothing
_RISING = listed(
    """rise rises rising risen raise raised double doubled doubles proof proofed bulk machine cycle overnight ferment
    sponge rest stand sit set leave left chill chilled bubbly puffy light"""
)


def check(recipe: ParsedRecipe) -> Iterator[Finding]:
    """Yield the findings about heat, and about other steps that make a dish."""
    named = _named(recipe)
    unnamed = [word for place, word in enumerate(recipe.words) if place not in named]
    title_and_text = (*recipe.goal, *recipe.words)
    is_whole = _MACHINE.isdisjoint(title_and_text) and not ELSEWHERE.search(" ".join(title_and_text))
    if is_whole and recipe.steps.sentences and not _is_listed(recipe) and is_another(" ".join(recipe.goal), unnamed):
        yield recipe.finding(OTHER_DISH, recipe.steps.sentences[-1])
    if _UNCOOKED.intersection(recipe.goal) or _STUFFED.search(" ".join(recipe.words)):
        return
    for item in range(len(recipe.names)):
        place = recipe.first(item)
        if place is None or not _is_raw(recipe, item) or not _VARIATION.isdisjoint(recipe.words[:place]):
            continue
        # People heat a pot and then add pasta or shrimp, which its heat cooks.
        kinds = kinds_of(stems_of(recipe.names[item]))
        start = _start(recipe, place) if kinds & _BUTCHERS and "seafood" not in kinds else 0
        if _is_heated(recipe, named, _heat_of(recipe, item), start) or recipe.words[place - 1] in _READY | {"hot"}:
            continue
        clause = next((clause for clause in recipe.steps.clauses if clause.start <= place < clause.end), None)
        if clause and (start == 0 or _puts(recipe, clause)) and recipe.steps.verb(clause) not in _SERVES:
            yield recipe.finding(RAW, clause)
    baking = _HEAT if _is_boiled(recipe) else _BAKING
    if is_whole and ((_rises(recipe) and not _is_heated(recipe, named, baking, 0)) or _never_rises(recipe)):
        flours = [item for item, name in enumerate(recipe.names) if kinds_of(stems_of(name)) & _FLOURS]
        places = [place for item in flours if (place := recipe.first(item)) is not None]
        if places:
            yield recipe.finding(UNBAKED, _clause(recipe, min(places)))


def _is_boiled(recipe: ParsedRecipe) -> bool:
    """Return whether a dough is meant for boiling: by the title, or because a step drops it into a hot liquid.

    Dropping and boiling are in the same sentence or in two in a row: "Boil the cream. Drop the dough into it."
    """
    parts = [recipe.words[sentence.start : sentence.end] for sentence in recipe.steps.sentences]
    pairs = [first + second for first, second in pairwise([*parts, []])]
    return not _BOILED.isdisjoint(recipe.goal) or any(
        not _DROPS.isdisjoint(words) and not _BOILING.isdisjoint(words) for words in pairs
    )


def _is_listed(recipe: ParsedRecipe) -> bool:
    """Return whether the list has another recipe, or the dish itself: "4 corn muffins", "1 recipe of meatballs"."""
    dish = dish_of(" ".join(recipe.goal))
    return any(map(_ANOTHER.search, recipe.lines)) or any(dish == stems_of(name)[-len(dish) :] for name in recipe.names)


def _is_raw(recipe: ParsedRecipe, item: int) -> bool:
    words = {*words_of(recipe.names[item]), *_WORD.findall(recipe.lines[item].lower())}
    kinds = kinds_of(stems_of(recipe.names[item]))
    if kinds & _MEATS and _SERVED_COLD.intersection(recipe.goal):
        return False
    if kinds & _LEGUMES and words & _DRIED and not words & _DONE:
        return True
    if "roast" in words and words_of(recipe.names[item])[-1] != "roast":
        return False
    if kinds & _GRAINS and words & _OF_GRAINS:
        return False
    return bool(kinds & _RAW_KINDS or words_of(recipe.names[item])[-1] in _HARD) and not words & _READY


def _rises(recipe: ParsedRecipe) -> bool:
    """Return whether the list has a flour and a leavening agent."""
    names = [words_of(name) for name in recipe.names if name and _INERT.isdisjoint(words_of(name))]
    agents = {"-".join(name[-2:]) for name in names} | {name[-1] for name in names}
    has_flour = any(kinds_of(stems_of(name)) & _FLOURS for name in recipe.names)
    return has_flour and bool(agents & KITCHEN["leaven"])


def _never_rises(recipe: ParsedRecipe) -> bool:
    """Return whether a dough of flour and yeast is given no time to rise."""
    names = {item: words_of(name) for item, name in enumerate(recipe.names) if name}
    yeasts = [item for item, name in names.items() if name[-1] == "yeast" and _INERT.isdisjoint(name)]
    places = [place for item in yeasts if (place := recipe.first(item)) is not None]
    if not places or not _rises(recipe) or not _FLAT.isdisjoint(recipe.goal):
        return False
    return _RISING.isdisjoint(recipe.words[min(places) :])


def _heat_of(recipe: ParsedRecipe, item: int) -> frozenset[str]:
    """Return the words for heat that can cook an item; dry food needs a liquid or an oven."""
    is_dry = kinds_of(stems_of(recipe.names[item])) & (_GRAINS | _LEGUMES) or words_of(recipe.names[item])[-1] in _DRY
    return _SOFTENING if is_dry else _HEAT


def _is_heated(recipe: ParsedRecipe, named: Set[int], heat: frozenset[str], start: int) -> bool:
    """Return whether a clause that ends after a place has a word of some kind of heat, and is not about preheating."""
    parts = (
        {recipe.words[place] for place in range(clause.start, clause.end) if place not in named}
        for clause in recipe.steps.clauses
        if clause.end > start and recipe.steps.verb(clause) != "preheat"
    )
    return any(heat & words for words in parts)


def _named(recipe: ParsedRecipe) -> set[int]:
    """Return the places of words in names that are no cooking: "baking powder", "fried onions"."""
    places = {place for mention in recipe.mentions for place in range(mention.start, mention.end)}
    return {place for place in places if recipe.words[place].endswith(("ing", "ed"))}


def _puts(recipe: ParsedRecipe, clause: Clause) -> bool:
    """Return whether a clause puts a food with others, without a time, which would cook it."""
    return recipe.steps.verb(clause) in _PUTS and _STATES.isdisjoint(recipe.words[clause.start : clause.end])


def _start(recipe: ParsedRecipe, place: int) -> int:
    """Return the place from which a step may cook the food there, which "all ingredients" may have meant before."""
    return next((at for at, word in enumerate(recipe.words[:place]) if word in _CATCH_ALLS), place)


def _clause(recipe: ParsedRecipe, place: int) -> tuple[int, int]:
    found = next((clause for clause in recipe.steps.clauses if clause.start <= place < clause.end), None)
    return (found.start, found.end) if found else (place, place + 1)
