"""The human evaluation of Kiddon et al. 2016 (section 6, table 2): what is asked, the paper's figures, a study's key.

The paper had five people rate the texts of each system for 100 random test recipes, the true text among them, by three
questions on a Likert scale from 1 to 5. It prints neither the questions' wording nor the names of the scale's ends;
both are ours.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from typing import Any

from allsaid.console import UserError
from pipelines.storage import files
from training.tasks.agenda import DIALOGUE, RECIPES

KEY = "key.json"
LOWEST, HIGHEST = 1, 5
TRUTH = "Truth"
SYNTAX, ITEM_USE, FOLLOWS_GOAL = QUESTIONS = ("syntax", "ingredient_use", "follows_goal")
PAPER = {
    "attention": (4.47, 3.02, 3.47),
    "encdec": (4.58, 3.29, 3.61),
    "nn": (4.22, 3.02, 3.36),
    "nn-swap": (4.11, 3.51, 3.78),
    "checklist": (4.58, 3.80, 3.94),
    "checklist+": (4.39, 3.95, 4.10),
    "truth": (4.39, 4.03, 4.34),
}


@dataclass(frozen=True)
class Wording:
    """How a sheet names the parts of a row, and asks."""

    goal: str
    agenda: str
    text: str
    questions: dict[str, str]


WORDINGS = {
    RECIPES: Wording(
        "Dish",
        "Ingredients",
        "Recipe",
        {
            SYNTAX: "How grammatical is the recipe?",
            ITEM_USE: "How well does the recipe keep to the list of ingredients?",
            FOLLOWS_GOAL: "How well does the recipe make the dish?",
        },
    ),
    DIALOGUE: Wording(
        "Purpose",
        "To be said",
        "Text",
        {
            SYNTAX: "How grammatical is the text?",
            ITEM_USE: "How well does the text keep to what is to be said?",
            FOLLOWS_GOAL: "How well does the text serve its purpose?",
        },
    ),
}


@dataclass(frozen=True)
class Key:
    """Which row and system stand behind each text of each rater's sheet."""

    study: str  # 16 hex digits: sheets, answers and key of one study carry the same
    task: str  # RECIPES or DIALOGUE
    data_name: str  # the data set's source, as in MLflow
    data_fingerprint: str
    data_address: str
    split: str
    seed: int
    systems: list[str]
    rows: list[str]  # ids
    sheets: list[list[list[int]]]  # rater, text -> position in rows, position in systems

    def write(self, path: str) -> None:
        files.write_text(path, json.dumps(asdict(self), ensure_ascii=False) + "\n")

    @classmethod
    def read(cls, path: str) -> Key:
        """Raises UserError where ``path`` is no key."""
        values = read_json(path)
        try:
            return cls(**{column.name: values[column.name] for column in fields(cls)})
        except (KeyError, TypeError) as fault:
            raise UserError(
                f"{path} is no key of `allsaid rate make` ({fault}). Give the {KEY} beside sheets/."
            ) from fault


def read_json(path: str) -> Any:
    if not files.exists(path):
        raise UserError(f"{path} is not there. Check the path.")
    try:
        return json.loads(files.read_text(path))
    except ValueError as fault:
        raise UserError(f"{path} is no JSON ({fault}). Ask for the file again.") from fault
