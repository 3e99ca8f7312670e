"""A guess takes no chance match for evidence, and says where its goal has gaps."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from pipelines.sources.records.findings.guess import guess, write_guess
from pipelines.sources.records.findings.mentions import Mentions, Texts, keywords_of

COLOURS = ("red", "blue", "green", "white")


def write(folder: Path, header: str, rows: list[str]) -> list[str]:
    (folder / "t.csv").write_text("\n".join([header, *rows]) + "\n")
    return [str(folder / "t.csv")]


def kinds_of(paths: list[str]) -> dict[str, str]:
    return {name: kind["kind"] if isinstance(kind, dict) else kind for name, kind in guess(paths)["columns"].items()}


def test_a_column_counts_if_mostly_its_own_texts_say_it() -> None:
    texts = Texts([f"The lamp {COLOURS[n % 4]} is 1 of many." for n in range(40)])

    def mentions(word: str) -> Mentions:
        return lambda row: word in texts.written[row]

    assert texts.are_mentioned([(n, mentions(COLOURS[n % 4])) for n in range(40)])
    assert not texts.are_mentioned([(n, mentions("1")) for n in range(40)])
    assert not texts.are_mentioned([(n, mentions(COLOURS[(n * 7 + n // 4) % 4])) for n in range(40)])


def test_columns_of_one_value_and_chance_matches_are_ignored(tmp_path: Path) -> None:
    chance = random.Random(3)
    rows = [
        f"c{number},{('lamp', 'desk')[number % 2]},true,demo,1,{chance.choice('12345')},{COLOURS[number % 4]},"
        f"The {COLOURS[number % 4]} one of oak is {number % 5 + 1} of 5 for true homes of demo with gold"
        for number in range(60)
    ]
    paths = write(tmp_path, "sku,sort,Published,Vendor,Taxable,stock,colour,text", rows)
    assert kinds_of(paths) == {
        "Published": "ignored", "Vendor": "ignored", "Taxable": "ignored", "stock": "ignored", "colour": "value",
    }  # fmt: skip
    written = write_guess(paths)
    assert "texts need not say them), since all rows have the same cell: 'Published', 'Vendor', 'Taxable'.\n" in written
    assert "since texts have their cells, as these are written, no more often than by chance: 'stock'.\n" in written


@pytest.mark.parametrize(("cell", "is_named"), [("0{}/03/2024", True), ("0{}", False)])
def test_dates_that_texts_spell_in_another_way_are_named(cell: str, is_named: bool, tmp_path: Path) -> None:
    rows = [
        f"c{n},lamp{n % 2},{COLOURS[n % 4]},{cell.format(n % 9 + 1)},{COLOURS[n % 4]} lamp came on {n % 9 + 1} March"
        for n in range(40)
    ]
    written = write_guess(write(tmp_path, "sku,sort,colour,came,text", rows))
    assert "  came: ignored" in written
    assert ("# `allsaid prove` finds dates in any spelling: as 'value', it checks 'came'.\n" in written) is is_named


def test_a_constant_column_is_never_the_goal(tmp_path: Path) -> None:
    rows = [f"c{n},simple,{COLOURS[n % 4]},The {COLOURS[n % 4]} lamp of oak stands on a desk" for n in range(40)]
    assert guess(write(tmp_path, "sku,Type,colour,text", rows))["goal"] == "colour"


@pytest.mark.parametrize(
    ("yes", "no"), [("1", "0"), ("Y", "N"), ("TRUE", "FALSE"), ("x", ""), ("on", "off"), ("Enabled", "Disabled")]
)
def test_flags_are_yes_and_no_where_the_texts_express_them(yes: str, no: str, tmp_path: Path) -> None:
    rows = [
        f"c{number},lamp{number % 2},{(yes, no, no)[number % 3]},{number % 2},"
        f"The lamp {number} of oak is {('', 'not ', 'not ')[number % 3]}dimmable by hand"
        for number in range(60)
    ]
    columns = guess(write(tmp_path, "sku,sort,dimmable,featured,text", rows))["columns"]
    assert columns["dimmable"] in ("yes/no", {"kind": "yes/no", "also": ["dimmable"]})
    assert columns["featured"] == "ignored"


def test_a_compound_with_a_hyphen_expresses_a_flag(tmp_path: Path) -> None:
    rows = [
        f"c{n},{('pan', 'pot')[n % 2]},{int(n % 3 > 0)},The big {('pan', 'pot')[n % 2]} {n} is "
        f"{'' if n % 3 else 'not '}dishwasher-safe for years"
        for n in range(60)
    ]
    columns = guess(write(tmp_path, "sku,sort,dishwasher safe,text", rows))["columns"]
    assert columns["dishwasher safe"] == {"kind": "yes/no", "also": ["dishwasher-safe"]}


def test_a_column_with_few_cells_counts_no_more_than_others(tmp_path: Path) -> None:
    rows = [
        f"c{n},{('pan', 'pot')[n % 2]},{COLOURS[n % 4]},{'shopify' if n < 5 else ''},The {COLOURS[n % 4]} "
        f"{('pan', 'pot')[n % 2]} of steel is number {n}"
        for n in range(40)
    ]
    assert kinds_of(write(tmp_path, "sku,sort,colour,tracker,text", rows)) == {"colour": "value", "tracker": "ignored"}


def test_names_in_another_unicode_form_are_no_numbers(tmp_path: Path) -> None:
    rows = [
        f"c{n},{('pan', 'pot')[n % 2]},Cafe\u0301 {n}0,The big {('pan', 'pot')[n % 2]} Caf\u00e9 {n}0 is made of steel"
        for n in range(40)
    ]
    assert kinds_of(write(tmp_path, "sku,sort,name,text", rows)) == {"name": "value"}


def test_ones_and_zeros_that_are_numbers_stay_numbers(tmp_path: Path) -> None:
    sorts, drawers = ("desk", "shelf"), (0, 1, 1)
    rows = [
        f"c{n},{sorts[n % 2]},{drawers[n % 3]},The {sorts[n % 2]} of oak has {drawers[n % 3]} drawers"
        for n in range(60)
    ]
    assert guess(write(tmp_path, "sku,sort,drawers,text", rows))["columns"]["drawers"] == "number"


def test_a_keyword_counts_if_mostly_its_own_texts_have_it() -> None:
    texts = Texts([f"The bag {number} comes with gold" for number in range(30)])
    assert keywords_of(texts, "Published", [(number, "true") for number in range(30)]) is None
    texts = Texts([f"The bag {number} {'comes with a sleeve' if number % 2 else 'is here'}" for number in range(30)])
    assert keywords_of(texts, "laptop", [(number, "yes" if number % 2 else "no") for number in range(30)]) == [
        "comes", "sleeve",
    ]  # fmt: skip


def test_a_goal_with_gaps_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sorts = ("pub", "inn", "", "inn")
    rows = [f"c{n},{sorts[n % 4]},{COLOURS[n % 4]},The {COLOURS[n % 4]} house is near the river" for n in range(40)]
    paths = write(tmp_path, "sku,eatType,colour,text", rows)
    assert guess(paths)["goal"] == "eatType"
    assert (
        "The goal's column 'eatType' is empty in 10 of 40 rows with a text; the ingest rejects these. Fill the column, "
        "or name another as `goal`."
    ) in " ".join(capsys.readouterr().err.split())


def test_short_texts_are_texts(tmp_path: Path) -> None:
    rows = [
        f"c{n},{('Indoor', 'Outdoor')[n % 2]},Pot {n},Classic {COLOURS[n % 4]} pot {n} for plants,https://a.org/{n}.jpg"
        for n in range(20)
    ]
    found = guess(write(tmp_path, "sku,Type,Title,Body,Image Src", rows))
    assert (found["id"], found["goal"], found["text"]) == ("sku", "Type", "Body")
    assert found["columns"]["Image Src"] == "ignored"


def test_lists_as_code_are_guessed_as_lists_and_texts(tmp_path: Path) -> None:
    rows = [
        f"""{("soup", "stew")[n % 2]};["white beans", "{COLOURS[n % 4]} onion"];"""
        f"""["Cook the {COLOURS[n % 4]} onion in a large pot for long.", "Add the white beans and serve it hot."]"""
        for n in range(24)
    ]
    found = guess(write(tmp_path, "sort;NER;directions", rows))
    assert (found["goal"], found["text"], found["columns"]) == ("sort", "directions", {"NER": "list"})
