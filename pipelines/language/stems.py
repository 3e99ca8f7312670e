"""The stem of an English word, by which words of names and of texts are compared."""

from __future__ import annotations

from functools import cache, lru_cache

import snowballstemmer

_IRREGULAR = {"leaves": "leaf", "loaves": "loaf", "halves": "half", "knives": "knife", "calves": "calf"}


@cache
def _stemmer() -> snowballstemmer.stemmer:
    return snowballstemmer.stemmer("english")


@lru_cache(maxsize=1 << 16)
def key(word: str) -> str:
    """What two words must share to match: the stem, or the word itself where it ends in -ed or -ing."""
    if word.endswith(("ings", "eds")):
        return word[:-1]
    if word.endswith(("ing", "ed")):
        return word
    return _IRREGULAR.get(word) or _stemmer().stemWord(word)
