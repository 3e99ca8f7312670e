"""Splits by content, and the guard that keeps dev and test titles out of training.

A recipe's split depends on its own directions and the shares only, so no other file can move it. The guard
is that of the authors' public code (uwnlp/neural-checklist): a training recipe goes that has the same bag
of title words as a dev or test recipe, or shares three title words with one.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np

SHARED_WORDS = 3
_NAMES = {"train": "train", "valid": "dev", "dev": "dev", "test": "test"}  # as files call their split


def content_hash(letters: str) -> str:
    """16 hex digits for the letters and digits of the cleaned directions: equal content, equal hash."""
    return hashlib.sha256(letters.encode()).hexdigest()[:16]


def split_of(content: str, dev_share: float, test_share: float) -> str:
    """The split of a content hash: its position in [0, 1) against the fixed shares."""
    position = int(content, 16) / 16 ** len(content)
    if position < dev_share:
        return "dev"
    return "test" if position < dev_share + test_share else "train"


def split_named(path: str) -> str:
    """The split that a file's name tells, such as ``train.json``; "" where it tells none, or two."""
    name = path.rsplit("/", 1)[-1].lower()
    found = {split for word, split in _NAMES.items() if re.search(rf"(?<![a-z]){word}(?![a-z])", name)}
    return found.pop() if len(found) == 1 else ""


def _key(words: Iterable[str]) -> int:
    digest = hashlib.blake2b(" ".join(words).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True)


def bag_key(title_words: Sequence[str]) -> int:
    """A 64-bit key of the bag of title words: order apart, number of each word included."""
    return _key(["bag", *sorted(title_words)])


def triple_keys(title_words: Sequence[str]) -> list[int]:
    """64-bit keys of all sets of three different title words; none for a shorter title."""
    return [_key(triple) for triple in combinations(sorted(set(title_words)), SHARED_WORDS)]


class PackedKeys:
    """Keys of all titles of a corpus at eight bytes each; a set of numbers holds some ninety."""

    def __init__(self, packed: Iterable[bytes]) -> None:
        """``packed``: 64-bit keys, in any order."""
        self._sorted = np.frombuffer(bytearray().join(packed), np.int64)
        self._sorted.sort()

    def __contains__(self, key: int) -> bool:
        place = self._sorted.searchsorted(key)
        return bool(place < len(self._sorted) and self._sorted[place] == key)


def guard(title_words: Sequence[str], held_out: PackedKeys | set[int], same: str = "same_title") -> str:
    """Why a training recipe with this title must go, "" if it may stay; ``same`` is the reason for all words alike.

    ``held_out`` holds the bag and triple keys of all kept dev and test titles. Without a word nothing is compared.
    """
    if title_words and bag_key(title_words) in held_out:
        return same
    if any(key in held_out for key in triple_keys(title_words)):
        return "three_title_words"
    return ""
