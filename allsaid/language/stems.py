"""English stems, by which the words of names and texts are compared."""

from __future__ import annotations

from functools import lru_cache

import snowballstemmer

_IRREGULAR = {"leaves": "leaf", "loaves": "loaf", "halves": "half", "knives": "knife", "calves": "calf"}


def snowball(word: str) -> str:
    """Return Snowball's English stem (Porter 2) of a word, without a cache."""
    # A stemmer stores its current word, so threads can't share one; creating one takes negligible time.
    return str(snowballstemmer.stemmer("english").stemWord(word))


@lru_cache(maxsize=1 << 16)
def key(word: str) -> str:
    """Return the key that matching words share: the stem, or the word itself if it ends in -ed or -ing."""
    if word.endswith(("ings", "eds")):
        return word[:-1]
    if word.endswith(("ing", "ed")):
        return word
    return _IRREGULAR.get(word) or snowball(word)
