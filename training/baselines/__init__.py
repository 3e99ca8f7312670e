"""Systems that generate texts without training: one module each, a :class:`Baseline`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol  # Any: an example of the task, known only at run time

from allsaid.modeling.systems import Family

if TYPE_CHECKING:  # tasks need PyTorch; tables of systems are read without it
    from allsaid.modeling.data.dataset import DataSet
    from allsaid.modeling.tasks.contract import WritesTexts

BASELINES = Family("allsaid.baselines", __name__, ("TASK", "check", "texts"), "baseline", "the baseline")


class Baseline(Protocol):
    """The module of a baseline."""

    TASK: WritesTexts  # its examples are the input

    def check(self, data: DataSet, split: str) -> None:
        """Raise UserError if the baseline has no texts for a split of a data set."""

    def texts(self, data: DataSet, examples: Sequence[Any]) -> list[list[str]]:
        """Return the tokens of one text for each example of the task."""
