"""Recipes as JSON: every layout gives the same rows, and every pointer its word."""

from __future__ import annotations

import bz2
import gzip
import io
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zstandard
from small_allrecipes import CAKE, RECIPES, SOUP, STEW, as_array, as_laid_out, as_lines, kept, results

from allsaid.storage import json_stream as allrecipes_json
from allsaid.storage.json_stream import Values
from allsaid.storage.streams import open_dump
from pipelines.recipes.copying import point
from pipelines.source import KeptRecord, Shard
from pipelines.sources.allrecipes import source as allrecipes
from pipelines.sources.allrecipes.record import group, parse
from pipelines.sources.allrecipes.source import FILES_ALONE, AllRecipes, Settings
from schemas.checks.table import from_table, to_table
from schemas.copy import COPY, CopyExample
from schemas.errors import UserError
from schemas.recipe import RECIPE, Recipe


def without_place(row: Any) -> dict[str, Any]:
    return {name: value for name, value in vars(row).items() if name not in ("file", "offset")}


# --- the rows ---


def test_tokens_point_into_the_ingredients(tmp_path: Path) -> None:
    (result,) = results(tmp_path, as_lines((SOUP,)))
    assert isinstance(result, KeptRecord)
    row = result.rows["copies"][0]
    assert (row.title, row.url, row.groups) == ("Leek Soup", "http://example.org/leek", [""] * 4)
    assert row.ingredients == SOUP["ingredients"]
    assert row.ingredient_tokens[0] == ["3", "leeks", ",", "sliced"]
    assert row.text == "\n".join(SOUP["directions"])
    copies = [
        (token, item, position)
        for token, item, position in zip(row.tokens, row.copy_items, row.copy_tokens, strict=True)
        if item >= 0
    ]
    assert copies == [
        ("2", 1, 0),
        ("tablespoons", 1, 1),
        ("butter", 1, 2),
        ("leeks", 0, 1),
        ("stock", 2, 3),
        ("salt", 3, 0),
    ]
    assert row.tokens.count("<br>") == 1
    assert result.figures == {
        "tokens": 20,
        "copied_tokens": 6,
        "ingredients": 4,
        "group_headers": 0,
        "steps": 2,
        "one_step": 0,
    }
    assert result.words["text"] == row.tokens
    assert Counter(result.words["ingredients"])["salt"] == 1


def test_headers_fractions_entities_and_the_other_spelling(tmp_path: Path) -> None:
    found = results(tmp_path, as_lines((STEW, CAKE)))
    stew, cake = kept(found)
    assert stew.ingredients == ["2½ pounds lamb & bacon", "1 \u2009½ cups  Maille® mustard", "1 cup flour"]
    assert stew.groups == ["Irish Stew:", "Irish Stew:", "Dumplings:"]
    assert stew.ingredient_tokens[1] == ["1", "1/2", "cups", "maille", "mustard"]
    assert stew.text == "Brown the lamb in a pot.\nStir in the mustard.\nDrop flour dumplings into it."
    assert cake.title == 'Crème Cake – "Easy"'
    assert cake.ingredients[1] == "2 cups white sugar"
    assert cake.text == "Beat the sugar with the crème fraîche for an hour & fold in 2 eggs; bake it."
    assert isinstance(found[0], KeptRecord)
    record: Recipe = found[0].rows["records"][0]
    first, second, third = record.ingredients
    assert (first.amount, first.unit, first.name, first.section) == ("2 1/2", "pounds", "lamb & bacon", "Irish Stew")
    assert (second.amount, second.name, third.section) == ("1 1/2", "Maille® mustard", "Dumplings")
    assert record.id == stew.id and record.encoding == "utf-8" and record.categories == []
    assert found[0].figures["group_headers"] == 2


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["salt", "Sauce:", "milk"], (["salt", "milk"], ["", "Sauce:"], 1)),
        (["Cake:", "Base:", "flour", "eggs"], (["flour", "eggs"], ["Cake: Base:"] * 2, 2)),
        (["Jam:", "plums", "6 jars with lids:"], (["plums", "6 jars with lids:"], ["Jam:"] * 2, 2)),
        (["Nothing:"], ([], [], 1)),
    ],
)
def test_group_headers(lines: list[str], expected: tuple[list[str], list[str], int]) -> None:
    assert group(lines) == expected


