"""HDC: the rule-based texts of the dialogue corpus itself (Wen et al. 2015)."""

from __future__ import annotations

from collections.abc import Sequence

from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.tasks.agenda import TASK
from schemas.errors import UserError
from schemas.example import SPLITS, Example

__all__ = ["TASK", "check", "texts"]


def check(data: DataSet, split: str) -> None:
    """Raise UserError if no act of the split has a rule-based text."""
    if not any(act.handcrafted for act in data.acts(split)):
        raise UserError(f"The {split} part of {data.where} has no handcrafted texts. Give a model.")


def texts(data: DataSet, examples: Sequence[Example]) -> list[list[str]]:
    """Return the texts of the corpus, with their values, split at blanks."""
    texts_by_id = {act.id: act.handcrafted.split() for split in SPLITS for act in data.acts(split)}
    return [texts_by_id[example.id] for example in examples]
