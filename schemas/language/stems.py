"""The stem of an English word; for every room that compares words."""

from __future__ import annotations

import snowballstemmer


def snowball(word: str) -> str:
    """Snowball's English stem (Porter 2). Who asks often remembers the answers."""
    # A stemmer keeps its word in itself and so can't be shared by threads; a new one costs no time worth naming.
    return str(snowballstemmer.stemmer("english").stemWord(word))
