"""The stem of an English word, by which words of names and of texts are compared."""

from __future__ import annotations

from functools import lru_cache

from schemas.language.stems import snowball

_IRREGULAR = {"leaves": "leaf", "loaves": "loaf", "halves": "half", "knives": "knife", "calves": "calf"}


@lru_cache(maxsize=1 << 16)
def key(word: str) -> str:
    """What two words must share to match: the stem, or the word itself where it ends in -ed or -ing."""
    if word.endswith(("ings", "eds")):
        return word[:-1]
    if word.endswith(("ing", "ed")):
        return word
    return _IRREGULAR.get(word) or snowball(word)
