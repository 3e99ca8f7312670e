"""Large plain files are read in shards: whatever the cut, the same records come of them, with the same places."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from dumps import cookbook, dump

from pipelines.ingest.request import Request
from pipelines.ingest.run import run
from pipelines.sources.allrecipes.source import AllRecipes
from pipelines.sources.mealmaster.source import MealMaster

# Records within records, one whose dashes end what another began, headers without a title, and lines between them.
ODD = b"""Notes of a cook
MMMMM----- Recipe via Meal-Master (tm) v8.05

      Title: Salt soup
   Servings: 1

      1 c  Salt
      2 c  Water

  Boil the salt and the water.
---------- Recipe via Meal-Master (tm) v8.02
-----
      Title: Water soup
   Servings: 1

      1 c  Water

  Boil the water for long.
MMMMM
MMMMM----- Recipe via Meal-Master (tm) v8.05
MMMMM----- Recipe via Meal-Master (tm) v8.05

      Title: \xe9clair soup\r
   Servings: 1

      1 ts Butter

  Melt the butter.
-----
MMMMM
"""
RECIPES = [
    {
        "title": f"Soup {number}",
        "ingredients": [f"{number} cups water", "1 onion, chopped", "salt é"],
        "directions": ["Chop the onion and boil it in the water for an hour with the salt. Serve."],
    }
    for number in range(12)
]
LINES = [json.dumps(one, ensure_ascii=number % 2 == 0) for number, one in enumerate(RECIPES)]
# Broken in the middle, in a list without its end, no object, and one that is laid out over lines.
LINES[10:10] = ['{"title": "Broken", "ingredients": ["salt",', '{"title": ', "7", json.dumps(RECIPES[0], indent=1), ""]


def results(source: Any, path: Path, size: int) -> tuple[int, list[Any]]:
    """How many shards there are, and all that is read of them."""
    settings = source.settings(shard_bytes=size)
    shards = source.plan([str(path)], settings)
    assert [shard.first for shard in shards[1:]] == [shard.last for shard in shards[:-1]]
    return len(shards), [result for shard in shards for result in source.read(shard, settings)]


@pytest.mark.parametrize(
    ("source", "content"),
    [
        (MealMaster(), b"No recipe yet.\n" + ODD + dump(cookbook(range(12))) + ODD * 2),
        (AllRecipes(), "\n".join(LINES).encode() + b'\n{"title": "\xff"}\n' + LINES[-1].encode()),
    ],
    ids=["mealmaster", "allrecipes"],
)
def test_ten_cuts_of_a_file_give_the_same_records(source: Any, content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(content)
    one, whole = results(source, path, len(content))
    assert one == 1 and len(whole) > 12
    counts = set()
    for size in (1, 2, 50, 300, 333, 700, 1024, 2000, len(content) // 2, len(content) - 1):
        count, found = results(source, path, size)
        assert found == whole, size
        counts.add(count)
    assert len(counts) > 4 and max(counts) > 10
    path.write_bytes(gzip.compress(content))
    assert results(source, path, 1)[0] == 1, "a packed file stays whole"


def test_an_array_stays_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    for text in (
        json.dumps(RECIPES),
        json.dumps(RECIPES, indent=1),
        "[\n" + ",\n".join(map(json.dumps, RECIPES)) + "\n]",
    ):
        path.write_text(text)
        count, found = results(AllRecipes(), path, 1)
        assert count == 1 and len(found) == len(RECIPES)


def test_a_data_set_has_one_fingerprint_whatever_the_cut(tmp_path: Path) -> None:
    content = dump(cookbook(range(20))) + ODD + dump(cookbook(range(5)))
    (tmp_path / "a.mmf").write_bytes(content)
    found = {}
    for size in (len(content), 1500):
        settings = MealMaster.settings(shard_bytes=size, phrase_min_count=1, phrase_threshold=0)
        found[size] = run(Request("mealmaster", [str(tmp_path / "a.mmf")], str(tmp_path / str(size)), settings))
    whole, cut = found.values()
    assert len(whole.shards) == 1 and len(cut.shards) > 5
    assert (cut.fingerprint, cut.read, cut.rejected, cut.splits) == (
        whole.fingerprint,
        whole.read,
        whole.rejected,
        whole.splits,
    )
    assert whole.kept and [one["read"] for one in cut.inputs] == [whole.read]
