"""Measurement of a machine turn against a table: cells of other rows than the one it refers to are extra."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from allsaid.decoding.hypothesis import Hypothesis
from allsaid.modeling.tables.table_support import support_of
from allsaid.modeling.tasks.table_dialogue import Row
from allsaid.modeling.text.restore import restore
from allsaid.proof.coverage import Coverage
from batch_infer.proof import judge
from batch_infer.proof.judge import Measure


class Judge(judge.Judge[Row]):
    """Judge of the texts of a model of dialogues over a table."""

    MEANS = ("extra_items", "tokens")

    def publish(self, tokens: Sequence[str], row: Row) -> str:
        """Return the published text; words that only the table has are written as in the table."""
        casing, known = self.knowledge.casing, self.knowledge.known_words
        new = {word: form for word, form in row.table.forms.items() if word not in known}
        return restore(tokens, replace(casing, forms={**new, **casing.forms}))

    def measure(self, tokens: Sequence[str], row: Row) -> Coverage:
        """Return the coverage: no item is required; extra items are cells not in the row that the turn refers to."""
        found = support_of(tokens, row.table)
        foreign = found.foreign if found else []
        return Coverage([], [], [], [cell for cell, _ in foreign], [], [places for _, places in foreign])

    def in_order(self, row: Row, found: Sequence[Hypothesis], measure: Measure) -> list[Hypothesis]:
        """Sort texts by their number of cells from other rows than their own, fewest first."""
        return sorted(found, key=lambda hypothesis: len(measure(hypothesis).extra))
