"""Coverage of ingredients in recipes that copy their words: names are matched in the same way as in agendas.

Extra names in a text are not reported: known names come from the agendas of a training part, and the model folder of
such a task holds none. `allsaid evaluate` finds them in the data set.
"""

from __future__ import annotations

from collections.abc import Sequence

from allsaid.modeling.tasks.sequence import Row
from allsaid.proof.coverage import Coverage, Lexicon, measure
from batch_infer.proof import judge
from pipelines.recipes.ingredients import name_words


class Judge(judge.Judge[Row]):
    """Judge of the texts of a model of sequences."""

    MEANS = ("percent_given", "percent_given_full_name", "percent_given_any_word", "tokens")

    def measure(self, tokens: Sequence[str], row: Row) -> Coverage:
        return measure(tokens, [name_words(line) for line in row.items], Lexicon({}))

    def required_lines(self, row: Row) -> list[str]:
        return row.items
