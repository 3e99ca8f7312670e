"""The normaliser: a text cut into lower-case words, some replaced by what the table says.

The table holds what matters, in the texts of Wen et al. 2015, of the normaliser of their public toolkit (RNNLG):
abbreviations and contractions written out, and a few plurals parted into singular and ``-s``, which is how the corpus
itself writes them. Its other rules (a final mark cut, quotes dropped, digit groups joined) change none of those texts.
"""

from __future__ import annotations

from collections.abc import Mapping

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

QUOTES = str.maketrans({"‘": "'", "’": "'", "´": "'", "`": "'", "“": '"', "”": '"', "„": '"', "\u00ad": None})


KNOWN = 1 << 16  # stretches of text that a table remembers

Cut = tuple[tuple[str, ...], tuple[str, ...]]


class WordTable(dict[str, Cut]):
    """A stretch of text between blanks -> its normalised words and each as it was written, found out at first use."""

    def __init__(self, replaced: Mapping[str, str]) -> None:
        super().__init__()
        self.replaced = replaced

    def __missing__(self, chunk: str) -> Cut:
        tokens: list[str] = []
        surface: list[str] = []
        for written in (chunk,) if chunk.lower() in self.replaced else tokenize(chunk):
            lower = written.lower()
            words = self.replaced.get(lower, lower).split()
            tokens += words
            surface += words if len(words) > 1 else [written]
        if len(self) >= KNOWN:
            self.clear()
        found = tuple(tokens), tuple(surface)
        if len(chunk) <= LONG:  # else what is remembered could be as long as the input
            self[chunk] = found
        return found


WORDS = WordTable(TOOLKIT)
AS_WRITTEN = WordTable({})  # replaces nothing


def normalise(text: str, words: WordTable) -> tuple[list[str], list[str]]:
    """Words of a text, lower case, with the table applied; and each as it was written.

    Joined by single blanks, the first list is the normalised text. A word that the table makes several of is
    written as the table has it.
    """
    tokens: list[str] = []
    surface: list[str] = []
    for chunk in text.translate(QUOTES).split():
        found = words[chunk]
        tokens += found[0]
        surface += found[1]
    return tokens, surface