def test_html_and_broken_characters_are_read() -> None:
    odd = {"title": "A\u0000 \ud83d \ud83c\udf6f \x96 <i>b</i>", "ingredients": "salt\r\n\noil<br/>&notanentity;"}
    parsed = parse({**odd, "directions": "Mix <5 of it"}, "f", 0)
    assert parsed.recipe.title == "A \ufffd 🍯 – b"
    assert parsed.lines == ["salt", "oil", "&notanentity;"]
    assert parsed.recipe.steps == ["Mix <5 of it"]


def test_doubled_records_are_kept_in_one_split(tmp_path: Path) -> None:
    again = {**SOUP, "title": "Soup of Leeks", "url": None}
    found = [
        result for result in results(tmp_path, as_lines((SOUP, STEW, SOUP, again))) if isinstance(result, KeptRecord)
    ]
    first, _, second, third = found
    assert first.rows["copies"][0].id == second.rows["copies"][0].id != third.rows["copies"][0].id
    assert first.split == second.split == third.split


def test_the_shares_decide_the_split(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(as_lines())
    shard = Shard((str(tmp_path / "a.jsonl"),))
    half = [result.split for result in AllRecipes().read(shard, Settings(0.5, 0.5)) if isinstance(result, KeptRecord)]
    none = [result.split for result in AllRecipes().read(shard, Settings(0, 0)) if isinstance(result, KeptRecord)]
    assert set(half) <= {"dev", "test"} and none == ["train"] * 3


def test_rows_go_through_arrow_unchanged(tmp_path: Path) -> None:
    found = [result for result in results(tmp_path, as_lines()) if isinstance(result, KeptRecord)]
    copies = kept(found)
    assert from_table(to_table(copies, COPY), CopyExample) == copies
    assert all(tuple(result.rows) == AllRecipes.borders for result in found)
    records = [result.rows["records"][0] for result in found]
    assert to_table(records, RECIPE).column("offset").to_pylist() == [row.offset for row in records]


# --- pointers ---


def copied(ingredients: list[str], text: str) -> dict[str, tuple[int, int]]:
    """What each copied token of the text points to; the token's place in the text is part of its name."""
    tokens = text.split()
    items, positions = point([line.split() for line in ingredients], tokens)
    pointers = zip(tokens, items, positions, strict=True)
    return {f"{place} {token}": (i, p) for place, (token, i, p) in enumerate(pointers) if (i, p) != (-1, -1)}


@pytest.mark.parametrize(
    ("ingredients", "text", "expected"),
    [
        # An amount or a unit alone copies nothing, a function word neither.
        (["1 cup milk", "salt and pepper to taste"], "1 hour to a cup , taste", {}),
        # Within a run they are copied, at its end they are not.
        (
            ["salt and pepper to taste", "1 cup milk"],
            "salt and pepper to taste 1 cup",
            {"0 salt": (0, 0), "1 and": (0, 1), "2 pepper": (0, 2)},
        ),
        (["salt and pepper"], "salt and flour", {"0 salt": (0, 0)}),
        # The longest run wins over the earlier ingredient.
        (
            ["1 cup cream", "1 cup sour cream"],
            "sour cream , cream",
            {"0 sour": (1, 2), "1 cream": (1, 3), "3 cream": (0, 2)},
        ),
        # Then the ingredient with the fewest naming words.
        (["1 cup butter flavored shortening", "2 cups butter"], "melt butter", {"1 butter": (1, 2)}),
        # Of equals the first not yet copied, then the last copied.
        (
            ["1 cup sugar", "2 cups sugar"],
            "sugar . sugar . sugar",
            {"0 sugar": (0, 2), "2 sugar": (1, 2), "4 sugar": (1, 2)},
        ),
        # Only the word as it is written can be copied.
        (["1 egg"], "beat eggs , egg whites", {"3 egg": (0, 1)}),
        ([], "beat eggs", {}),
    ],
)
def test_pointers(ingredients: list[str], text: str, expected: dict[str, tuple[int, int]]) -> None:
    assert copied(ingredients, text) == expected


# --- layouts ---

PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "zst": zstandard.ZstdCompressor().compress,
}


@pytest.mark.parametrize("pack", PACKERS)
@pytest.mark.parametrize("lay", [as_lines, as_array, as_laid_out])
def test_every_layout_gives_the_same_rows_at_their_places(tmp_path: Path, lay: Any, pack: str) -> None:
    data = lay()
    rows = kept(results(tmp_path, PACKERS[pack](data), f"a.{pack}"))
    expected = kept(results(tmp_path, as_lines(), "b.jsonl"))
    assert [without_place(row) for row in rows] == [without_place(row) for row in expected]
    decoder = json.JSONDecoder()
    for row, record in zip(rows, RECIPES, strict=True):
        assert decoder.raw_decode(data[row.offset :].decode())[0] == json.loads(json.dumps(record))


