"""Columns of values by the words next to them: "93 cm high", "a high price", "the strap is red".

A word that names a column is a *cue* for it: a word of its name, or one with the same meaning for a measure ("wide" for
a width). The nearest cue in the clause counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from allsaid.language.stems import snowball
from allsaid.language.units import UNITS
from allsaid.proof.polarity import ENDS

_REACH = 2  # words on each side of a value
# Words for one measure, which name its column and describe its number, in languages of Western Europe.
_MEASURES = """width wide breite breit largeur large ancho
height high tall höhe hoehe hoch hauteur haut alto altura
length long länge laenge lang longueur largo
depth deep tiefe tief profondeur profond fondo
thickness thick dicke dick épaisseur épais grosor
diameter across durchmesser diamètre diámetro
weight weighs weigh weighing heavy gewicht wiegt schwer poids pèse peso pesa
price costs cost costing priced preis kostet prix coûte precio cuesta
capacity holds hold volume inhalt fasst volumen contenance"""


@lru_cache(maxsize=1 << 14)
def stem(word: str) -> str:
    """Return the stem by which cues are compared: "rated" and "rating" have the same."""
    return snowball(word)


_SAME = {stem(word): frozenset(map(stem, line.split())) for line in _MEASURES.splitlines() for word in line.split()}


@lru_cache(maxsize=1 << 12)
def cues_of(name: str) -> frozenset[str]:
    """Return the stems of a column's cues, from the words of its name without units."""
    named = frozenset(stem(word) for word in name.lower().split() if (word,) not in UNITS)
    return named.union(*(_SAME[one] for one in named if one in _SAME))


def is_measure(word: str) -> bool:
    """Return whether a word names a measure: "high"."""
    return stem(word) in _SAME


def column_at(words: Sequence[str], start: int, end: int, columns: Mapping[str, Iterable[str]]) -> str:
    """Return the column whose cue is nearest to the words from ``start`` to ``end``; "" if there is none, or two.

    ``columns``: stem of a cue -> the columns that it names.
    """
    for distance in range(1, _REACH + 1):
        found: set[str] = set()
        before, after = start - distance, end - 1 + distance
        for place, between in ((before, words[max(before, 0) : start]), (after, words[end : after + 1])):
            if 0 <= place < len(words) and ENDS.isdisjoint(between):
                found.update(columns.get(stem(words[place]), ()))
        if found:
            return found.pop() if len(found) == 1 else ""
    return ""
