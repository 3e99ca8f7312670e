"""A text found by a search."""

from __future__ import annotations

from dataclasses import dataclass

from allsaid.decoding.editing.provenance import Edited
from allsaid.modeling.config import SearchConfig


@dataclass(frozen=True)
class Hypothesis:
    """A text of T words."""

    tokens: list[int]  # T word ids, without the end token
    items: list[int]  # T positions in the agenda, NO_ITEM where a word refers to none
    log_probability: float  # natural logarithm, over all words and the end
    used: list[int]  # the distinct items introduced, in agenda order
    finished: bool  # False: cut at the maximum length
    penalised: bool  # has item references on two consecutive words
    is_assembled: bool = False  # made of sentences of training texts (`allsaid.proof.forms.assembly`)
    edited: Edited | None = None  # provenance of an edited training recipe
    introductions: int = 0  # words that introduce an item; more than ``used`` if one is introduced again

    def rank(self, search: SearchConfig) -> tuple[bool, bool, int, float, list[int]]:
        """Return a sort key, best first: by the model's items if so set, then by probability per length."""
        items = len(self.used) if search.distinct_items else self.introductions
        items = items if search.rank_by_model_items else 0
        return self.penalised, not self.finished, -items, -self.log_probability / self.length(search), self.tokens

    def length(self, search: SearchConfig) -> float:
        """Return the divisor of the log-probability."""
        return float((len(self.tokens) + self.finished) ** search.length_power)


NOTHING = Hypothesis([], [], 0.0, [], finished=False, penalised=False)  # for a row that allows no text