def test_a_folder_of_files_is_one_record_a_file(tmp_path: Path) -> None:
    for position, record in enumerate(RECIPES):
        (tmp_path / f"{position}.json").write_text(json.dumps(record, indent=1), encoding="utf-8")
    files = tuple(sorted(str(path) for path in tmp_path.iterdir()))
    rows = kept(list(AllRecipes().read(Shard(files), Settings())))
    assert [(row.file, row.offset) for row in rows] == [(file, 0) for file in files]
    expected = kept(results(tmp_path, as_lines(), "all.jsonl"))
    assert [without_place(row) for row in rows] == [without_place(row) for row in expected]


@pytest.mark.parametrize("chunk", [1, 2, 3, 5, 7, 61])
@pytest.mark.parametrize("lay", [as_lines, as_array, as_laid_out])
def test_where_the_reading_stops_for_more_does_not_matter(monkeypatch: Any, lay: Any, chunk: int) -> None:
    data = lay((*RECIPES, 1234567, "text", None, True, STEW))
    whole = list(Values(io.BytesIO(data)))
    monkeypatch.setattr(allrecipes_json, "CHUNK", chunk)
    assert list(Values(io.BytesIO(data))) == whole
    assert [element.value for element in whole[3:7]] == [1234567, "text", None, True]


def test_shards_are_files_or_stable_groups(tmp_path: Path) -> None:
    paths = [str(tmp_path / f"{number:04}.json") for number in range(400)]
    for path in paths:
        Path(path).write_bytes(as_lines((SOUP,)))
    assert AllRecipes().plan(paths[:FILES_ALONE], Settings()) == [Shard((path,)) for path in paths[:FILES_ALONE]]
    before, after = AllRecipes().plan(paths[1:], Settings()), AllRecipes().plan(paths, Settings())
    assert sorted(file for shard in after for file in shard.files) == paths
    assert len(after) < 257
    assert len({shard.files for shard in after} - {shard.files for shard in before}) == 1


def test_what_holds_no_object_is_no_such_dump(tmp_path: Path) -> None:
    path = tmp_path / "old.mmf"
    path.write_bytes(b"-----[Meal-Master Export Format]-----\r\n      Title: Soup\r\n")
    with pytest.raises(UserError, match=r"old\.mmf has no recipes as JSON.*Give JSON lines"):
        AllRecipes().plan([str(path)], Settings())
    path.write_bytes(b"not json\n" + as_lines((SOUP,)))
    assert len(AllRecipes().plan([str(path)], Settings())) == 1


# --- the real dump ---


@pytest.mark.slow
def test_counts_of_the_real_dump(data_root: Path) -> None:
    recipes = headers = one_step = 0
    for path in sorted((data_root / "allrecipes").glob("*.jsonl.gz")):
        dump, stream = open_dump(str(path))
        with stream:
            for element in Values(stream):
                parsed = parse(element.value, str(path), element.offset)
                recipes += 1
                headers += parsed.headers
                one_step += len(parsed.recipe.steps) == 1
        assert dump.loss == ""
    assert (recipes, headers, one_step) == (52_164, 3_606, 7_716)


def test_figures_of_a_part_of_the_real_dump(data_root: Path) -> None:
    """Every thirtieth record of a quarter: near the paper's 118 tokens, 9 ingredients and 0.1% filtered."""
    totals: Counter[str] = Counter()
    _, stream = open_dump(str(data_root / "allrecipes" / "allrecipes-2.jsonl.gz"))
    with stream:
        for number, element in enumerate(Values(stream)):
            if number % 30:
                continue
            result = allrecipes._result(element, "allrecipes-2", Settings(), is_deferred=False)
            if isinstance(result, KeptRecord):
                totals.update(result.figures)
            totals[type(result).__name__] += 1
    assert totals["tokens"] / totals["KeptRecord"] == pytest.approx(122, abs=4)
    assert totals["ingredients"] / totals["KeptRecord"] == pytest.approx(9.07, abs=0.3)
    assert totals["copied_tokens"] / totals["tokens"] == pytest.approx(0.14, abs=0.01)
    assert totals["Rejected"] <= 0.005 * totals["KeptRecord"]
