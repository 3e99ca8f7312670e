"""Tokens back to text ready to publish."""

from __future__ import annotations

from dataclasses import replace

from cases import cases
from small_catalogue import make_text

from allsaid.modeling.text.marks import Marks
from allsaid.modeling.text.restore import Casing, begins_with_capitals, fill, learn_casing, restore, survival
from schemas.example import LINE_BREAK, NO_ITEM, NONE, Example

PLAIN = Casing({}, frozenset())


def example(surface: list[str], text: str = "") -> Example:
    """Surface tokens as they were written; blanks inside one make a phrase."""
    tokens = [token.lower().replace(" ", "_") for token in surface]
    return Example(
        id="0" * 16,
        content_hash="0" * 16,
        goal="Soup",
        goal_tokens=["soup"],
        agenda=["salt", "oil"],
        agenda_tokens=[["salt"], ["oil"]],
        text=text,
        tokens=tokens,
        surface=surface,
        ref_types=[NONE] * len(tokens),
        ref_items=[NO_ITEM] * len(tokens),
        file="a.mmf",
        offset=0,
    )


def words(text: str) -> list[str]:
    return text.split()


@cases
def test_restores_sentences_blanks_and_phrases(tokens: str, text: str) -> None:
    assert restore(words(tokens), PLAIN) == text


def test_casing_and_abbreviations_reach_the_text() -> None:
    casing = Casing({"worcestershire": "Worcestershire", "f": "F"}, frozenset({"tsp"}))
    tokens = words("add 1 tsp . worcestershire_sauce . bake at 350 f .")
    assert restore(tokens, casing) == "Add 1 tsp. Worcestershire sauce. Bake at 350 F."


def test_casing_ignores_sentence_starts_and_capitals() -> None:
    rows = [
        example(["Add", "Dijon", "mustard", "at", "350", "F", ".", "Stir", "."]),
        example(["Salt", "the", "Worcestershire sauce", "and", "Stir", LINE_BREAK, "Stir", "in", "dijon", "."]),
        example(["(", "Stir", ")", "the", "Dijon", "and", "stir", "or", "stir", "."]),
        example(["ADD", "MUSTARD", "AND", "STIR", "THE", "SALT", "."]),
        example(["Add", "Mustard", "And", "Stir", "The", "Salt", "in"]),
    ]
    assert learn_casing(rows).forms == {"dijon": "Dijon", "f": "F", "worcestershire": "Worcestershire"}


def test_learns_which_stops_end_no_sentence() -> None:
    tsp, bowl = ["Add", "1", "tsp", ".", "salt", "."], ["Use", "a", "bowl", ".", "stir", "it", "."]
    rows = [example(tsp)] * 5 + [example(["Add", "a", "tsp", ".", "Stir", "."])] * 4 + [example(bowl)] * 4
    assert learn_casing(rows).abbreviations == {"tsp"}


def test_a_word_that_ends_careless_sentences_is_no_abbreviation() -> None:
    careless = ["It", "is", "near", "the", "area", ".", "it", "is", "cheap", "."]
    usual = [example(["The", "area", "is", "quiet", "."])]
    assert learn_casing([example(careless)] * 5 + usual * 60).abbreviations == set()
    lower = [example(["salt", "in", "the", "area", ".", "stir", "."])] * 9
    assert learn_casing(lower).abbreviations == set(), "texts without capitals tell nothing of it"


def test_casing_survives_json() -> None:
    casing = Casing({"f": "F"}, frozenset({"tsp", "oz"}))
    assert Casing.from_json(casing.to_json()) == casing


def test_survival_counts_the_sentences_that_come_back() -> None:
    surface = ["Add", "olive oil", ".", "Mix", "-", "quickly", "!", LINE_BREAK, "Mix", "-", "quickly", "!"]
    row = example(surface, "Add  olive oil. Mix - quickly!\nMix-quickly!")
    assert survival([row], PLAIN) == (3, 2)


def test_values_survive_as_the_text_writes_them() -> None:
    row = example(["An", "orange", "lamp", "costs", "€ 5", "."], "An orange lamp costs €5.")
    row = replace(row, tokens=["a/an", "SLOT_COLOUR", *row.tokens[2:4], "SLOT_PRICE", "."])
    assert survival([row], PLAIN) == (1, 1)
    assert survival([replace(row, tokens=["red", *row.tokens[1:]])], PLAIN) == (1, 0)


