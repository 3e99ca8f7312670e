"""NN: a text is that of the nearest training example (Kiddon et al. 2016, section 5, of recipes).

In the texts of acts and of a user's table placeholders stand for values, so that there this is retrieval with slot
filling: whoever scores them fills in the values asked for.
"""

from __future__ import annotations

from collections.abc import Sequence

from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.tasks import agenda
from schemas.example import Example
from training.baselines.retrieval import Nearest

TASK = agenda


def check(data: DataSet, split: str) -> None:
    """Any examples will do."""


def texts(data: DataSet, examples: Sequence[Example]) -> list[list[str]]:
    return [found.tokens for found in Nearest.build(data.tables("train")).find(examples)]
