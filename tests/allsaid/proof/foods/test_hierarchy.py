"""The list of foods: its form, what it backs, what is no mention, and what is known of a small training part."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from cases import cases
from small_data import make_example

from allsaid.proof.coverage import Lexicon, measure
from allsaid.proof.foods.hierarchy import LIST, load_foods, parse_foods
from allsaid.proof.foods.names import stems_of
from allsaid.proof.known_foods import build_food_lexicon
from schemas.example import Example

LINES = LIST.read_text(encoding="utf-8").splitlines()
# Words that directions use otherwise most of the time.
AMBIGUOUS = (
    "water stew roast juice zest peel rind roll season rub dish stock_pot mixture date dough batter filling frosting"
)


def words(text: str) -> list[str]:
    return text.split()


def recipe(text: str, *agenda: str) -> Example:
    return replace(make_example(1), tokens=text.split(), agenda_tokens=[item.split() for item in agenda])


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    """Of ten recipes, in which nothing is frequent."""
    return build_food_lexicon([recipe("simmer the squash .", "squash", "onion")] * 10)


def names_of(line: str) -> list[str]:
    return [name.strip() for name in line.rstrip("~^ ").split("=")]


def is_name(line: str) -> bool:
    return bool(line) and not line.startswith(("#", "@", "!")) and "<" not in line


def test_sections_are_sorted_and_no_name_is_there_twice() -> None:
    sections: list[list[str]] = [[]]
    for line in LINES:
        if is_name(line):
            sections[-1].append(names_of(line)[0])
        else:
            sections.append([])
    assert all(section == sorted(section) for section in sections)
    stems = [stems_of(name.split()) for line in LINES if is_name(line) for name in names_of(line)]
    assert len(stems) == len(set(stems)) > 2000


def test_names_are_plain_lower_case_words() -> None:
    names = [name for line in LINES if is_name(line) for name in names_of(line)]
    assert [name for name in names if not re.fullmatch(r"[a-z0-9&'./-]+( [a-z0-9&'./-]+)*", name)] == []


def test_words_of_other_uses_are_not_listed() -> None:
    assert [word for word in AMBIGUOUS.split() if stems_of([word]) in load_foods().names] == []


def test_the_general_words_of_a_section_are_names_themselves() -> None:
    foods = load_foods()
    words = [word.strip() for line in LINES if line.startswith("@") for word in line[1:].split(",") if word.strip()]
    words += [word.strip() for line in LINES if "<" in line for word in re.split("[<,]", line)]
    assert [word for word in words if stems_of(word.split()) not in foods.names] == []


def test_unseen_foods_count_as_extra(lexicon: Lexicon) -> None:
    text = words("simmer the squash and the beef .")
    assert measure(text, [["squash"], ["onion"]], lexicon).extra == ["beef"]
    assert measure(text, [["squash"], ["onion"]], lexicon.of_training).extra == []


@cases
def test_what_means_an_item_is_not_extra(text: str, item: str, lexicon: Lexicon) -> None:
    assert measure(text.split(), [item.split()], lexicon).extra == []
    assert measure(text.split(), [["sugar"]], lexicon).extra != []


@cases
def test_words_of_other_uses_are_no_extra(text: str, lexicon: Lexicon) -> None:
    assert measure(text.split(), [["eggs"]], lexicon).extra == []


def test_a_specific_food_is_extra_beside_a_general_item(lexicon: Lexicon) -> None:
    assert measure(words("add the cheddar and the chicken broth ."), [["cheese"], ["chicken"]], lexicon).extra == [
        "cheddar",
        "chicken broth",
    ]


def test_names_of_one_food_are_one_extra_item(lexicon: Lexicon) -> None:
    found = measure(words("add the prawns , then all shrimp ."), [["salt"]], lexicon)
    assert (found.extra, found.extra_mentions) == (["prawn"], [[2, 6]])


def test_two_recipes_make_an_item_known() -> None:
    rows = [recipe("add the zorbo .", "zorbo", "warm filling")] * 2
    assert build_food_lexicon(rows).names["zorbo"] == 2
    assert "warm filling" not in build_food_lexicon(rows).names  # what a recipe makes
    assert "zorbo" not in build_food_lexicon(rows[:1]).names


def test_a_listed_name_is_dropped_only_on_evidence() -> None:
    rows = [recipe("press the beef key .", "salt")] * 19
    assert "beef" in build_food_lexicon(rows).names
    assert "beef" not in build_food_lexicon([*rows, rows[0]]).names
    assert "beef" in build_food_lexicon([*rows, *[recipe("add the beef .", "beef")] * 3]).names


def test_a_list_is_parsed_as_its_docstring_says() -> None:
    foods = parse_foods(
        ["@ meat", "beef  # a comment", "ox = bull", "bread ^", "@", "oil ~", "fat < oil, meat", "! dough"]
    )
    assert foods.names == {("beef",): "beef", ("ox",): "ox", ("bull",): "bull", ("bread",): "bread", ("oil",): "oil"}
    assert foods.kinds["bull",] == {"ox", "meat", "fat"}
    assert (foods.kinds["oil",], foods.verbs, foods.made) == ({"oil", "fat"}, {("oil",)}, {("bread",)})
    assert foods.no_foods == {"dough"}
