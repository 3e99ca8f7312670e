"""Edits of recipes: what is renamed, inserted and deleted, so that what stays are sentences."""

from __future__ import annotations

from small_editor import LEXICON, edited, editor

from allsaid.decoding.editing.align import Pairing
from allsaid.decoding.editing.items import items_of
from allsaid.modeling.prototypes.roles import Counts, Roles
from allsaid.proof.recipes.mentions import Namer
from allsaid.proof.recipes.parser import parse
from pipelines.recipes.ingredients import name_words


def test_verbs_agree_with_the_food_that_takes_a_part() -> None:
    found = edited("cook the onion until the onion is tender .", ["1 onion"], ["2 leeks"])
    assert found == "cook the leeks until the leeks are tender ."
    found = edited("dip each tortilla in oil .", ["8 tortillas", "1 c oil"], ["8 flour tortillas", "1 c oil"])
    assert found == "dip each flour tortilla in oil ."


def test_a_deleted_food_takes_all_its_verbs_along() -> None:
    text = "peel , core and slice the apples . layer the onions in a dish ."
    assert edited(text, ["2 apples", "3 onions"], ["3 onions"]) == "layer the onions in a dish ."

    text = "cook the apples in boiling water . drain , cool and cut into cubes . layer the onions in a dish ."
    assert edited(text, ["2 apples", "3 onions"], ["3 onions"]) == "layer the onions in a dish ."

    text = "cut the apples in pieces ; cook in boiling water until tender . set aside . melt the butter ."
    assert edited(text, ["2 apples", "1 c butter"], ["1 c butter"]) == "melt the butter ."


def test_the_fat_of_a_food_stays_its_fat() -> None:
    lines = ["1 lb bacon", "2 eggs"]
    text = "fry the bacon . drain off the fat . add the eggs ."
    found = edited(text, lines, ["1 lb sausage", "2 eggs"])
    assert found == "fry the sausage . drain off the fat . add the eggs ."


def test_the_broth_of_a_food_is_not_the_food() -> None:
    lines = ["1 chicken", "2 carrots"]
    text = "boil the chicken in water . strain the broth . add the carrots ."
    assert edited(text, lines, ["1 turkey", *lines[1:]]) == text.replace("chicken", "turkey")


def test_a_list_that_loses_its_main_foods_goes() -> None:
    text = "combine beef , bread and onion . shape into balls . heat the oil ."
    lines = ["1 lb beef", "1 c bread", "1 onion", "2 tb oil"]
    assert edited(text, lines, lines[3:]) == "heat the oil ."


def test_a_list_names_a_food_once() -> None:
    text = "season with salt , pepper , salt and pepper ."
    assert edited(text, ["salt", "pepper"], ["salt", "pepper"]) == "season with salt and pepper ."


def test_milk_chocolate_is_no_milk() -> None:
    text = "melt the chocolate . stir in the milk . cool ."
    assert edited(text, ["1 c chocolate", "1 c milk"], ["1 c milk chocolate"]) == "melt the chocolate . cool ."


def test_butter_is_no_peanut_butter() -> None:
    text = "melt the butter . stir in the milk . cool ."
    found = edited(text, ["1 c butter", "1 c milk"], ["1 c peanut butter", "1 c milk"])
    assert found.count("butter") == found.count("peanut butter") == 1

    text = "spread the butter on the toast ."
    lines = ["1 c peanut butter"]
    assert edited(text, lines, lines) == text.replace("butter", "peanut butter")


def test_a_name_has_its_participles_in_front() -> None:
    (almonds, mustard) = items_of(["almonds, toasted", "mustard seed"], [["almonds", "toasted"], ["mustard", "seed"]])
    assert (almonds.name, mustard.name) == (("toasted", "almonds"), ("mustard", "seed"))


