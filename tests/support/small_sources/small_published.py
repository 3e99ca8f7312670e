"""A published data set of a few rows, and what validation finds in it."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from small_manifest import EMPTY

from pipelines.datasets.hashes import phrase_hash, record_hash
from pipelines.validation.rules import Outcome
from pipelines.validation.suites import Suites
from pipelines.validation.validate import run
from schemas.checks.table import to_table
from schemas.example import EXAMPLE, NEW, NO_ITEM, NONE, UNSUPERVISED, USED, Example
from schemas.phrase import PHRASE, Phrase
from schemas.recipe import RECIPE, Ingredient, Recipe
from schemas.runs.rejected import REJECTED, Rejected

SCHEMAS = {"records": RECIPE, "examples": EXAMPLE, "rejected": REJECTED, "phrases": PHRASE}
TOKENS = ["mash", "the", "beans", ",", "season", "all", "ingredients", ",", "serve", "the", "beans"]
TYPES = [NONE, NONE, NEW, NONE, NONE, UNSUPERVISED, UNSUPERVISED, NONE, NONE, NONE, USED]
ITEMS = [NO_ITEM, NO_ITEM, 2, NO_ITEM, NO_ITEM, NO_ITEM, NO_ITEM, NO_ITEM, NO_ITEM, NO_ITEM, 2]


def an_example(number: int) -> Example:
    return Example(
        id=f"{number:016x}",
        content_hash=f"{number + 256:016x}",
        goal="Bean Mash",
        goal_tokens=["bean", "mash"],
        agenda=["2 cloves garlic", "Salt", "1 c beans"],
        agenda_tokens=[["garlic"], ["salt"], ["beans"]],
        text="Mash the beans, season all ingredients, serve the beans",
        tokens=TOKENS,
        surface=TOKENS,
        ref_types=TYPES,
        ref_items=ITEMS,
        file="a.mmf",
        offset=number * 700,
    )


def a_recipe(number: int) -> Recipe:
    ingredients = [Ingredient("1", "c", "beans", ""), Ingredient("", "", "Salt", "SAUCE")]
    return Recipe(f"{number:016x}", "Bean Mash", ["Dips"], "4", ingredients, ["Mash."], "a.mmf", number * 700, "ascii")


def a_data_set() -> dict[str, list[Any]]:
    """Path below the run's folder -> rows: 5 + 3 + 1 examples, 2 rejected rows, 11 records, 3 phrases."""
    return {
        "records/part-0.parquet": [a_recipe(n) for n in range(7)],
        "records/part-1.parquet": [a_recipe(n) for n in range(7, 11)],
        "examples/split=train/part-0.parquet": [an_example(n) for n in range(5)],
        "examples/split=dev/part-0.parquet": [an_example(n) for n in range(5, 8)],
        "examples/split=test/part-0.parquet": [an_example(8)],
        "rejected/part-0.parquet": [
            Rejected("clean", "no_ingredients", "", f"{n:016x}", "a.mmf", n * 700, b"MMMMM" * 3) for n in (9, 10)
        ],
        "phrases.parquet": [Phrase(1, "olive", word, 7, 9, 8, 100, 5.5) for word in ("oil", "spread", "bread")],
    }


def fingerprint_of(data: dict[str, list[Any]]) -> str:
    """As a run makes it: the sum over the examples, and the phrases."""
    total = 0
    for path, rows in data.items():
        split = re.search("split=([a-z]+)", path)
        if path.startswith("examples/") and split:
            total += sum(record_hash(split[1], [row]) for row in rows)
    return f"{total % (1 << 128):032x}-{phrase_hash(data['phrases.parquet'])}"


def publish(folder: Path, data: dict[str, list[Any]], **changes: Any) -> None:
    """Write the rows as Parquet and a manifest that counts them; ``changes`` go into the manifest."""
    files: dict[str, list[dict[str, Any]]] = {}
    for path, rows in data.items():
        border = path.split("/")[0].removesuffix(".parquet")
        target = folder / "runs" / "r1" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(to_table(rows, SCHEMAS[border]), target)
        files.setdefault(border, []).append({"path": path, "rows": len(rows)})
    manifest = dataclasses.replace(
        EMPTY,
        run="r1",
        inputs=[{"file": "a.mmf", "more": 0, "read": 11}],
        files=files,
        read=11,
        kept=9,
        rejected={"clean": {"no_ingredients": 2}},
        splits={"train": 5, "dev": 3, "test": 1},
        fingerprint=fingerprint_of(data),
    )
    (folder / "manifest.json").write_text(dataclasses.replace(manifest, **changes).to_json())


def outcomes_of(folder: Path) -> list[Outcome]:
    """The outcomes with Great Expectations' suites, which are those without them."""
    outcomes = run(str(folder), Suites())
    assert run(str(folder)) == outcomes
    return outcomes


def broken(folder: Path) -> list[Outcome]:
    return [outcome for outcome in outcomes_of(folder) if not outcome.passed]
