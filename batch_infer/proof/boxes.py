"""Published texts of a model of boxes, and their numbers that the table lacks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from allsaid.modeling.tables.box_table import NUMERALS
from allsaid.modeling.tasks.box import Row
from allsaid.modeling.text.restore import restore
from allsaid.modeling.text.treebank import SIGNS
from allsaid.proof.coverage import Coverage
from batch_infer.proof import judge
from batch_infer.rows.kinds.boxes import words_of
from pipelines.sources.wikibio.box import mapped
from schemas.box import NUMBER
from schemas.example import NO_ITEM

GAP = "…"  # placeholder for a number that the table does not hold
_SIGNS = SIGNS | dict.fromkeys(NUMERALS, GAP)
_GLUED = re.compile(r"\.([^\W\d_].*)")  # a full stop and the word after it


class Judge(judge.Judge[Row]):
    """Judge of a model of boxes: publishes its texts and marks numbers that the table lacks.

    Such numbers are shown as gaps, which can be seen and counted. If they are forbidden (`supported_numbers_only`),
    a text uses other numbers of the table instead, most often wrong ones.
    """

    MEANS = ("extra_items", "tokens")

    def publish(self, tokens: Sequence[str], row: Row) -> str:
        """Return the published text; words of the table are written as in the table."""
        words = [part for token in tokens for part in _parts(_SIGNS.get(token, token))]
        casing, own = self.knowledge.casing, {word.lower(): word for word in row.table.originals}
        return restore(words, replace(casing, forms={**casing.forms, **own}))

    def measure(self, tokens: Sequence[str], row: Row) -> Coverage:
        """Return the coverage: no field is required, and extra items are numbers that are not in the table."""
        gaps = [place for place, token in enumerate(tokens) if token in NUMERALS]
        return Coverage([], [], [], [GAP] * len(gaps), [], [[place] for place in gaps])

    def read(self, text: str, row: Row) -> tuple[list[str], list[int]]:
        """Return the tokens of a text: a number is one only if it is in the table, else NUMBER or YEAR."""
        words = [word.lower() for word in words_of(text)]
        known = {word.lower() for word in row.table.originals}
        tokens = [word if word in known else NUMBER if word == GAP else mapped(word) for word in words]
        return tokens, [NO_ITEM] * len(tokens)

    def measure_published(self, text: str, tokens: Sequence[str], row: Row) -> Coverage:
        """Return the coverage, with the numbers that are not in the table as written."""
        written = [word for word, token in zip(words_of(text), tokens, strict=True) if token in NUMERALS]
        return replace(self.measure(tokens, row), extra=written)


def _parts(word: str) -> list[str]:
    """Split ".juli", from a corpus that glues full stops to the following words, into "." and "juli"."""
    glued = _GLUED.fullmatch(word)
    return [".", glued[1]] if glued else [word]
