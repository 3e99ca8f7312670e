"""Foods that the prototype lacks: each takes a part of its text, or gets a sentence."""

from __future__ import annotations

from small_editor import LEXICON, edited, editor

from allsaid.decoding.editing.items import items_of
from allsaid.decoding.editing.loans import loans_of
from allsaid.modeling.prototypes.roles import Counts, Roles
from allsaid.proof.recipes.mentions import Namer
from allsaid.proof.recipes.parser import parse
from pipelines.recipes.ingredients import name_words


def test_a_line_without_food_is_got_ready() -> None:
    found = edited("mix the flour and sugar .", ["1 c flour", "1 c sugar"], ["1 c flour", "1 c sugar", "6 skewers"])
    assert found == "have the skewers ready . mix the flour and sugar ."


def test_a_missing_food_joins_its_neighbours_in_the_agenda() -> None:
    text = "combine the flour and sugar in a bowl . beat in the milk and butter ."
    lines = ["1 c flour", "1 c sugar", "1 c milk", "1 c butter"]
    found = edited(text, lines, [*lines[:3], "1 ts vanilla", lines[3]])
    assert found == "combine the flour and sugar in a bowl . beat in the milk , vanilla , and butter ."


def test_a_sentence_about_missing_foods_is_borrowed() -> None:
    lines = ["1 c flour", "1 c butter", "1 c powdered sugar", "2 tb milk"]
    text = "bake the rolls . combine 1 cup powdered sugar and milk ; drizzle over the rolls . serve ."
    theirs = ["1 c powdered sugar", "1 c milk"]
    items = items_of(theirs, [name_words(line) for line in theirs])
    words = text.split()
    steps = parse(words, Namer([name_words(line) for line in theirs], LEXICON).find(words))
    one = editor("mix the flour and butter . bake . serve hot .", lines[:2], lines)
    one.loans = [*loans_of(steps, items)]
    one.run()
    assert " ".join(one.draft.words) == (
        "mix the flour and butter . bake . combine the powdered sugar and milk ; drizzle over the rolls . serve hot ."
    )


def test_a_second_part_gets_its_own_sentence() -> None:
    lines = ["1 c flour", "1 c milk", "1 c powdered sugar", "2 tb milk", "1 ts lemon juice"]
    found = edited("mix the flour and milk . bake . serve hot .", lines[:2], lines)
    assert found == (
        "mix the flour and milk . bake . "
        "combine powdered sugar , milk , and lemon juice , and top with the mixture . serve hot ."
    )


def test_an_item_is_spelled_out_where_a_part_does_not_give_it() -> None:
    one = editor("stir in the extract .", ["1 ts extract"], ["1 ts vanilla extract"])
    one.run()
    assert one.spell_out([0]) and " ".join(one.draft.words) == "stir in the vanilla extract ."
    assert not one.spell_out([0])


def test_a_food_that_must_be_cut_is_cut() -> None:
    counts = Counts()
    for _ in range(30):
        for words, item in ((["add", "the", "chopped", "onion", "."], "onion"), (["stir", "the", "salt", "."], "salt")):
            counts.add(parse(words, Namer([[item]], LEXICON).find(words)), [item])
    roles = Roles.build(counts)

    def cut_text(text: str, line: str) -> str:
        one = editor(text, [line], [line])
        one.roles = roles
        one.run()
        return " ".join(one.draft.words)

    assert cut_text("add the onion .", "1 onion") == "add the chopped onion ."
    for text, line in (
        ("add the onion .", "1 onion , diced"),
        ("slice the onion . add the onion .", "1 onion"),
        ("add the onion . puree in a blender .", "1 onion"),
    ):
        assert cut_text(text, line) == text


def test_a_missing_food_takes_the_place_that_is_left() -> None:
    text = (
        "cook the potatoes in boiling water for 20 minutes , until tender . drain , cool and cut into cubes . serve ."
    )
    one = editor(text, ["2 potatoes"], ["8 oz macaroni"])
    one.title = ("potato",)
    one.run()
    # Macaroni are not cut, and the time was that of potatoes.
    assert " ".join(one.draft.words) == "cook the macaroni in boiling water until tender . drain and cool . serve ."
    assert one.done.filled == ["macaroni"] and not one.done.inserted
    found = edited(
        "boil the pasta . pour in the milk . serve .", ["8 oz pasta", "1 c milk"], ["8 oz pasta", "1 lb ham"]
    )
    assert "pour in the ham" not in found
