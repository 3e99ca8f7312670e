"""Endings of values in German, French and Spanish texts, for all packages that compare or write values.

In these languages values take endings, mostly adjectives ("grün", "ein grünes Zelt"). A form is made from the value,
never guessed from a text. English values have only a plural: `allsaid.language.inflection`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

_FRENCH_FEMININE = (
    (r"blanc$", "blanche"), (r"long$", "longue"), (r"eau$", "elle"), (r"doux$", "douce"), (r"sec$", "sèche"),
    (r"frais$", "fraîche"), (r"^(gro|ba|gra|épai)s$", r"\1sse"), (r"plet$", "plète"),
    (r"(?<=[aeo])n$", "nne"), (r"(?<=e)l$", "lle"),
    (r"(?<=o)t$|(?<=le)t$", "tte"), (r"er$", "ère"), (r"eux$", "euse"), (r"f$", "ve"), (r"(?<=[^e])$", "e"),
)  # fmt: skip
# Colours named after things.
_FRENCH_INVARIABLE = frozenset(("argent", "bordeaux", "crème", "kaki", "marron", "or", "orange", "turquoise"))


def _german(word: str, ending: str) -> str:
    """Add an ending: ``dunkel`` and ``es`` -> dunkles; a colour such as "rosa" has no endings."""
    if word[-1] in "aio" or not ending:
        return word
    if ending[0] != "e":
        return word + ending
    # dunkel -> dunkl, teuer -> teur, leise -> leis, hoch -> hoh
    return re.sub(r"(?<!l)e(?=l$)|(?<=[aeu]u)e(?=r$)|e$|c(?=h$)(?<=hoc)", "", word) + ending


def _french(word: str, ending: str) -> str:
    """Inflect a word; in ``ending`` f is feminine and p plural: ``vert`` and ``fp`` -> vertes."""
    if word in _FRENCH_INVARIABLE:
        return word
    if "f" in ending:
        pattern, feminine = next((pair for pair in _FRENCH_FEMININE if re.search(pair[0], word)), ("$", ""))
        word = re.sub(pattern, feminine, word, count=1)
    if "p" not in ending or word[-1] in "sxz":
        return word
    return word + ("x" if word.endswith("eau") else "s")


def _spanish(word: str, ending: str) -> str:
    """Inflect a word as in French: ``rojo`` and ``fp`` -> rojas."""
    if "f" in ending:
        word = re.sub(r"o$", "a", word)
    if "p" not in ending:
        return word
    return word + "s" if word[-1] in "aeiouéá" else re.sub(r"z$", "c", re.sub(r"ón$", "on", word)) + "es"


_ENDINGS: Mapping[str, tuple[Callable[[str, str], str], tuple[str, ...]]] = {
    "de": (_german, ("e", "er", "es", "en", "em", "n", "s")),
    "fr": (_french, ("f", "p", "fp")),
    "es": (_spanish, ("f", "p", "fp")),
}


def endings(language: str) -> tuple[str, ...]:
    """Return the endings that a word of a language may take; none for an unknown language."""
    return _ENDINGS[language][1] if language in _ENDINGS else ()


def with_ending(value: str, ending: str, language: str) -> str:
    """Add an ending to the last word of a value, unless that word ends in a sign or digit."""
    before, blank, word = value.rpartition(" ")
    inflected = _ENDINGS[language][0](word, ending) if ending and len(word) > 1 and word[-1].isalpha() else word
    return before + blank + inflected
