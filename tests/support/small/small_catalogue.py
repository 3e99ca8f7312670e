"""Texts of a made-up shop as training examples: each token tells by its placeholder which value it says."""

from __future__ import annotations

from collections.abc import Sequence

from schemas.act import PREFIX
from schemas.example import NEW, NO_ITEM, NONE, USED, Example


def make_text(written: str, columns: Sequence[str]) -> Example:
    """An example of a text such as "the NAME costs PRICE ."; a word in capitals is the placeholder of its column."""
    tokens = [PREFIX + word if word.isupper() else word for word in written.split()]
    names = [PREFIX + column.upper() for column in columns]
    refs = [names.index(token) if token in names else NO_ITEM for token in tokens]
    types = [NONE if item == NO_ITEM else NEW if item not in refs[:place] else USED for place, item in enumerate(refs)]
    return Example(
        id=written[:8],
        content_hash="0" * 16,
        goal="lamp",
        goal_tokens=["lamp"],
        agenda=[f"{column}=some {column}" for column in columns],
        agenda_tokens=[[name] for name in names],
        text=written,
        tokens=tokens,
        surface=written.split(),
        ref_types=types,
        ref_items=refs,
        file="made up",
        offset=0,
    )