def test_a_food_in_a_strange_place_is_counted() -> None:
    counts = Counts()
    for _ in range(30):
        one, other = ["slice", "the", "onion", "."], ["add", "the", "salt", "."]
        for words, item in ((one, "onion"), (other, "salt")):
            counts.add(parse(words, Namer([[item]], LEXICON).find(words)), [item])
    roles = Roles.build(counts)
    strange = editor("slice the onion .", ["1 onion"], ["1 onion"])
    strange.roles = roles
    strange.run()
    assert strange.strangeness() == 0
    strange = editor("slice the salt .", ["1 ts salt"], ["1 ts salt"])
    strange.roles = roles
    strange.run()
    assert strange.strangeness() > 0


def test_a_line_of_two_foods_is_named_as_two() -> None:
    lines = ["1 lb beets", "salt and pepper"]
    text = "season the beets with salt and pepper ."
    assert edited(text, ["1 lb beets", "1 ts salt", "pepper"], lines) == text
    assert edited("roast the red peppers . " + text, [*lines, "2 red peppers"], lines) == text


def test_main_foods_count_more_than_seasonings() -> None:
    lines = ["1 lb beef", "2 onions", "1 ts salt", "1/2 ts cumin"]
    ours = items_of(lines, [name_words(line) for line in lines])
    pairing = Pairing(ours, Roles.build(Counts()))
    assert round(pairing.pairs(ours)[1], 6) == 1
    assert pairing.pairs(ours[:2])[1] > 0.8 > pairing.pairs([ours[0], *ours[2:]])[1]


def test_amounts_keep_their_share_of_the_line() -> None:
    text = "mix the butter and 1 cup of the flour . sift the remaining 1/3 cup flour and salt ."
    theirs = ["1 1/3 c flour", "1 c butter", "1 ts salt"]
    assert edited(text, theirs, ["2 c flour", *theirs[1:]]) == (
        "mix the butter and 1 1/2 cups of the flour . sift the remaining 1/2 cup flour and salt ."
    )
    text = "layer half of the parmesan cheese in a dish . add the remaining parmesan cheese ."
    assert edited(text, ["1 c parmesan cheese"], ["2 c cheddar cheese"]) == text.replace("parmesan", "cheddar")


def test_what_remains_is_left_by_the_steps_before() -> None:
    theirs = ["3 tb oil", "2 tb soy sauce", "1 lb beef"]
    text = "combine the soy sauce and 2 tablespoons oil . heat the remaining oil . add the beef ."
    found = edited(text, theirs, ["sesame oil", *theirs[1:]])
    assert found == "combine the soy sauce and most of the oil . heat the remaining oil . add the beef ."

    text = "cream the sugar and butter . roll in granulated sugar ."
    found = edited(text, ["granulated sugar", "1 c brown sugar", "1 c butter"], ["1 c brown sugar", "1 c butter"])
    assert found == "cream most of the sugar and butter . roll in the remaining brown sugar ."


def test_separated_eggs_stay_separated() -> None:
    text = "beat the egg whites until stiff . beat the egg yolks and sugar ."
    assert edited(text, ["2 egg whites", "2 egg yolks", "1 c sugar"], ["3 eggs, separated", "1 c sugar"]) == text
    found = edited("beat the egg whites .", ["2 egg whites"], ["3 eggs"])
    assert found == "beat the eggs ."


def test_a_clause_without_its_second_food_hands_on_its_object() -> None:
    lines = ["2 scallops", "1 c bread crumbs"]
    text = "dip scallops in milk and roll in the bread crumbs . bake ."
    assert edited(text, [*lines, "1 c milk"], lines) == "roll scallops in the bread crumbs . bake ."

    found = edited(
        "combine cream cheese and milk ; beat until smooth .", ["1 c cream cheese", "1 c milk"], ["1 c cream cheese"]
    )
    assert found == "beat cream cheese until smooth ."
    found = edited("in a bowl combine salt and flour .", ["1 ts salt", "1 c flour"], ["1 ts salt"])
    assert found == "in a bowl place salt ."


