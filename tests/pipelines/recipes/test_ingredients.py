"""What is left of an ingredient line when amounts, units and preparation are off."""

from __future__ import annotations

import pytest

from pipelines.recipes.ingredients import agenda_line, name_words, split_line, title_words
from schemas.recipe import Ingredient


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("2 limes, juiced", "limes"),
        ("1/4 c Cheese, Cheddar; shredded", "cheddar cheese"),
        ("Sugar, brown; packed", "brown sugar"),
        ("Salt and pepper", "salt pepper"),
        ("Salt & freshly ground pepper to taste", "salt freshly ground pepper"),
        ("1 (14 oz) can tomatoes, drained", "tomatoes"),
        ("2 tablespoons olive oil, divided", "olive oil"),
        ("3 cloves garlic, minced", "garlic"),
        ("Garlic cloves -- finely chopped", "garlic"),
        ("Clove garlic", "garlic"),
        ("whole cloves", "whole cloves"),
        ("Juice of 1 lemon, strained", "lemon juice"),
        ("Lemon; juice", "lemon juice"),
        ("To 3 1/4 cups all-purpose flour", "all purpose flour"),
        ("Butter or margarine, softened", "butter"),
        ("chicken or beef broth", "chicken broth"),
        ("water or chicken broth", "water"),
        ("2 large eggs, beaten at room temperature", "eggs"),
        ("½ cup crème fraîche", "crème fraîche"),
        ("1-inch piece ginger, peeled", "ginger"),
        ("10 oz package frozen spinach; thawed", "frozen spinach"),
        ("Smoked, cooked ham", "smoked cooked ham"),
        ("Chopped, fresh coriander", "fresh coriander"),
        ("Fresh or frozen blueberries", "frozen blueberries"),
        ("Shredded american or cheddar cheese", "american cheese"),
        ("Chicken; thighs", "chicken thighs"),
        ("Celery stalks", "celery"),
        ("Oil for frying", "oil"),
        ("ONION, FINELY CHOPPED", "onion"),
        ("Hershey's cocoa", "hershey cocoa"),
        ("1 T sugar", "sugar"),
        ("3 cups", "cups"),
        ("", ""),
        ("500", ""),
    ],
)
def test_name_words(line: str, words: str) -> None:
    assert name_words(line) == words.split()


def test_a_line_and_its_parsed_name_agree() -> None:
    for line in ("2 tb Olive oil; warm", "1 1/2 c Rice, brown", "3 lg Eggs", "1 cn Tomatoes (14 oz)"):
        assert name_words(line) == name_words(split_line(line)[2])


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("1 1/2 c  Vegetable stock", ("1 1/2", "c", "Vegetable stock")),
        ("1 T sugar", ("1", "T", "sugar")),
        ("1 t sugar", ("1", "t", "sugar")),
        ("2 tbsp. oil", ("2", "tbsp", "oil")),
        ("1½ cups milk", ("1 1/2", "cups", "milk")),
        ("2-3 carrots", ("2-3", "", "carrots")),
        ("1 to 2 cups water", ("1 to 2", "cups", "water")),
        (".5 kg flour", (".5", "kg", "flour")),
        ("Salt", ("", "", "Salt")),
        ("ds Pepper", ("", "ds", "Pepper")),
        ("T", ("", "", "T")),
    ],
)
def test_split_line(line: str, parts: tuple[str, str, str]) -> None:
    assert split_line(line) == parts


def test_agenda_line() -> None:
    assert agenda_line(Ingredient("2", "tb", "Olive oil", "")) == "2 tb Olive oil"
    assert agenda_line(Ingredient("", "", "Salt", "SAUCE")) == "Salt"


def test_title_words() -> None:
    assert title_words("Mom's Beans AND Rice with 7-Up, Crème no. 2") == ["mom", "beans", "rice", "up", "crème", "no"]
    assert title_words("*** 1993 ***") == []


def test_forms_to_choose_from_are_no_part_of_the_name() -> None:
    assert name_words("3/4 c Leek stock; fresh or canned") == ["leek", "stock"]
    assert name_words("2 Leeks, red or green") == ["leeks"]
