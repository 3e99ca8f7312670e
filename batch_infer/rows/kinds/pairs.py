"""Sources of pairs as users write them: a row has an id, a ``source`` and, if the text must name some, ``items``."""

from __future__ import annotations

from collections.abc import Mapping

from allsaid.modeling.saved.model_folder import Bundle
from batch_infer.rows.kinds.form import Field
from pipelines.linking.pairs import words


def prepare(values: Mapping[str, object]) -> Mapping[str, object]:
    """Add the words of a row's source and items, unless it has them.

    Values that are not text stay unchanged: `allsaid.modeling.tasks.pair` reports them.
    """
    if values.get("source_tokens") is not None:
        return values
    source, items = values.get("source"), values.get("items") or []
    found: dict[str, object] = {"source_tokens": words(source)} if isinstance(source, str) else {}
    if isinstance(items, list) and all(isinstance(item, str) for item in items):
        found["item_tokens"] = [*map(words, items)]
    return {**values, **found}


def form(bundle: Bundle) -> tuple[Field, ...]:
    """Return the form fields of a pair."""
    source, lines = bundle.example
    hint, example = "one per line; there may be none", "\n".join(lines)
    items = Field("items", "Pieces of it that the text has to name", "lines", hint, example=example)
    return Field("source", "Source", example=source), items