def test_nearly_goes_with_its_amount() -> None:
    text = "toss zucchini with about 1/4 teaspoon salt ; drain ."
    assert edited(text, ["2 zucchini", "1 ts salt"], ["2 zucchini"]) == "drain zucchini ."


def test_a_pan_is_heated_without_its_fat() -> None:
    text = "heat the oil in a large skillet over high heat . add the beef ."
    assert (
        edited(text, ["1 c oil", "1 lb beef"], ["1 lb beef"]) == "heat a large skillet over high heat . add the beef ."
    )


def test_lines_that_name_their_purpose_end_the_recipe() -> None:
    lines = ["1 lb beef", "lemon wedges for garnish", "parsley, garnish", "2 c rice (for serving)"]
    found = edited("grill the beef . serve .", lines[:1], lines)
    assert found == "grill the beef . garnish with lemon wedges and parsley . serve . serve with rice ."


def test_bread_is_no_bread_flour() -> None:
    one = editor("mix the bread flour and oil . bake the bread .", ["2 c bread flour", "1 c oil"], ["2 c bread flour"])
    one.dish = ("bread",)
    one.run()
    assert " ".join(one.draft.words) == "place the bread flour . bake the bread ."


def test_a_pie_shell_is_filled() -> None:
    lines = ["2 apples", "1 c sugar"]
    shell = [*lines, "1 unbaked pie shell"]
    text = "mix apples and sugar . {} bake 1 hour ."
    found = edited(text.format("pour into a greased 9 inch pan ."), lines, shell)
    assert found == text.format("pour into the unbaked pie shell .")
    assert edited(text.format(""), lines, shell) == text.format("spoon into the unbaked pie shell .")


def test_a_short_step_goes_with_its_food() -> None:
    lines = ["2 tb butter", "1 c mushrooms", "1 c milk"]
    text = "melt the butter in a pan . add the mushrooms and cook for {} minutes . pour in the milk ."
    ours = [lines[0], lines[2]]
    assert edited(text.format(5), lines, ours) == "melt the butter in a pan . pour in the milk ."
    assert edited(text.format(50), lines, ours) == text.format(50).replace("add the mushrooms and ", "")


def test_the_juice_goes_with_its_fruit() -> None:
    lines = ["1 lemon", "1 egg", "1 c milk"]
    text = "grate the peel of the lemon and squeeze the juice . beat the egg with the milk and juice ."
    assert edited(text, lines, lines[1:]) == "beat the egg with the milk ."
    found = edited(text, lines, ["1 orange", *lines[1:]])
    assert found == text.replace("lemon", "orange")


def test_pepper_after_salt_is_no_vegetable() -> None:
    lines = ["4 red peppers", "Salt and pepper"]
    text = "slice the red peppers . season with salt and pepper ."
    found = edited(text, lines, ["4 green peppers", "Salt and pepper"])
    assert found == text.replace("red", "green")


def test_vegetables_are_no_vegetable_oil() -> None:
    lines = ["2 tb vegetable oil", "2 carrots"]
    text = "heat the vegetable oil . add the carrots and cook until the vegetables are tender ."
    assert edited(text, lines, lines) == text.replace("vegetables", "carrots")


def test_a_mixture_is_called_by_one_piece() -> None:
    found = edited("beat the egg . pour in the egg mixture .", ["1 egg"], ["4 eggs"])
    assert found == "beat the eggs . pour in the egg mixture ."


def test_a_dried_herb_is_not_torn() -> None:
    text = "tear the basil and scatter over the tomatoes . serve ."
    tomatoes = "2 tomatoes"
    assert edited(text, [tomatoes, "1 c fresh basil"], [tomatoes, "1 c fresh parsley"]).startswith("tear the parsley")
    assert "tear" not in edited(text, [tomatoes, "1 c fresh basil"], [tomatoes, "1 ts dried oregano"])
