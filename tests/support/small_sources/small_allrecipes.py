"""Small allrecipes records for the tests, written by the project, in every layout, and a run of the source."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pipelines.source import KeptRecord, Result, Shard
from pipelines.sources.allrecipes.source import AllRecipes, Settings
from schemas.copy import CopyExample
from schemas.runs.rejected import Rejected

SOUP: dict[str, Any] = {
    "title": "Leek  Soup",
    "url": "http://example.org/leek",
    "tags": ["soups"],
    "ingredients": ["3 leeks, sliced", "2 tablespoons butter", "4 cups vegetable stock", "salt to taste"],
    "directions": ["Melt 2 tablespoons butter and cook the leeks in it.", "Pour in the stock and add salt."],
}
STEW: dict[str, Any] = {
    "title": "Irish Stew with Dumplings",
    "ingredients": [
        "Irish Stew:",
        "2½ pounds lamb & bacon",
        "",
        "1 \u2009½ cups  Maille® mustard",
        "Dumplings:",
        "1 cup flour",
    ],
    "instructions": "Brown the lamb in a pot.\n\nStir in the mustard.<br>Drop flour dumplings into it.\n   Watch Now",
    "source": "example.org",
}
CAKE: dict[str, Any] = {
    "title": "Crème Cake &#8211; &quot;Easy&quot;",
    "ingredients": ["1 cup crème fraîche", "2 cups <b>white</b> sugar", "2 eggs"],
    "directions": ["Beat the sugar with the crème fraîche for an hour &amp; fold in 2 eggs; bake it."],
    "tags": None,
}
RECIPES = (SOUP, STEW, CAKE)


def as_lines(records: tuple[Any, ...] = RECIPES) -> bytes:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records).encode()


def as_array(records: tuple[Any, ...] = RECIPES) -> bytes:
    return json.dumps(records).encode()


def as_laid_out(records: tuple[Any, ...] = RECIPES) -> bytes:
    return b"\xef\xbb\xbf" + json.dumps(records, indent=2, ensure_ascii=False).replace("\n", "\r\n").encode()


def results(folder: Path, data: bytes, name: str = "a.json") -> list[Result]:
    (folder / name).write_bytes(data)
    return list(AllRecipes().read(Shard((str(folder / name),)), Settings()))


def kept(found: list[Result]) -> list[CopyExample]:
    return [result.rows["copies"][0] for result in found if isinstance(result, KeptRecord)]


def reasons(found: list[Result]) -> list[str]:
    return [result.reason if isinstance(result, Rejected) else type(result).__name__ for result in found]
