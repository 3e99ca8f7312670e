"""Splits by content, and the guard that keeps dev and test titles out of training.

A recipe's split depends only on its directions and on the shares of dev and test, so further files never change it. The
guard works as in the authors' public code (uwnlp/neural-checklist): it drops a training recipe that has the same bag of
title words as a dev or test recipe, or shares three title words with one.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np

SHARED_WORDS = 3
_ALPHANUMERIC = re.compile(r"[^\W_]+")
_OTHER_ASCII = bytes(code for code in range(128) if not chr(code).isalnum())
_NAMES = {"train": "train", "valid": "dev", "dev": "dev", "test": "test"}  # name of a split in files -> our name


def content_hash(letters: str) -> str:
    """Return a hash of 16 hex digits of a record's content, such as the letters of cleaned directions."""
    return hashlib.sha256(letters.encode()).hexdigest()[:16]


def content_letters(steps: list[str]) -> str:
    """Return the lower-case letters and digits of cleaned directions.

    Duplicates have equal letters and digits; their hash determines the split.
    """
    text = "".join(steps).lower()
    if text.isascii():  # as most
        return text.encode().translate(None, _OTHER_ASCII).decode()
    return "".join(_ALPHANUMERIC.findall(text))


def split_of(content: str, dev_share: float, test_share: float) -> str:
    """Return the split of a content hash, by its position in [0, 1)."""
    position = int(content, 16) / 16 ** len(content)
    if position < dev_share:
        return "dev"
    return "test" if position < dev_share + test_share else "train"


def split_named(path: str) -> str:
    """Return the split that a file's name contains, such as ``train.json``; "" if it contains none, or two."""
    name = path.rsplit("/", 1)[-1].lower()
    found = {split for word, split in _NAMES.items() if re.search(rf"(?<![a-z]){word}(?![a-z])", name)}
    return found.pop() if len(found) == 1 else ""


def _key(words: Iterable[str]) -> int:
    digest = hashlib.blake2b(" ".join(words).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True)


def bag_key(title_words: Sequence[str]) -> int:
    """Return a 64-bit key of the bag of title words, whose order does not matter."""
    return _key(["bag", *sorted(title_words)])


def triple_keys(title_words: Sequence[str]) -> list[int]:
    """Return the 64-bit keys of all sets of three different title words; none for a shorter title."""
    return [_key(triple) for triple in combinations(sorted(set(title_words)), SHARED_WORDS)]


class PackedKeys:
    """The keys of all titles of a corpus, with eight bytes for each; a set of numbers takes about ninety."""

    def __init__(self, packed: Iterable[bytes]) -> None:
        """``packed``: 64-bit keys, in any order."""
        self._sorted = np.frombuffer(bytearray().join(packed), np.int64)
        self._sorted.sort()

    def __contains__(self, key: int) -> bool:
        place = self._sorted.searchsorted(key)
        return bool(place < len(self._sorted) and self._sorted[place] == key)


def guard(title_words: Sequence[str], held_out: PackedKeys | set[int], same: str = "same_title") -> str:
    """Return the reason to drop a training recipe with this title; "" to keep it. Keep all titles without words.

    ``held_out``: the bag and triple keys of all kept dev and test titles. ``same``: the reason for an equal bag.
    """
    if title_words and bag_key(title_words) in held_out:
        return same
    if any(key in held_out for key in triple_keys(title_words)):
        return "three_title_words"
    return ""
