"""Normaliser: splits a text into lower-case words and replaces some of them by a table.

The table holds the rules of RNNLG, the public toolkit of Wen et al. 2015, that matter for their texts: abbreviations
and contractions are written out, and a few plurals are split into singular and ``-s``, as in the corpus itself.
RNNLG's other rules (removing a final mark, dropping quotes, joining digit groups) change none of those texts.
"""

from __future__ import annotations

from collections.abc import Mapping

from allsaid.language.characters import comparable
from allsaid.language.text import LONG, tokenize

TOOLKIT: Mapping[str, str] = {
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

QUOTES = str.maketrans({"‘": "'", "’": "'", "´": "'", "`": "'", "“": '"', "”": '"', "„": '"'})


KNOWN = 1 << 16  # most stretches of text that a table caches

Cut = tuple[tuple[str, ...], tuple[str, ...]]


class WordTable(dict[str, Cut]):
    """Cache: a stretch of text between blanks -> its normalised words, and each of them as written."""

    def __init__(self, replaced: Mapping[str, str], language: str = "") -> None:
        """``language``: by whose rules words are split, as in `allsaid.language.text.tokenize`."""
        super().__init__()
        self.replaced = replaced
        self._language = language

    def __missing__(self, chunk: str) -> Cut:
        tokens: list[str] = []
        surface: list[str] = []
        for written in (chunk,) if chunk.lower() in self.replaced else tokenize(chunk, self._language):
            lower = written.lower()
            words = self.replaced.get(lower, lower).split()
            tokens += words
            surface += words if len(words) > 1 else [written]
        if len(self) >= KNOWN:
            self.clear()
        found = tuple(tokens), tuple(surface)
        if len(chunk) <= LONG:  # else the cached text could be as long as the input
            self[chunk] = found
        return found


WORDS = WordTable(TOOLKIT)
AS_WRITTEN = WordTable({})  # replaces nothing


def normalise(text: str, words: WordTable) -> tuple[list[str], list[str]]:
    """Return the lower-case words of a text, with the table applied, and each word as it was written.

    Joined by single blanks, the first list is the normalised text. If the table splits a word into several, both
    lists have these as in the table.
    """
    tokens: list[str] = []
    surface: list[str] = []
    for chunk in comparable(text).translate(QUOTES).split():
        found = words[chunk]
        tokens += found[0]
        surface += found[1]
    return tokens, surface
