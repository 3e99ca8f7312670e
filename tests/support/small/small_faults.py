"""Texts of a made-up shop in which every kind of planted fault has a place."""

from __future__ import annotations

from schemas.act import PREFIX, SPECIAL
from schemas.example import NEW, NO_ITEM, NONE, Example


def make_row(goal: str, written: str, **values: str) -> Example:
    """An example; a word in capitals is its column's placeholder, one with a star says the yes or no of its column."""
    columns = list(values)
    names = [PREFIX + c.upper() + (f"_{v.upper()}" if v in SPECIAL else "") for c, v in values.items()]
    words = written.split()
    tokens = [PREFIX + word if word.isupper() else word.rstrip("*") for word in words]
    said = [word.lower().rstrip("*") if word.isupper() or word.endswith("*") else "" for word in words]
    items = [columns.index(column) if column in columns else NO_ITEM for column in said]
    return Example(
        id=f"{goal} {written}",
        content_hash="0" * 16,
        goal=goal,
        goal_tokens=goal.split(),
        agenda=[f"{column}={value}" for column, value in values.items()],
        agenda_tokens=[[name] for name in names],
        text=written,
        tokens=tokens,
        surface=words,
        ref_types=[NONE if item == NO_ITEM else NEW for item in items],
        ref_items=items,
        file="made up",
        offset=0,
    )


MUG = make_row(
    "mug", "the NAME is a mug . it weighs WEIGHT . it comes in COLOUR .", name="Iris", weight="2 kg", colour="red"
)
LAMP = make_row(
    "lamp",
    "meet the NAME , a good lamp ! it weighs WEIGHT . it is made in LAND . it is safe* .",
    name="Elm",
    weight="3 kg",
    land="Spain",
    safe="yes",
)
PAN = make_row("pan", "meet the NAME . it is not safe* . we ship it .", name="Oak", safe="no")
SHOP = [MUG, LAMP, PAN]
