"""Raw food that no step cooks, and dough or batter that no step bakes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from itertools import pairwise

from allsaid.language.text import listed
from allsaid.proof.foods.names import stems_of, words_of
from allsaid.proof.recipes.checker.view import KITCHEN, View, kinds_of
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


def check(view: View) -> Iterator[Finding]:
    """Yield the findings about heat, and about other steps that make a dish."""
    named = _named(view)
    unnamed = [word for place, word in enumerate(view.words) if place not in named]
    title_and_text = (*view.goal, *view.words)
    is_whole = _MACHINE.isdisjoint(title_and_text) and not ELSEWHERE.search(" ".join(title_and_text))
    if is_whole and view.steps.sentences and not _is_listed(view) and is_another(" ".join(view.goal), unnamed):
        yield view.finding(OTHER_DISH, view.steps.sentences[-1])
    if _UNCOOKED.intersection(view.goal) or _STUFFED.search(" ".join(view.words)):
        return
    for item in range(len(view.names)):
        place = view.first(item)
        if place is None or not _is_raw(view, item) or not _VARIATION.isdisjoint(view.words[:place]):
            continue
        # People heat a pot and then add pasta or shrimp, which its heat cooks.
        kinds = kinds_of(stems_of(view.names[item]))
        start = _start(view, place) if kinds & _BUTCHERS and "seafood" not in kinds else 0
        if _is_heated(view, named, _heat_of(view, item), start) or view.words[place - 1] in _READY | {"hot"}:
            continue
        clause = next((clause for clause in view.steps.clauses if clause.start <= place < clause.end), None)
        if clause and (start == 0 or _puts(view, clause)) and view.steps.verb(clause) not in _SERVES:
            yield view.finding(RAW, clause)
    baking = _HEAT if _is_boiled(view) else _BAKING
    if is_whole and ((_rises(view) and not _is_heated(view, named, baking, 0)) or _never_rises(view)):
        flours = [item for item, name in enumerate(view.names) if kinds_of(stems_of(name)) & _FLOURS]
        places = [place for item in flours if (place := view.first(item)) is not None]
        if places:
            yield view.finding(UNBAKED, _clause(view, min(places)))


def _is_boiled(view: View) -> bool:
    """Return whether a dough is meant for boiling: by the title, or because a step drops it into a hot liquid.

    Dropping and boiling are in the same sentence or in two in a row: "Boil the cream. Drop the dough into it."
    """
    parts = [view.words[sentence.start : sentence.end] for sentence in view.steps.sentences]
    pairs = [first + second for first, second in pairwise([*parts, []])]
    return not _BOILED.isdisjoint(view.goal) or any(
        not _DROPS.isdisjoint(words) and not _BOILING.isdisjoint(words) for words in pairs
    )


def _is_listed(view: View) -> bool:
    """Return whether the list has another recipe, or the dish itself: "4 corn muffins", "1 recipe of meatballs"."""
    dish = dish_of(" ".join(view.goal))
    return any(map(_ANOTHER.search, view.lines)) or any(dish == stems_of(name)[-len(dish) :] for name in view.names)


def _is_raw(view: View, item: int) -> bool:
    words = {*words_of(view.names[item]), *_WORD.findall(view.lines[item].lower())}
    kinds = kinds_of(stems_of(view.names[item]))
    if kinds & _MEATS and _SERVED_COLD.intersection(view.goal):
        return False
    if kinds & _LEGUMES and words & _DRIED and not words & _DONE:
        return True
    if "roast" in words and words_of(view.names[item])[-1] != "roast":
        return False
    if kinds & _GRAINS and words & _OF_GRAINS:
        return False
    return bool(kinds & _RAW_KINDS or words_of(view.names[item])[-1] in _HARD) and not words & _READY


def _rises(view: View) -> bool:
    """Return whether the list has a flour and a leavening agent."""
    names = [words_of(name) for name in view.names if name and _INERT.isdisjoint(words_of(name))]
    agents = {"-".join(name[-2:]) for name in names} | {name[-1] for name in names}
    has_flour = any(kinds_of(stems_of(name)) & _FLOURS for name in view.names)
    return has_flour and bool(agents & KITCHEN["leaven"])


def _never_rises(view: View) -> bool:
    """Return whether a dough of flour and yeast is given no time to rise."""
    names = {item: words_of(name) for item, name in enumerate(view.names) if name}
    yeasts = [item for item, name in names.items() if name[-1] == "yeast" and _INERT.isdisjoint(name)]
    places = [place for item in yeasts if (place := view.first(item)) is not None]
    if not places or not _rises(view) or not _FLAT.isdisjoint(view.goal):
        return False
    return _RISING.isdisjoint(view.words[min(places) :])


def _heat_of(view: View, item: int) -> frozenset[str]:
    """Return the words for heat that can cook an item; dry food needs a liquid or an oven."""
    is_dry = kinds_of(stems_of(view.names[item])) & (_GRAINS | _LEGUMES) or words_of(view.names[item])[-1] in _DRY
    return _SOFTENING if is_dry else _HEAT


def _is_heated(view: View, named: Set[int], heat: frozenset[str], start: int) -> bool:
    """Return whether a clause that ends after a place has a word of some kind of heat, and is not about preheating."""
    parts = (
        {view.words[place] for place in range(clause.start, clause.end) if place not in named}
        for clause in view.steps.clauses
        if clause.end > start and view.steps.verb(clause) != "preheat"
    )
    return any(heat & words for words in parts)


def _named(view: View) -> set[int]:
    """Return the places of words in names that are no cooking: "baking powder", "fried onions"."""
    places = {place for mention in view.mentions for place in range(mention.start, mention.end)}
    return {place for place in places if view.words[place].endswith(("ing", "ed"))}


def _puts(view: View, clause: Clause) -> bool:
    """Return whether a clause puts a food with others, without a time, which would cook it."""
    return view.steps.verb(clause) in _PUTS and _STATES.isdisjoint(view.words[clause.start : clause.end])


def _start(view: View, place: int) -> int:
    """Return the place from which a step may cook the food there, which "all ingredients" may have meant before."""
    return next((at for at, word in enumerate(view.words[:place]) if word in _CATCH_ALLS), place)


def _clause(view: View, place: int) -> tuple[int, int]:
    found = next((clause for clause in view.steps.clauses if clause.start <= place < clause.end), None)
    return (found.start, found.end) if found else (place, place + 1)
