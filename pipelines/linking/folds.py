"""Folds of dialogues for cross-validation (Yang et al. 2017, section 4.1), and the tokens that only one fold has."""

from __future__ import annotations

from pipelines.linking.splits import content_hash
from schemas.dialogue import FOLDS


def fold_of(dialogue: str) -> int:
    """Return the fold of a dialogue, by a hash of its name."""
    return int(content_hash(dialogue), 16) % FOLDS


class FoldTokens:
    """The folds that have each token."""

    def __init__(self) -> None:
        self._folds: dict[str, int] = {}  # token -> bits of the folds that have it

    def add(self, fold: int, token: str) -> None:
        self._folds[token] = self._folds.get(token, 0) | 1 << fold

    def is_new(self, fold: int, token: str) -> bool:
        """Return whether no other fold has this token."""
        return not self._folds.get(token, 0) & ~(1 << fold)
