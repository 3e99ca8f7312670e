"""Tokenization of a recipe's ingredients as users write them, by the functions that make the data sets."""

from __future__ import annotations

from collections.abc import Mapping

from allsaid.modeling.saved.model_folder import Bundle
from batch_infer.rows.kinds.form import Field
from pipelines.source import RecordFault
from pipelines.sources.allrecipes.record import ingredients_of, line_tokens
from schemas.errors import UserError


def prepare(values: Mapping[str, object]) -> Mapping[str, object]:
    """Add the words of each line of a row's ``ingredients``, unless it has them; raise UserError for a fault."""
    if values.get("ingredient_tokens") is not None:
        return values
    try:
        lines, _, _ = ingredients_of(values)
        return {**values, "ingredients": lines, "ingredient_tokens": [list(line_tokens(line)) for line in lines]}
    except RecordFault as fault:
        raise UserError(fault.detail) from fault


def form(bundle: Bundle) -> tuple[Field, ...]:
    """Return the form fields of a recipe."""
    title, lines = bundle.example
    hint, example = "one per line, such as 3 leeks, sliced", "\n".join(lines)
    return Field("title", "Title", example=title), Field("ingredients", "Ingredients", "lines", hint, example=example)
