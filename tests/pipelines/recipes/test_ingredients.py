"""What is left of an ingredient line when amounts, units and preparation are off."""

from __future__ import annotations

from cases import cases

from pipelines.recipes.ingredients import agenda_line, name_words, split_line, title_words
from schemas.recipe import Ingredient


@cases
def test_name_words(line: str, words: str) -> None:
    assert name_words(line) == words.split()


def test_a_line_and_its_parsed_name_agree() -> None:
    for line in ("2 tb Olive oil; warm", "1 1/2 c Rice, brown", "3 lg Eggs", "1 cn Tomatoes (14 oz)"):
        assert name_words(line) == name_words(split_line(line)[2])


@cases
def test_split_line(line: str, parts: list[str]) -> None:
    assert [*split_line(line)] == parts


def test_agenda_line() -> None:
    assert agenda_line(Ingredient("2", "tb", "Olive oil", "")) == "2 tb Olive oil"
    assert agenda_line(Ingredient("", "", "Salt", "SAUCE")) == "Salt"


def test_title_words() -> None:
    assert title_words("Mom's Beans AND Rice with 7-Up, Crème no. 2") == ["mom", "beans", "rice", "up", "crème", "no"]
    assert title_words("*** 1993 ***") == []


def test_forms_to_choose_from_are_no_part_of_the_name() -> None:
    assert name_words("3/4 c Leek stock; fresh or canned") == ["leek", "stock"]
    assert name_words("2 Leeks, red or green") == ["leeks"]
