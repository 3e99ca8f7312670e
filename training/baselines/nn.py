"""NN: a recipe's text is that of the nearest training recipe (Kiddon et al. 2016, section 5)."""

from __future__ import annotations

from collections.abc import Sequence

from allsaid.console import UserError
from schemas.example import Example
from training.baselines.retrieval import Nearest
from training.data.dataset import DataSet
from training.tasks import agenda

TASK = agenda


def check(data: DataSet, split: str) -> None:
    """Raises UserError where the texts are no recipes, which alone can be taken as they are."""
    if data.manifest.files.get("acts"):
        raise UserError(f"'nn' and --swap take a recipe's text, but {data.where} holds dialogue acts. Give a model.")


def texts(data: DataSet, examples: Sequence[Example]) -> list[list[str]]:
    return [found.tokens for found in Nearest.build(data.tables("train")).find(examples)]
