"""The nearest recipe, beside a slow dense version and on recipes small enough to check by eye."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from math import sqrt
from pathlib import Path

import pyarrow as pa
import pytest
from small_data import make_example, publish

from allsaid.modeling.data.agenda_arrays import Prompt
from allsaid.modeling.data.dataset import DataSet
from schemas.checks.table import to_table
from schemas.errors import UserError
from schemas.example import EXAMPLE, Example
from training.baselines.retrieval import Nearest

WORDS = ["flour", "butter", "brown_sugar", "sugar", "milk", "sour_cream", "cream", "salt", "rice", "leek"]


def recipe(content: str, title: str, *items: str) -> Example:
    goal, agenda = title.split(), [item.split() for item in items]
    return replace(make_example(0), id="i" + content, content_hash=content, goal_tokens=goal, agenda_tokens=agenda)


def index(recipes: Sequence[Example], files: int = 1) -> Nearest:
    return Nearest.build(to_table(recipes[part::files], EXAMPLE) for part in range(files))


def cosine(one: Prompt, other: Prompt) -> float:
    """Over all words there are, by the definition."""
    sides = []
    for prompt in (one, other):
        title = {("title", word) for word in " ".join(prompt.goal_tokens).replace("_", " ").split()}
        names = " ".join(token for item in prompt.agenda_tokens for token in item).replace("_", " ").split()
        sides.append(title | {("item", word) for word in names})
    every = sorted(sides[0] | sides[1])
    a, b = ([word in side for word in every] for side in sides)
    lengths = sqrt(sum(a)) * sqrt(sum(b))
    return sum(x and y for x, y in zip(a, b, strict=True)) / lengths if lengths else 0.0


def random_recipe(number: int) -> Example:
    chance = random.Random(number)
    items = [" ".join(chance.sample(WORDS, chance.randint(0, 2))) for _ in range(chance.randint(1, 4))]
    return recipe(f"{chance.randrange(10**6):06}", " ".join(chance.choices(WORDS, k=chance.randint(0, 3))), *items)


def test_as_a_slow_dense_search_ties_included() -> None:
    recipes, prompts = [random_recipe(number) for number in range(70)], [random_recipe(-n - 1) for n in range(50)]
    found = index(recipes, files=3).find(prompts)
    for prompt, one in zip(prompts, found, strict=True):
        best = max(cosine(prompt, other) for other in recipes)
        equals = [other for other in recipes if cosine(prompt, other) > best - 1e-9]
        assert one == min(equals, key=lambda other: (other.content_hash, other.id))


def test_titles_and_ingredients_are_separate_fields() -> None:
    recipes = [recipe("1", "cream soup", "leek"), recipe("2", "soup", "sour_cream"), recipe("3", "cake", "sour milk")]
    nearest = index(recipes)
    asked = [recipe("x", "soup", "cream"), recipe("x", "cream", "leek"), recipe("x", "sour cake", "milk")]
    assert nearest.find(asked) == [recipes[1], recipes[0], recipes[2]]


def test_repeated_words_count_once_in_any_order_of_files() -> None:
    recipes = [recipe("2", "soup soup", "leek", "leek"), recipe("1", "soup", "leek"), recipe("3", "bread", "rye")]
    asked = [recipe("x", "soup soup soup", "leek"), recipe("x", "unheard", "of"), recipe("x", "bread")]
    wanted = [recipes[1], recipes[1], recipes[2]]  # nothing in common: the smallest hash
    assert index(recipes).find(asked) == index(recipes[::-1], files=2).find(asked) == wanted


def test_a_recipe_without_words_is_never_nearer_than_one_with() -> None:
    recipes = [recipe("1", ""), recipe("2", "soup", "leek")]
    assert index(recipes).find([recipe("x", "soup")]) == [recipes[1]]


def test_the_training_part_of_a_data_set(tmp_path: Path) -> None:
    examples = [make_example(number) for number in range(30)]
    data = DataSet(str(publish(tmp_path, {"train": examples})))
    for example, found in zip(examples, Nearest.build(data.tables("train")).find(examples), strict=True):
        assert (found.goal_tokens, sorted(found.agenda_tokens)) == (example.goal_tokens, sorted(example.agenda_tokens))


def test_no_training_text_is_a_sentence() -> None:
    with pytest.raises(UserError, match="no training text"):
        Nearest.build([pa.table({name: [] for name in EXAMPLE.names}, schema=EXAMPLE)])
