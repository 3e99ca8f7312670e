"""Find the column of a value by the words next to it: "93 cm high", "a high price", "the strap is red".

A word that names a column is a *cue* for it: a word of its name or, for a measure, a related one ("wide" for a width).
The nearest cue in the clause counts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import zip_longest

from allsaid.language.endings import endings, with_ending
from allsaid.language.stems import snowball
from allsaid.language.text import ENGLISH
from allsaid.language.units import UNITS
from allsaid.proof.clauses import ENDS

_REACH = 2  # words that are read on each side of a value; linking words before it are skipped
_JOINTS = """is are was were a an the of at from by until till about around : ("""
_LINKING = frozenset(("a", "an", "the", "with", "at", "for", "of"))  # behind a value: "7 euros with a reduction"
JOINING = frozenset(_JOINTS.split())
# Words for one measure in each line, the dimensions of a thing first. They name its column and describe its number, in
# languages of Western Europe.
_MEASURES = """width wide breite breit largeur large ancho
height high tall höhe hoehe hoch hauteur haut alto altura
length long länge laenge lang longueur largo
depth deep tiefe tief profondeur profond fondo
thickness thick dicke dick épaisseur épais grosor
diameter across durchmesser diamètre diámetro
weight weighs weigh weighing heavy gewicht wiegt schwer poids pèse peso pesa
price costs cost costing priced preis kostet prix coûte precio cuesta
reduced reduction reductions concession concessions concessionary discount discounted
begins begin beginning starts start starting
capacity holds hold volume inhalt fasst volumen contenance"""
# Adjectives for width, height, length and depth that take endings: "ein 155 cm breites Regal".
_ADJECTIVES = {"de": "breit hoch lang tief", "fr": "large haut long profond", "es": "ancho alto largo profundo"}
_BEFORE_NUMBER = JOINING.union(("von", "de"))  # between the name of a dimension and its number


@lru_cache(maxsize=1 << 14)
def stem(word: str) -> str:
    """Return the stem by which cues are compared: "rated" and "rating" have the same stem."""
    return snowball(word)


_SAME = {stem(word): frozenset(map(stem, line.split())) for line in _MEASURES.splitlines() for word in line.split()}


def _dimensions() -> dict[str, frozenset[str]]:
    """Return each word that describes a width, height, length or depth, with the stems of its line of words."""
    found: dict[str, frozenset[str]] = {}
    for place, line in enumerate(_MEASURES.splitlines()[:4]):
        adjectives = [(language, words.split()[place]) for language, words in _ADJECTIVES.items()]
        with_endings = [with_ending(word, end, language) for language, word in adjectives for end in endings(language)]
        found.update(dict.fromkeys((*line.split(), *with_endings), frozenset(map(stem, line.split()))))
    return found


_DIMENSIONS = _dimensions()
_ALL_DIMENSIONS = frozenset().union(*_DIMENSIONS.values())


@lru_cache(maxsize=1 << 12)
def cues_of(name: str) -> frozenset[str]:
    """Return the stems of a column's cues, from the words of its name without units."""
    words = [word for word in name.lower().split() if (word,) not in UNITS] or name.lower().split()  # "minutes"
    named = frozenset(map(stem, (*words, "-".join(words), "".join(words))))  # "check-in" of "check in"
    return named.union(*(_SAME[cue] for cue in named if cue in _SAME))


def is_measure(word: str) -> bool:
    """Return whether a word names a measure: "high"."""
    return stem(word) in _SAME


def column_at(
    words: Sequence[str], start: int, end: int, columns: Mapping[str, Iterable[str]], is_number: bool = False
) -> str:
    """Return the column whose cue is nearest to the words from ``start`` to ``end``; "" if there is none, or two.

    ``columns``: stem of a cue -> the columns that it names; ``is_number``: whether these words are a number; then
    words such as "with" and "of" are skipped after it, too.
    """
    before = _near(words, range(start - 1, -1, -1), JOINING)
    after = _near(words, range(end, min(end + 2 * _REACH, len(words))), _LINKING if is_number else (), ends="(")
    possible: set[str] = set()  # by a nearer word that names several: "price" in "the reduced price"
    for beside in zip_longest(before, after):
        found: set[str] = set().union(*(columns.get(stem(word), ()) for word in beside if word))
        found = found & possible if possible else found
        if len(found) == 1:
            return found.pop()
        possible = found or possible
    return ""


def is_of_another_dimension(words: Sequence[str], start: int, end: int, cues: Collection[str], language: str) -> bool:
    """Return whether a column with these cues is one dimension, and the word next to a number is of another.

    "155 cm breit" and "a width of 155 cm" are no height. The word behind the number has precedence. A word behind
    another number belongs to that one: "60 cm wide by 155 cm".
    """
    if _ALL_DIMENSIONS.isdisjoint(cues):
        return False
    behind = [*words[end : end + 2]]
    if behind[:1] in (["de"], ["en"]) or (behind[:1] == ["in"] and behind[-1].endswith(("th", "ht"))):  # "in width"
        del behind[0]
    place = next((place for place in range(start - 1, -1, -1) if words[place] not in _BEFORE_NUMBER), start)
    before = [words[place]] if (words[max(place - 1, 0)],) not in UNITS else []
    for word in (words[end - 1].rpartition("-")[2], *behind[:1], *before):  # "155 cm-wide"
        if word in _DIMENSIONS and (word != "large" or language != ENGLISH):
            return _DIMENSIONS[word].isdisjoint(cues)
    return False


def _near(words: Sequence[str], places: range, joining: Collection[str] = (), ends: str = ")") -> Iterator[str]:
    """Yield the nearest words of a clause on one side of a value, without linking words such as "is"."""
    rest = _REACH
    for place in places:
        if words[place] in ENDS or words[place] == ends:
            return
        if words[place] not in joining:
            yield words[place]
            rest -= 1
            if not rest:
                return