def test_survival_leaves_out_texts_with_suffixes_of_their_own() -> None:
    row = example(["Hotel", "-s", "."], "Hotels.")
    assert survival([row], PLAIN) == (0, 0)


def test_samples_show_values_for_placeholders() -> None:
    row = replace(
        example(["Soup"]), agenda=["name=Red Door", "made=no"], agenda_tokens=[["SLOT_NAME"], ["SLOT_MADE_NO"]]
    )
    assert restore(fill(["the", "SLOT_NAME", "SLOT_PRICE"], row), PLAIN) == "The Red Door SLOT PRICE"
    assert fill(["salt"], None) == ["salt"]
    row = replace(row, agenda=["name=oak doors", "made=no"])
    tokens = ["an", "a/an", "SLOT_NAME", "-sg", "a/an", "lamp", "-s"]
    assert fill(tokens, row) == ["an", "an", "oak door", "a", "lamps"]


def test_marks_and_quotes_are_those_of_the_training_part() -> None:
    marks = Marks({"!": True, "«": True}, {"«": False, "¿": False}, "„“", "。")
    casing = Casing({}, frozenset(), marks=True, blanks=marks)
    assert restore(["ah", "!", "«", "oui", '"', "elm", '"', "ist", "9", '"'], casing) == 'Ah ! «Oui „elm“ ist 9"。'
    assert restore(["ja", "。", "¿", "que", "?"], casing) == "Ja。 ¿Que?"
    assert Casing.from_json(casing.to_json()) == replace(casing, marks=False)
    assert restore(["it", "costs", "5", "€"], replace(PLAIN, marks=True)) == "It costs 5 €."
    assert restore(["red", "(", "or", "so", ")"], replace(PLAIN, marks=True)) == "Red (or so)."
    assert restore(["in", "red", ","], replace(PLAIN, marks=True)) == "In red,"


def test_initials_and_numbers_show_what_is_an_abbreviation() -> None:
    row = example(["Gut", "z", ".", "B", ".", "für", "ca", ".", "9"])
    row = replace(row, tokens=[*row.tokens[:-1], "SLOT_A"])
    casing = learn_casing([row] * 5)
    assert casing.abbreviations == {"z", "b", "ca"}
    assert restore(["gut", "z", ".", "b", ".", "für"], casing) == "Gut z. B. für"


def test_a_number_after_a_stop_makes_no_abbreviation() -> None:
    rows = [example(["Elm", "is", "a", "lamp", ".", "3", "lamp", "sets", "."])] * 5
    assert learn_casing(rows).abbreviations == frozenset()
    assert learn_casing([example(["Elm", "is", "No", ".", "3", "."])] * 5).abbreviations == {"no"}


def test_a_name_with_a_capital_further_on_stays_as_it_is() -> None:
    assert restore(["iPhone", "cases", ".", "eReader", "."], PLAIN) == "iPhone cases. eReader."


def test_texts_begin_and_end_as_the_training_part_has_them() -> None:
    lower, upper = make_text("a lamp called NAME", ["name"]), make_text("The NAME .", ["name"])
    assert begins_with_capitals([upper, upper, lower]) and not begins_with_capitals([lower, lower, upper])
    small = Casing({}, frozenset(), capitals=False)
    assert Casing.from_json(small.to_json()) == small
    words = ["a", "lamp", ".", "it", "is", "red"]
    assert restore(words, small) == "a lamp. it is red"
    assert restore(words, replace(small, capitals=True, marks=True)) == "A lamp. It is red."
    assert restore([*words, "!"], replace(small, marks=True)) == "a lamp. it is red!"


def test_survival_counts_texts_without_marks() -> None:
    row = example(["there", "is", "no", "hotel", "in", "north park"], "there is no hotel in north park")
    assert survival([row, replace(row, tokens=["there", "was", *row.tokens[2:]])], PLAIN) == (2, 1)


def test_survival_skips_texts_without_originals() -> None:
    row = example(["ada", "-lrb-", "1815", "-rrb-", "wrote", "."], "ada -lrb- 1815 -rrb- wrote .")
    assert survival([row], PLAIN) == (0, 0)
