"""What a version of the Meal-Master parser makes of every record, for `recipe_reading.py`, which starts it.

    PYTHONPATH=TREE python benchmarks/corpora/parsed_records.py OUTPUT FILE...

It runs with the code of any tree, also of commits in which the parser was in one module. Writes a JSON object a line:
the record's place, and what a reader is shown of its recipe: fields, ingredients with their name words, directions.
"""

from __future__ import annotations

import gzip
import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pipelines.recipes.ingredients import agenda_line, name_words
from pipelines.recipes.steps import clean_steps
from pipelines.source import RecordFault
from pipelines.sources.mealmaster.dump import split_records

try:
    parse = importlib.import_module("pipelines.sources.mealmaster.record").parse
except ModuleNotFoundError:
    parse = importlib.import_module("pipelines.sources.mealmaster.dump").parse


def parsed(path: str) -> Iterator[dict[str, Any]]:
    """Yield the place of each record of a dump and the lines that show its recipe."""
    name = Path(path).name
    with gzip.open(path, "rb") as stream:
        for raw in split_records(stream):
            try:
                lines = shown(parse(raw, name))
            except RecordFault as fault:
                lines = [f"no recipe: {fault.reason}"]
            yield {"place": f"{name}:{raw.offset}", "lines": lines}


def shown(recipe: Any) -> list[str]:
    """Return a recipe as lines."""
    lines = [f"title: {recipe.title}", f"categories: {', '.join(recipe.categories)}", f"yield: {recipe.recipe_yield}"]
    for item in recipe.ingredients:
        section = f"[{item.section}] " if item.section else ""
        lines.append(f"{section}{item.amount} | {item.unit} | {item.name} -> {' '.join(name_words(agenda_line(item)))}")
    return [*lines, *(f"step: {step}" for step in clean_steps(recipe.steps))]


def main() -> None:
    output, *paths = sys.argv[1:]
    with Path(output).open("w", encoding="utf-8") as stream:
        for path in paths:
            stream.writelines(json.dumps(record, ensure_ascii=False) + "\n" for record in parsed(path))


if __name__ == "__main__":
    main()
