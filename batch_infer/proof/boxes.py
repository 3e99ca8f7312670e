"""What goes out of a model of boxes: a text as people write it, and which fields of the table it has words of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from allsaid.modeling.tables.box_table import NUMERALS, Table
from allsaid.modeling.tasks.box import Row
from allsaid.modeling.text.restore import Casing, restore
from allsaid.modeling.text.treebank import SIGNS
from allsaid.proof.coverage import Coverage
from batch_infer.proof import judge

GAP = "…"  # what stands for a number that the table does not hold
_SIGNS = SIGNS | dict.fromkeys(NUMERALS, GAP)
_GLUED = re.compile(r"\.([^\W\d_].*)")  # a full stop and the word behind it


class Judge(judge.Judge):
    """Writes the texts of a model of boxes out, and says where one asks for a number that its table lacks.

    A text that may not have such numbers (`supported_numbers_only`) takes others of the table for them, most often
    wrong ones: so they stand as gaps, which can be seen and counted.
    """

    MEANS = ("extra_items", "tokens")

    def publish(self, tokens: Sequence[str], row: Row) -> str:
        """The text as it goes out; words of the table are written as it has them."""
        words = [part for token in tokens for part in _parts(_SIGNS.get(token, token))]
        return restore(words, _casing_of(row.table, self.bundle.casing))

    def measure(self, tokens: Sequence[str], row: Row) -> Coverage:
        """No field must be said; what is extra are numbers that no place of the table gives."""
        gaps = [place for place, token in enumerate(tokens) if token in NUMERALS]
        return Coverage([], [], [], [GAP] * len(gaps), [], [[place] for place in gaps])

    def figures(self, tokens: Sequence[str], row: Row, said: Coverage) -> dict[str, float]:
        return {"extra_items": len(said.extra), "tokens": len(tokens)}


def _parts(word: str) -> list[str]:
    """ ".juli", as a corpus has it that glues full stops to the words behind, is "." and "juli"."""
    glued = _GLUED.fullmatch(word)
    return [".", glued[1]] if glued else [word]


def _casing_of(table: Table, casing: Casing) -> Casing:
    return replace(casing, forms={**casing.forms, **{word.lower(): word for word in table.originals}})
