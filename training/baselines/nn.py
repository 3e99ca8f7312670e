"""NN: the text of the nearest training example (Kiddon et al. 2016, section 5, for recipes).

The texts of acts and of a user's table have placeholders for values, so there this is retrieval with slot filling: the
scorer fills in the values of the row.
"""

from __future__ import annotations

from collections.abc import Sequence

from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.tasks.agenda import TASK
from schemas.example import Example
from training.baselines.retrieval import Nearest

__all__ = ["TASK", "check", "texts"]


def check(data: DataSet, split: str) -> None:
    """Accept any examples; every baseline has a check."""


def texts(data: DataSet, examples: Sequence[Example]) -> list[list[str]]:
    return [example.tokens for example in Nearest.build(data.tables("train")).find(examples)]
