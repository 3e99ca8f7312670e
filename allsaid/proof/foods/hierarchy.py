"""List of foods that ships with Allsaid (``foods.txt``), and the rules for which mentions an agenda backs.

Training texts alone give no good list of foods: a small corpus has too few, so the number of extra items would
depend on the corpus and not on the text. The list has the names that cooks use for ingredients. It also holds words
by which texts refer to an item without its name:

- A general word is backed by the foods that it covers: "meat" by ground beef, "herbs" by basil.
- Names of one food back each other: "scallions" and green onions.
- A part is backed by its item: "lemon juice" by a lemon, "yolks" by eggs. Broth of a named meat is not, since it is
  usually bought.

A word of the list mentions no food if it is used as a verb ("butter a pan"), in a comparison ("the size of a walnut"),
in the name of a thing ("turkey baster"), or for the product of the recipe ("bake the bread").
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from allsaid.language.text import listed
from allsaid.proof.foods.names import Stems, Trie, find_names, is_backed, stems_of, trie_of

LIST = Path(__file__).with_name("foods.txt")


# Words for parts, after the name of the food.
_PART_NAMES = listed(
    """juice zest rind peel skin bone meat fat dripping grease water liquid seed leaf white yolk shell pulp flesh
    puree slice wedge half ring piece chunk crumb mixture sprig stalk stem floret root top strip section carcass
    clove bulb head breast thigh wing leg tail cap heart kernel spear rib liver giblet gizzard neck back cube
    shaving curl"""
)
_PARTS = frozenset(stems_of(_PART_NAMES))
# Words after a food's name that make it the name of a tool, a dish or a form.
_TOOLS = listed(
    """baller barrel baster batter board boards bowl bowls brickle brush cake cakes cans cloth color colored colour
    coloured consistency content cooker corer cup cups cutter cutters cycle dish dishes dough flavored fork free
    glass glasses grater grinder knife knives lover lovers machine maker mallet masher mill mold molds mould moulds
    pan pans peeler pie pies plate plates pot pots press rack racks reamer ricer roll rolls scissors shape shaped
    shears size sized soup soups spatula spoon spoons squeezer stage steamer style texture thermometer tin tins
    towel towels wagon wagons"""
)
_COMPARED = listed("consistency size texture thickness color colour shape")  # "of" a food
# Words directly before a name: "until bright orange", "like potato chips", "to make pasta".
_NOT_AFTER = listed("bright like make makes making")
_NEAR = 5  # words searched for a comparison before a name: "the consistency of very thick cream"
_MARKS = listed(". ! ? ; : <br> ) * -")  # a sentence begins after these
_JOINS = listed("and or then lightly generously well to , thoroughly heavily & also next now not")
# Words that often follow a verb but seldom a noun.
_OBJECTS = listed(
    """a an the your each both them it one two three four five six all inside insides bottom top sides side surface
    hands fingers another together until well lightly generously large small butter margarine shortening sugar
    cheese"""
)
# Words around a food that the recipe itself makes: "bake the bread", "stock:".
_MADE_BEFORE = listed("a an the this these that your each every as")
_MADE_AFTER = listed(": is are")


@dataclass(frozen=True)
class Foods:
    """Foods by the stems of their names.

    The ``kinds`` of a name are the canonical names of all words that may refer to it: its own and more general ones.
    """

    names: Mapping[Stems, str]  # written forms
    canonical: Mapping[Stems, str]
    kinds: Mapping[Stems, frozenset[str]]
    verbs: frozenset[Stems]  # names that are also verbs
    made: frozenset[Stems]  # names that are also products of recipes
    no_foods: frozenset[str]  # stems that end no name of a food: parts, tools, and pure products of recipes

    @cached_property
    def trie(self) -> Trie[Stems]:
        return trie_of((stems, stems) for stems in self.names)

    def covers(self, name: Stems) -> bool:
        """Return whether a name ends with a food of the list."""
        return any(name[at:] in self.names for at in range(len(name)))

    def back(self, name: Stems, agenda: Sequence[Stems]) -> bool:
        """Return whether an agenda, the stems of L items, backs a mention of this name."""
        if is_backed(name, agenda) or (name[-1] in _PARTS and len(name) > 1 and self.back(name[:-1], agenda)):
            return True
        canonical = next((self.canonical[name[at:]] for at in range(len(name)) if name[at:] in self.canonical), None)
        return canonical is not None and any(canonical in self._kinds_of(item) for item in agenda)

    @cached_property
    def _kinds_of(self) -> Callable[[Stems], frozenset[str]]:
        """Cached function from an item to the kinds of its foods; agendas share many items."""
        return lru_cache(maxsize=1 << 16)(
            lambda item: frozenset[str]().union(*(self.kinds[name] for _, _, name in find_names(item, self.trie)))
        )

    def is_mention(self, words: Sequence[str], start: int, end: int, name: str) -> bool:
        """Return whether the words from ``start`` to ``end``, with the stems of a known name, mean a food.

        words: all words of the text, lower case.
        """
        last = words[end - 1]
        if _ending(last) != _ending(name):
            return False  # "floured" is no flour, and "drip" no dripping
        before = words[start - 1] if start else "."
        after = words[end] if end < len(words) else "."
        if before in _NOT_AFTER or after in _TOOLS or _is_compared(words[max(start - _NEAR, 0) : start]):
            return False
        if stems_of(words[start:end]) in self.made and (before in _MADE_BEFORE or after in _MADE_AFTER):
            return False
        if end - start > 1 or stems_of([last]) not in self.verbs:
            return True
        return before not in _MARKS and not (before in _JOINS and (after in _OBJECTS or after[:1].isdigit()))


@lru_cache(maxsize=1)
def load_foods() -> Foods:
    """Load the list of foods."""
    return parse_foods(LIST.read_text(encoding="utf-8").splitlines())


def parse_foods(lines: Iterable[str]) -> Foods:
    """Parse a list of foods; a line is one of these, and "#" begins a comment.

    - ``beef``: a name. ``catsup = ketchup``: names of one food, the canonical one first.
    - ``butter ~``: a name that is also a verb. ``bread ^``: a name that is also a product of recipes.
    - ``@ beef, meat``: the words that cover the names up to the next such line.
    - ``clove < garlic``: a word that also means the food after it, and everything that this covers.
    - ``! dough``: a word that ends no name of a food.
    """
    names: dict[Stems, str] = {}
    canonical: dict[Stems, str] = {}
    wider: defaultdict[str, set[str]] = defaultdict(set)  # canonical name -> the words that cover it
    marked: dict[str, set[Stems]] = {"~": set(), "^": set()}
    no_foods: set[str] = set()
    section: list[str] = []
    for line in filter(None, (line.partition("#")[0].strip() for line in lines)):
        if line.startswith("@"):
            section = _split(line[1:], ",")
        elif line.startswith("!"):
            no_foods.update(stems_of(line[1:].split()))
        elif "<" in line:
            word, covered = _split(line, "<")
            for narrower in _split(covered, ","):
                wider[narrower].add(word)
        else:
            same = _split(line.rstrip("~^ "), "=")
            stems = {stems_of(form.split()): name for name in same for form in _forms(name)}
            names |= stems
            canonical |= dict.fromkeys(stems, same[0])
            wider[same[0]].update(section)
            for mark in marked.keys() & set(line):
                marked[mark].update(stems)
    kinds = {stems: frozenset(_closure(name, wider, canonical)) for stems, name in canonical.items()}
    return Foods(names, canonical, kinds, frozenset(marked["~"]), frozenset(marked["^"]), frozenset(no_foods))


def _split(line: str, mark: str) -> list[str]:
    return [part.strip() for part in line.split(mark) if part.strip()]


def _forms(name: str) -> list[str]:
    """Return a name, and its plural if that has another stem."""
    return [name, f"{name.removesuffix('f')}ves"] if name.endswith("leaf") else [name]


def _closure(name: str, wider: Mapping[str, set[str]], canonical: Mapping[Stems, str]) -> set[str]:
    """Return the canonical names of a food and of all words that cover it."""
    found, left = set[str](), [name]
    while left:
        word = left.pop()
        word = canonical.get(stems_of(word.split()), word)
        if word not in found:
            found.add(word)
            left += wider.get(word, ())
    return found


def _ending(written: str) -> str:
    """Return the ending that may make a word another part of speech than words with the same stem."""
    word = written.removesuffix("s")
    if word.endswith("ing"):
        return "ing"
    return "ed" if word.endswith("ed") and not word.endswith("eed") else ""


def _is_compared(before: Sequence[str]) -> bool:
    """Return whether the words before a name, in the same clause, compare something with it."""
    for at in reversed(range(len(before))):
        if before[at] in _MARKS or before[at] == ",":
            return False
        if before[at].startswith("resembl") or (before[at] in _COMPARED and "of" in before[at:]):
            return True
    return False
