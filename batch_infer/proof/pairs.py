"""Coverage of the required pieces of sources in texts of pairs."""

from __future__ import annotations

from collections.abc import Sequence

from allsaid.modeling.tasks.pair import Row, measure
from allsaid.proof.coverage import Coverage
from batch_infer.proof import judge
from pipelines.linking.pairs import words
from schemas.example import NO_ITEM


class Judge(judge.Judge[Row]):
    """Judge of the texts of a model of pairs; if a source has no required pieces, nothing is missing."""

    MEANS = ("percent_given", "tokens")

    def measure(self, tokens: Sequence[str], row: Row) -> Coverage:
        return measure(tokens, row)

    def read(self, text: str, row: Row) -> tuple[list[str], list[int]]:
        tokens = words(text)
        return tokens, [NO_ITEM] * len(tokens)

    def required_lines(self, row: Row) -> list[str]:
        return row.items
