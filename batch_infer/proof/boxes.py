"""What goes out of a model of boxes: a text as people write it, and which fields of the table it has words of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from batch_infer.proof import judge
from training.tasks.box import Row
from training.tasks.box_table import Table
from training.tasks.restore import Casing, restore
from training.tasks.treebank import SIGNS

_GLUED = re.compile(r"\.([^\W\d_].*)")  # a full stop and the word behind it


class Judge(judge.Judge):
    """Writes the texts of a model of boxes out."""

    def publish(self, tokens: Sequence[str], row: Row) -> str:
        """The text as it goes out; words of the table are written as it has them."""
        words = [part for token in tokens for part in _parts(SIGNS.get(token, token))]
        return restore(words, _casing_of(row.table, self.bundle.casing))


def _parts(word: str) -> list[str]:
    """ ".juli", as a corpus has it that glues full stops to the words behind, is "." and "juli"."""
    glued = _GLUED.fullmatch(word)
    return [".", glued[1]] if glued else [word]


def _casing_of(table: Table, casing: Casing) -> Casing:
    return replace(casing, forms={**casing.forms, **{word.lower(): word for word in table.originals}})
