"""The normaliser: a text cut into lower-case words, some replaced by what the table says.

The table holds what matters, in the texts of Wen et al. 2015, of the normaliser of their public toolkit (RNNLG):
abbreviations and contractions written out, and a few plurals parted into singular and ``-s``, which is how the corpus
itself writes them. Its other rules (a final mark cut, quotes dropped, digit groups joined) change none of those texts.
"""

from __future__ import annotations

from collections.abc import Mapping

from pipelines.text import tokenize

WORDS: Mapping[str, str] = {
    "st": "street",
    "ave": "avenue",
    "pricerange": "price range",
    "venues": "venue -s",
    "children": "child -s",
    **{
        f"{word}s": f"{word} -s"
        for word in ["restaurant", "hotel", "price", "place", "meal", "location", "area", "kid", "card"]
    },
    "i'm": "i am",
    "it's": "it is",
    "that's": "that is",
    "there's": "there is",
    "what's": "what is",
    "we're": "we are",
    "can't": "can not",
    "don't": "do not",
    "doesn't": "does not",
    "wasn't": "was not",
}

QUOTES = str.maketrans({"‘": "'", "’": "'", "´": "'", "`": "'", "“": '"', "”": '"', "\u00ad": None})


def normalise(text: str, words: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """Words of a text, lower case, with the table ``words`` applied; and each as it was written.

    Joined by single blanks, the first list is the normalised text. A word that the table makes several of is
    written as the table has it.
    """
    tokens: list[str] = []
    surface: list[str] = []
    for chunk in text.translate(QUOTES).split():
        for written in (chunk,) if chunk.lower() in words else tokenize(chunk):
            lower = written.lower()
            replaced = words.get(lower, lower).split()
            tokens += replaced
            surface += replaced if len(replaced) > 1 else [written]
    return tokens, surface
