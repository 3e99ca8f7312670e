"""A text that a search has found."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Hypothesis:
    """A text of T words."""

    tokens: list[int]  # T word ids, the end token left out
    items: list[int]  # T positions in the agenda, NO_ITEM where a word refers to none
    log_probability: float  # natural logarithm, of all words and the end
    used: list[int]  # the distinct items introduced, in agenda order
    finished: bool  # False: cut at the longest length allowed
    penalised: bool  # it has two item references on consecutive words

    @property
    def rank(self) -> tuple[bool, bool, int, float, list[int]]:
        """Sorts the better one first: most distinct items, then probability a word."""
        words = len(self.tokens) + self.finished
        return self.penalised, not self.finished, -len(self.used), -self.log_probability / words, self.tokens
