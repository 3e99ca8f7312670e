"""Normaliser: splits a text into lower-case words and replaces some of them by a table.

The table holds the rules of RNNLG, the public toolkit of Wen et al. 2015, that matter for their texts: abbreviations
and contractions are written out, and a few plurals are split into singular and ``-s``, as in the corpus itself.
RNNLG's other rules (removing a final mark, dropping quotes, joining digit groups) change no text of that corpus.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from allsaid.language.characters import comparable
from allsaid.language.text import MAX_CACHED, MAX_CHUNK, tokenize

RNNLG_WORDS: Mapping[str, str] = {
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
_QUOTE = re.compile(f"[{''.join(map(chr, QUOTES))}]")
Normalised = tuple[tuple[str, ...], tuple[str, ...]]  # words in normal form, and each as the text writes it


class WordTable(dict[str, Normalised]):
    """Cache: text between blanks -> its normalised words, and each of them as written."""

    def __init__(self, replaced: Mapping[str, str], language: str = "") -> None:
        """replaced: word -> its normal form, one or more words; language: as in `allsaid.language.text.tokenize`."""
        super().__init__()
        self.replaced = replaced
        self._language = language

    def __missing__(self, chunk: str) -> Normalised:
        tokens: list[str] = []
        surface: list[str] = []
        for written in (chunk,) if chunk.lower() in self.replaced else tokenize(chunk, self._language):
            lower = written.lower()
            words = self.replaced.get(lower, lower).split()
            tokens += words
            surface += words if len(words) > 1 else [written]
        if len(self) >= MAX_CACHED:
            self.clear()
        normalised = tuple(tokens), tuple(surface)
        if len(chunk) <= MAX_CHUNK:  # a longer one may be as long as the input
            self[chunk] = normalised
        return normalised


WORDS = WordTable(RNNLG_WORDS)
AS_WRITTEN = WordTable({})  # replaces nothing


def normalise(text: str, words: WordTable) -> tuple[list[str], list[str]]:
    """Return the lower-case words of a text, with the table applied, and each word as it was written.

    Joined by single blanks, the first list is the normalised text. Where the table splits a word into several, the
    second list has these, too.
    """
    text = comparable(text)
    if ("`" in text or not text.isascii()) and _QUOTE.search(text):
        text = text.translate(QUOTES)
    chunks = [words[chunk] for chunk in text.split()]
    return [token for tokens, _ in chunks for token in tokens], [word for _, surface in chunks for word in surface]
