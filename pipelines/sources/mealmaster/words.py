"""Words of an ingredient's line that the next line carries on: cut, hyphened, with a letter lost, or without a food."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pipelines.recipes.units import WORDS
from pipelines.recipes.wordlists import ADJECTIVES, MODIFIERS, PREPARED, PREPARED_AFTER, SHARED_HEADS, STANDALONE
from pipelines.sources.mealmaster.lines import WITHOUT_FOOD, Line

_LAST_WORD = re.compile(r"\b[a-z]+$")
_FIRST_WORD = re.compile(r"[a-z]+")
_HYPHENATED = re.compile(r"(?!(?:and|or|see|about)\b)[a-z]", re.IGNORECASE)
_WORD = re.compile(r"[a-z']+")
_KNOWN = PREPARED_AFTER | ADJECTIVES | MODIFIERS | SHARED_HEADS | STANDALONE
REMARK = re.compile(r"\(.*?\)")
SAYS_HOW = PREPARED_AFTER | ADJECTIVES
_NO_FOOD = SAYS_HOW | {"ground", "mildly", "fully"}
_SIZES = re.compile(
    r"(?:\d[\d/. -]* ?(?:by|x|inch(?:es)?|cm)\b ?)+(?:sheets?|squares?|pieces?|sticks?)\W*$", re.IGNORECASE
)
HEADS = frozenset({"broth", "stock", "juice", "sauce", "extract", "powder", "crumbs", "oil", "cheese"})  # seldom alone
PARTED = re.compile("[,;]|--")
_ADDED = re.compile(r"(?:plus|\+) [\d/ ]+[a-z]+\.? ", re.IGNORECASE)  # of an amount in two parts
_SUMS = frozenset({"plus", "and", "+"})
SHORTEST = 3  # letters of a food; less is the rest of a word that was cut
_LONGEST_END = 4  # letters of the rest of a word
_KINDS = {  # words before a food that seldom occurs without them
    "cheese": {"cheddar", "swiss", "jack", "parmesan", "romano", "mozzarella", "american"},
    "oil": {"olive", "vegetable", "peanut", "salad", "safflower", "sunflower", "sesame", "canola"},
    "juice": {"pineapple", "orange", "lemon", "lime", "apple", "tomato", "cranberry", "grape"},
    "broth": {"chicken", "beef", "veal", "turkey", "fish", "vegetable"},
    "pudding": {"chocolate", "vanilla", "butterscotch", "pistachio", "instant"},
    "ice cream": {"chocolate", "vanilla", "coffee", "strawberry"},
    "pepper": {"cayenne", "bell"},
}
_PARTED_OFF = re.compile(r"[,;] \w+$")  # Pepper, cayenne
_DESCRIBED = re.compile(rf"({'|'.join(_KINDS)})s?(?=$|[,;(]| --| \(| (?:with|or|to)\b)")
HYPHENED = re.compile(r"(?<![-=])\b[a-z]+-$", re.IGNORECASE)


def extended(item: Line, more: str, is_broken: bool = False, word: str = "") -> Line:
    """Return an item with more of its name; ``is_broken``: from inside of a word on; ``word``: which one if known."""
    if word:
        name, rest = _LAST_WORD.sub(word, item.name), _FIRST_WORD.sub("", more, count=1)
        return item._replace(name=name + rest)
    if is_broken or _is_one_word(item.name, more):
        return item._replace(name=item.name + more)
    hyphened = item.name[-1:] == "-" and HYPHENED.search(item.name) and _HYPHENATED.match(more)  # all- | purpose flour
    return item._replace(name=item.name + more if hyphened else f"{item.name} {more}")


def _is_one_word(name: str, more: str) -> bool:
    """Return whether a line's end cut a word that is known as a whole, but not by its first half: "dra" and "ined"."""
    first, second = _LAST_WORD.search(name), _FIRST_WORD.match(more)
    return first is not None and second is not None and first[0] not in PREPARED and first[0] + second[0] in PREPARED


def whole_word(item: Line, line: Line, texts: Sequence[str]) -> str:
    """Return the word that the end of a line cut, with or without the loss of a letter: "chopp" and "d".

    It is a known word, or one of the record's ``texts``; "" if there is none, or no text.
    """
    start, end = _LAST_WORD.search(item.name), _FIRST_WORD.match(line.name)
    if not texts or not start or not end:
        return ""
    words = _KNOWN.union(_WORD.findall(" ".join(texts).lower()))
    if end[0] in words:
        return ""
    size = len(start[0]) + len(end[0]) + 1
    lost = (word for word in words if len(word) == size and word.startswith(start[0]) and word.endswith(end[0]))
    return start[0] + end[0] if start[0] + end[0] in words else min(lost, default="")


def names_nothing(name: str) -> bool:
    """Return whether a name has a preparation or amount, but no food: "Condensed (10 3/4 ounce)", "Freshly grated"."""
    if _SIZES.match(name) or (WITHOUT_FOOD.match(name) and name[-1] not in ")]"):
        return True
    words = REMARK.sub(" ", _ADDED.sub("", name)).lower().replace(",", " ").rstrip(":").split()
    return bool(words) and "half" not in words and all(word.removeprefix("un") in _NO_FOOD for word in words)


def is_torn(name: str) -> bool:
    """Return whether a line is the rest of a word or of a remark that was cut: "cked", "to taste)"."""
    is_end = name.islower() and name.isalpha() and len(name) <= _LONGEST_END
    is_end = is_end and name not in PREPARED and any(word.endswith(name) for word in PREPARED)
    return len(name) < SHORTEST or (name[-1] == ")" and "(" not in name) or is_end


def lacks_head(last: str, name: str) -> bool:
    """Return whether a line has the noun that the line before lacks: "Cheese with peppers" below "Monterey Jack"."""
    kind, described = last.lower().rpartition(" ")[2], _DESCRIBED.match(name.lower())
    return described is not None and kind in _KINDS[described[1]] and not _PARTED_OFF.search(last)


def width_of(line: Line) -> int:
    return len(line.typed if line.is_free_form else line.name.rstrip()) + (line.kind == "dash")


def is_sum(item: Line, line: Line) -> bool:
    """Return whether a line gives the second part of an amount: "1 tb Plus" above "1 ts Salt"."""
    return item.name.lower() in _SUMS and item.unit != "" and line.kind == "item" and line.unit != ""


def is_upper_end(item: Line, line: Line) -> bool:
    """Return whether a line has the upper end of a range that the line before begins: "2 To" above "3 ts Salt"."""
    return item.name.lower().strip("*-") == "to" and item.amount.isdigit() and line.amount[:1].isdigit()


def is_measure(name: str) -> bool:
    """Return whether the text before a bracket is empty or ends with a unit: "Stick (4 oz)"."""
    words = re.split(r"[(\[]", name, maxsplit=1)[0].split()
    return not words or words[-1].lower().strip(",.") in WORDS
