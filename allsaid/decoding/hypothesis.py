"""A text that a search has found."""

from __future__ import annotations

from dataclasses import dataclass

from allsaid.modeling.config import SearchConfig


@dataclass(frozen=True)
class Hypothesis:
    """A text of T words."""

    tokens: list[int]  # T word ids, the end token left out
    items: list[int]  # T positions in the agenda, NO_ITEM where a word refers to none
    log_probability: float  # natural logarithm, of all words and the end
    used: list[int]  # the distinct items introduced, in agenda order
    finished: bool  # False: cut at the longest length allowed
    penalised: bool  # it has two item references on consecutive words
    is_assembled: bool = False  # from sentences of training texts (`allsaid.proof.forms.assembly`)

    def rank(self, options: SearchConfig) -> tuple[bool, bool, int, float, list[int]]:
        """Sorts the better one first: most distinct items where these are believed, then probability for the length."""
        items = len(self.used) if options.rank_by_model_items else 0
        return self.penalised, not self.finished, -items, -self.log_probability / self.length(options), self.tokens

    def length(self, options: SearchConfig) -> float:
        """What its log-probability is divided by."""
        return float((len(self.tokens) + self.finished) ** options.length_power)


NOTHING = Hypothesis([], [], 0.0, [], finished=False, penalised=False)  # of a row that no text can be made for
