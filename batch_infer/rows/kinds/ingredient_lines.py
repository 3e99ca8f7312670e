"""The words of a recipe's ingredients as people write them, found by the functions that make the data sets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from allsaid.modeling.saved.model_folder import Bundle
from batch_infer.rows.kinds.form import Field
from pipelines.source import RecordFault
from pipelines.sources.allrecipes.record import ingredients_of, line_tokens
from schemas.errors import UserError


def prepare(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """A row with the lines of its ``ingredients`` cut into words, where it does not bring these; raises UserError."""
    if values.get("ingredient_tokens") is not None:
        return values
    try:
        lines, _, _ = ingredients_of(values)
        return {**values, "ingredients": lines, "ingredient_tokens": [list(line_tokens(line)) for line in lines]}
    except RecordFault as fault:
        raise UserError(fault.detail) from fault


def form(bundle: Bundle) -> tuple[Field, ...]:
    """What a person types for a recipe."""
    return Field("title", "Title"), Field("ingredients", "Ingredients", "lines", "one a line, such as 3 leeks, sliced")
