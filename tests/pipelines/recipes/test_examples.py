"""Record -> example: what is kept, why a record is not usable, and what merging changes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pipelines.linking.phrases import Pass
from pipelines.recipes.examples import finish, goal_words, item_tokens, prepare
from pipelines.source import RecordFault
from schemas.example import LINE_BREAK, MAX_ITEMS, MAX_TOKENS, MIN_TOKENS, NEW, NO_ITEM, NONE
from schemas.recipe import Ingredient, Recipe

TABLE: list[Pass] = [frozenset({("olive", "oil")})]
STEPS = ["Heat the Olive  oil at 350F.", "Add rice, stir, and serve it hot."]


def ingredient(name: str, amount: str = "", unit: str = "") -> Ingredient:
    return Ingredient(amount, unit, name, "")


def recipe(**changes: object) -> Recipe:
    plain = Recipe(
        id="0123456789abcdef",
        title="Rice & Oil with Mother's Herbs",
        categories=["Rice"],
        recipe_yield="4",
        ingredients=[ingredient("Olive oil", "2", "tb"), ingredient("-----"), ingredient("Rice, cooked", "1", "c")],
        steps=STEPS,
        file="a.mmf",
        offset=7,
        encoding="ascii",
    )
    return replace(plain, **changes)  # type: ignore[arg-type]


def test_prepared_and_finished() -> None:
    prepared = prepare(recipe())
    assert prepared.text == "Heat the Olive oil at 350 degrees F.\nAdd rice, stir, and serve it hot."
    assert prepared.agenda == ["2 tb Olive oil", "1 c Rice, cooked"]
    assert prepared.agenda_words[0] == ["olive", "oil"]
    example = finish(prepared, TABLE)
    assert example.goal_tokens == ["rice", "oil", "mother", "herbs"]
    assert example.agenda_tokens[0] == ["olive_oil"]
    assert example.surface[:4] == ["Heat", "the", "Olive oil", "at"]
    assert example.tokens[:4] == ["heat", "the", "olive_oil", "at"]
    assert example.tokens[8] == LINE_BREAK == example.surface[8]
    assert example.ref_types[:3] == [NONE, NONE, NEW]
    assert example.ref_items[:3] == [NO_ITEM, NO_ITEM, 0]
    assert len(example.tokens) == len(example.surface) == len(example.ref_types) == len(example.ref_items) == 19


def test_equal_letters_and_digits_are_equal_content() -> None:
    shouted = recipe(steps=["HEAT the olive oil, at 350F; add rice", "stir and serve: it hot!"], title="Other words")
    assert prepare(shouted).content_hash == prepare(recipe()).content_hash
    assert prepare(recipe(steps=[*STEPS, "Cut it in two."])).content_hash != prepare(recipe()).content_hash


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"steps": []}, "no_directions"),
        ({"steps": ["Posted by Ann Baker."]}, "no_directions"),
        ({"title": "1/2 & 3"}, "no_title_word"),
        ({"ingredients": [ingredient("Rice")]}, "too_few_items"),
        (
            {"ingredients": [ingredient(f"Herb {chr(97 + n % 26)}{chr(97 + n // 26)}") for n in range(500)]},
            "too_many_items",
        ),
        ({"steps": ["Boil the rice."]}, "too_few_tokens"),
        ({"steps": ["Stir the rice again. " * 200]}, "too_many_tokens"),
        (
            {"steps": ["Сварите рис в воде и подайте его горячим на стол, посолив по вкусу."]},
            "other_script",
        ),
    ],
)
def test_reasons(changes: dict[str, object], reason: str) -> None:
    with pytest.raises(RecordFault) as fault:
        prepare(recipe(**changes))
    assert fault.value.reason == reason


def test_limits_are_inclusive() -> None:
    prepare(recipe(steps=["rice " * MIN_TOKENS]))
    prepare(recipe(steps=["rice " * MAX_TOKENS]))
    prepare(recipe(ingredients=[ingredient("Rice")] * MAX_ITEMS))


def test_a_text_that_merging_makes_too_short_is_no_example() -> None:
    prepared = prepare(recipe(steps=["olive oil " + "rice " * (MIN_TOKENS - 2)]))
    with pytest.raises(RecordFault, match="4 tokens"):
        finish(prepared, TABLE)


def test_raw_agendas_are_prepared_as_the_training_data_was() -> None:
    prepared = prepare(recipe())
    assert [item_tokens(line, TABLE) for line in prepared.agenda] == finish(prepared, TABLE).agenda_tokens
    assert goal_words("RICE & oil with Mother’s herbs") == prepared.goal_tokens
