"""Raw food that no step cooks, and dough or batter that no step bakes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from allsaid.proof.foods.hierarchy import load_foods
from allsaid.proof.foods.names import Stems, stems_of, words_of
from allsaid.proof.recipes.checker.view import KITCHEN, View
from allsaid.proof.recipes.dishes import is_another
from allsaid.proof.recipes.kitchen import listed
from schemas.texts.finding import OTHER_DISH, RAW, UNBAKED, Finding

# Kinds of the list of foods (`Foods.kinds`) whose members are raw when they are bought.
_GRAINS = frozenset(("rice", "pasta"))
_RAW_KINDS = _GRAINS | {"meat", "poultry", "seafood"}
_DRY = listed("barley lentils lentil grits millet quinoa")
_HARD = _DRY | listed("potato potatoes yams yucca")
_HEAT = KITCHEN["heat"] - {"warm"}
_READY = KITCHEN["ready"]
_OF_GRAINS = listed("vinegar wine flour paper cake cakes krispies cereal syrup milk noodles instant minute cooked bran")
# Dishes of raw food.
_UNCOOKED = listed(
    "tartare ceviche seviche carpaccio sushi jerky gravlax cured sausage marinade rub seasoning starter mix raw"
)
_STUFFED = re.compile(r"\bcasings?\b|sausage skins")  # of sausages, which are kept raw
_SOFTENING = _HEAT - listed("saute sauteed skillet fry fried frying stir-fry wok hot-oil heat heated") | listed(
    "package directions instructions soak soaked al tender drain drained"
)
_BAKING = KITCHEN["heat"] - listed(
    "boil boiled boiling heat heated preheat preheated simmer melted scald scalded warm low high"
)
_LEGUMES = frozenset(("bean", "legume", "lentil"))
_DRIED, _DONE = listed("dried dry split"), listed("cooked canned cn can frozen sprouts noodles paste sauce flour")
_FLOURS = frozenset(("flour",))
_RISING = listed(
    """rise rises rising risen raise raised double doubled doubles proof proofed bulk machine cycle overnight ferment
    sponge rest stand sit bubbly puffy light"""
)


def kinds_of(name: Stems) -> frozenset[str]:
    """Return the canonical name of the food at the end of a name, and the general words for it."""
    foods = load_foods()
    for start in range(len(name)):
        if name[start:] in foods.canonical:
            return foods.kinds[name[start:]]
    return frozenset()


def check(view: View) -> Iterator[Finding]:
    """Yield the findings about heat, and about other steps that make a dish."""
    # "Baking powder" is no baking.
    named = {place for mention in view.mentions for place in range(mention.start, mention.end)}
    unnamed = [word for place, word in enumerate(view.words) if place not in named]
    if view.steps.sentences and is_another(" ".join(view.goal), unnamed):
        yield view.finding(OTHER_DISH, view.steps.sentences[-1])
    if _UNCOOKED.intersection(view.goal) or _STUFFED.search(" ".join(view.words)):
        return
    for item in range(len(view.names)):
        place = view.first(item)
        if place is not None and _is_raw(view, item) and not _is_heated(view, _heat_of(view, item), place):
            yield view.finding(RAW, _clause(view, place))
    if (_rises(view) and not _is_heated(view, _BAKING, 0)) or _never_rises(view):
        flours = [item for item, name in enumerate(view.names) if kinds_of(stems_of(name)) & _FLOURS]
        places = [place for item in flours if (place := view.first(item)) is not None]
        if places:
            yield view.finding(UNBAKED, _clause(view, min(places)))


def _is_raw(view: View, item: int) -> bool:
    words = {*words_of(view.names[item]), *view.lines[item].lower().replace(",", " ").replace(";", " ").split()}
    kinds = kinds_of(stems_of(view.names[item]))
    if kinds & _LEGUMES and words & _DRIED and not words & _DONE:
        return True
    if "roast" in words and words_of(view.names[item])[-1] != "roast":
        return False
    if kinds & _GRAINS and words & _OF_GRAINS:
        return False
    return bool(kinds & _RAW_KINDS or words_of(view.names[item])[-1] in _HARD) and not words & _READY


def _rises(view: View) -> bool:
    """Return whether the list has a flour and a leavening agent."""
    names = {"-".join(words_of(name)[-2:]) for name in view.names} | {words_of(name)[-1] for name in view.names if name}
    has_flour = any(kinds_of(stems_of(name)) & _FLOURS for name in view.names)
    return has_flour and bool(names & KITCHEN["leaven"])


def _never_rises(view: View) -> bool:
    """Return whether a dough of flour and yeast is given no time to rise."""
    yeasts = [item for item, name in enumerate(view.names) if name and words_of(name)[-1] == "yeast"]
    places = [place for item in yeasts if (place := view.first(item)) is not None]
    return bool(places) and _rises(view) and _RISING.isdisjoint(view.words[min(places) :])


def _heat_of(view: View, item: int) -> frozenset[str]:
    """Return the words for heat that can cook an item; dry food needs a liquid or an oven."""
    is_dry = kinds_of(stems_of(view.names[item])) & (_GRAINS | _LEGUMES) or words_of(view.names[item])[-1] in _DRY
    return _SOFTENING if is_dry else _HEAT


def _is_heated(view: View, heat: frozenset[str], start: int) -> bool:
    """Return whether a clause that ends after a place has a word of some kind of heat, and is not about preheating."""
    # "Baking powder" is no baking.
    named = {place for mention in view.mentions for place in range(mention.start, mention.end)}
    parts = (
        {view.words[place] for place in range(clause.start, clause.end) if place not in named}
        for clause in view.steps.clauses
        if clause.end > start
    )
    return any(heat & words and "preheat" not in words for words in parts)


def _clause(view: View, place: int) -> tuple[int, int]:
    found = next((clause for clause in view.steps.clauses if clause.start <= place < clause.end), None)
    return (found.start, found.end) if found else (place, place + 1)
