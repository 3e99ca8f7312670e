"""Agendas of three dishes and one example, and `generate` with a narrow search."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from batch_tables import read

from batch_infer.job import generate
from batch_infer.options.generate import GenerateOptions
from schemas.example import NO_ITEM, NONE, Example

AGENDAS = [
    {"id": "a", "goal": "Salsa", "agenda": ["2 tomatoes, chopped", "1 tb Olive oil"], "page": 3},
    {"id": 7, "goal": "Garlic oil", "agenda": ["1 clove garlic"], "page": 4},
    {"goal": "Salt soup", "agenda": ["salt", "tomatoes"], "page": None},
]


def example(number: int) -> Example:
    tokens = ["add", "the", "salt", ".", "add", "garlic", "and", "olive_oil", ".", "stir"]
    return Example(
        id=f"{number:016x}",
        content_hash=f"{number:016x}",
        goal="Salsa",
        goal_tokens=["salsa"],
        agenda=["1 ts Salt", "2 tb Olive oil"],
        agenda_tokens=[["salt"], ["olive_oil"]],
        text="Add the salt. Add garlic and olive oil. Stir",
        tokens=tokens,
        surface=tokens,
        ref_types=[NONE] * len(tokens),
        ref_items=[NO_ITEM] * len(tokens),
        file="a.mmf",
        offset=number,
    )


def run(model: Path, given: Path | str, output: Path, **options: Any) -> tuple[Any, list[dict[str, Any]]]:
    summary = generate.run(GenerateOptions(str(model), str(given), str(output), width=2, max_tokens=9, **options))
    return summary, read(output)


def bytes_of(output: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((output / "texts").iterdir())}
