"""The tokens of a generated text -> the text as it is published: placeholders filled, words cased, blanks set."""

from __future__ import annotations

from collections.abc import Sequence

from batch_infer.rows.inputs import Row
from pipelines.language.delex import fill, speak
from schemas.act import PREFIX, parse_agenda_line
from training.tasks.restore import Casing, restore

# What means something in a token, a phrase or a mark, stands in a value for itself: hidden while a text is written.
_HIDDEN = str.maketrans("_<", "\ue000\ue001")
_SHOWN = str.maketrans("\ue000\ue001", "_<")


def publish(tokens: Sequence[str], row: Row, casing: Casing) -> str:
    """Write the tokens; a placeholder (``SLOT_NAME``) stands for the value of its agenda item, as that is written.

    A placeholder that the agenda lacks stays as words, so that it can be seen.
    """
    values = {
        item[0]: parse_agenda_line(line).value.translate(_HIDDEN)
        for item, line in zip(row.agenda_tokens, row.agenda, strict=True)
        if len(item) == 1 and item[0].startswith(PREFIX)
    }
    if not values:
        return restore(tokens, casing)
    return restore(speak(" ".join(fill(tokens, values))).split(), casing).translate(_SHOWN)
