"""Small logical forms, relations and lines with their texts, written by the project, and a run of their sources."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pipelines import sources
from pipelines.source import KeptRecord, Result
from schemas.pair import Pair

FLOORS = (
    'SELECT MAX TABLEalias0.FLOORS_FIELD FROM TABLE AS TABLEalias0 WHERE TABLEalias0.STYLE_FIELD = "var1" '
    "AND TABLEalias0.FIRST_OWNER_FIELD < var0 ;"
)
KEEPER = 'SELECT KEEPER\'S_NAME_FIELD FROM table WHERE LIGHT_(SEA)_FIELD = "var0" ;'
ALL = "SELECT COUNT TABLEalias0.MILL_FIELD FROM TABLE AS TABLEalias0 ;"
QUESTIONS = (
    ("what country is the long pier in [m.03aa9j]", "location.location.containedby"),
    ("who played finch in harbour lights [m.0_x1]", "film.actor.film|film.performance.character_s"),
)


def question(text: str, split: str = "train", **values: str) -> dict[str, Any]:
    return {"original": text, "text": text, "question-split": split, "table-id": "1-1", "variables": values}


def entry(query: str, *questions: Any, **examples: str) -> dict[str, Any]:
    """An entry of text2sql-data; ``examples`` are the values of its first question, those that it lacks among them."""
    variables = [{"name": name, "example": value, "location": "both"} for name, value in examples.items()]
    return {
        "query-split": "N/A",
        "sentences": [*questions],
        "sql": [query],
        "sql-original": [""],
        "variables": variables,
    }


ENTRIES = (
    entry(
        FLOORS,
        question("How many floors has a Gothic  mill owned before 1850?", var0="1850", var1="GOTHIC"),
        question("Top floor of the art déco mills before 7?", "dev", var0="7", var1="Art Déco"),
        var0="1850",
        var1="GOTHIC",
    ),
    entry(KEEPER, question("Who keeps O'Neal's light?", "test", var0="O'Neal's"), var0="O'Neal's"),
    entry(ALL, question("How many mills are there?")),
)


def as_array(entries: Sequence[Any] = ENTRIES) -> bytes:
    return json.dumps(entries, indent=4).encode()


def as_lines(questions: Sequence[tuple[str, str]] = QUESTIONS) -> bytes:
    return "".join(f"{question}\t{relations}\n" for question, relations in questions).encode()


def results(source: str, folder: Path, contents: Mapping[str, bytes], /, **settings: Any) -> list[Result]:
    """What is read of files with these contents."""
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    module = sources.find(source)
    chosen, paths = module.settings(**settings), sorted(str(folder / name) for name in contents)
    return [result for shard in module.plan(paths, chosen) for result in module.read(shard, chosen)]


def kept(found: Sequence[Result]) -> list[tuple[str, Pair]]:
    """The rows with their splits."""
    return [(result.split, result.rows["pairs"][0]) for result in found if isinstance(result, KeptRecord)]
