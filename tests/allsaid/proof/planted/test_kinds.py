"""Every kind of planted fault on a made-up shop's texts: what it does, and what it leaves alone."""

from __future__ import annotations

from collections import Counter
from random import Random

from small_faults import LAMP, MUG, PAN, SHOP, make_row

from allsaid.proof.planted.known import study
from allsaid.proof.planted.plant import KINDS, UNCERTAIN
from schemas.act import PREFIX
from schemas.example import Example

LAMPS = [
    make_row("lamp", "the NAME is a lamp . it comes in COLOUR .", name="Elm", colour="red", land="Spain"),
    make_row("lamp", "the NAME is a lamp . it is made in LAND for you .", name="Oak", land="Peru"),
]


def faults(kind: str, example: Example, texts: list[Example]) -> set[str]:
    """The texts that a kind makes of an example's."""
    known, find = study(texts), {**KINDS, **UNCERTAIN}[kind]
    return {" ".join(edit.apply(example.tokens)).replace(PREFIX, "") for edit in find(example, known, Random(1))}


def test_two_values_change_places() -> None:
    assert faults("swapped", MUG, SHOP) == {
        "the WEIGHT is a mug . it weighs NAME . it comes in COLOUR .",
        "the COLOUR is a mug . it weighs WEIGHT . it comes in NAME .",
        "the NAME is a mug . it weighs COLOUR . it comes in WEIGHT .",
    }


def test_values_that_are_alike_and_values_of_one_column_stay() -> None:
    text = "it comes in COLOUR . we make it from OF and OF_2 ."
    vase = make_row("vase", text, colour="silver", of="Silver", of_2="glass")
    assert faults("swapped", vase, [vase]) == {"it comes in OF_2 . we make it from OF and COLOUR ."}


def test_columns_that_are_said_in_the_same_words_stay() -> None:
    inn = make_row("inn", "it has ONE and OTHER .", one="a pool", other="a bar")
    opposite = make_row("inn", "it has OTHER and ONE .", one="a pool", other="a bar")
    assert faults("swapped", inn, [inn, opposite]) == set()
    assert faults("attached", inn, [inn, opposite]) == {"it has ONE and ONE ."}


def test_a_value_takes_another_s_verb() -> None:
    names = ("WEIGHT WEIGHT COLOUR", "COLOUR WEIGHT COLOUR", "NAME NAME COLOUR", "NAME COLOUR COLOUR")
    names += ("NAME WEIGHT NAME", "NAME WEIGHT WEIGHT")
    text = "the {} is a mug . it weighs {} . it comes in {} ."
    assert faults("attached", MUG, SHOP) == {text.format(*one.split()) for one in names}


def test_a_value_stays_where_other_things_are_said_too() -> None:
    vase = make_row("vase", "it is COLOUR .", colour="red", of="glass")
    assert faults("attached", vase, [vase, make_row("vase", "it is made of OF .", of="glass")]) == set()


def test_a_clause_breaks_off_after_a_word_that_ends_none() -> None:
    assert faults("cut", PAN, SHOP) == {
        "meet the . it is not safe . we ship it .",
        "meet the",
        "meet the NAME . it is . we ship it .",  # after "not" one known text goes on, after "ship" too: no evidence
        "meet the NAME . it is",
    }


def test_a_sentence_s_end_is_glued_to_another() -> None:
    assert faults("joined", PAN, SHOP) == {
        "meet the NAME . it is not safe NAME . we ship it .",
        "meet the NAME . it is not safe . we ship it NAME .",
    }
    assert "the NAME is a mug . it weighs comes in COLOUR . it comes in COLOUR ." in faults("joined", MUG, SHOP)


def test_values_are_not_glued_to_attributive_values() -> None:
    vase = make_row("vase", "meet the COLOUR vase . it is COLOUR . we make it from OF .", colour="red", of="glass")
    assert "meet the COLOUR vase . it is COLOUR OF . we make it from OF ." not in faults("joined", vase, [vase])


def test_words_and_phrases_are_repeated() -> None:
    text = make_row("pan", "we ship it .")
    assert faults("doubled", text, [text]) == {
        "we we ship it .",
        "we ship ship it .",
        "we ship it it .",
        "we ship we ship it .",
        "we ship it ship it .",
    }


def test_a_goal_s_word_appears_where_it_has_no_place() -> None:
    assert faults("goal_word", MUG, SHOP) == {
        "the NAME is a mug . it weighs mug WEIGHT . it comes in COLOUR .",
        "the NAME is a mug . it weighs WEIGHT mug . it comes in COLOUR .",
        "the NAME is a mug . it weighs WEIGHT . it comes in mug COLOUR .",
        "the NAME is a mug . it weighs WEIGHT . it comes in COLOUR mug .",
        "the NAME is a lamp . it weighs WEIGHT . it comes in COLOUR .",
        "the NAME is a pan . it weighs WEIGHT . it comes in COLOUR .",
    }


def test_a_goal_that_names_the_same_thing_replaces_none() -> None:
    desk = make_row("desk lamp", "this is a desk lamp .")
    assert faults("goal_word", desk, [desk, LAMP]) == set()


def test_two_clauses_are_crossed_at_a_word_that_both_have() -> None:
    assert faults("crossed", LAMPS[0], LAMPS) == {"the NAME is a lamp . it comes in LAND for you ."}
    assert faults("crossed_bare", LAMPS[0], LAMPS) == set()


def test_the_same_clause_crossed_is_no_fault() -> None:
    assert faults("crossed", LAMPS[0], [LAMPS[0]]) == set()


def test_a_crossed_clause_without_a_value_is_a_kind_of_its_own() -> None:
    other = make_row("lamp", "we trust in you .")
    assert faults("crossed_bare", LAMPS[0], [*LAMPS, other]) == {"the NAME is a lamp . it comes in you ."}


def test_yes_becomes_no() -> None:
    assert faults("polarity", LAMP, SHOP) == {
        "meet the NAME , a good lamp ! it weighs WEIGHT . it is made in LAND . it is not safe ."
    }
    assert faults("polarity", PAN, SHOP) == {"meet the NAME . it is safe . we ship it ."}


def test_opposite_sentences_replace_or_join() -> None:
    pans = [PAN, make_row("pan", "a safe* pan .", safe="yes")]
    found = faults("polarity", PAN, pans)
    assert "meet the NAME . a safe pan . we ship it ." in found
    assert found - {"meet the NAME . a safe pan . we ship it .", "meet the NAME . it is safe . we ship it ."} <= {
        "meet the NAME . a safe pan . it is not safe . we ship it .",
        "meet the NAME . it is not safe . a safe pan . we ship it .",
        "meet the NAME . it is not safe . we ship it . a safe pan .",
    }


def test_a_sentence_said_of_yes_and_of_no_contradicts_neither() -> None:
    pans = [make_row("pan", "a safe* pan ?", safe=value) for value in ("yes", "no")]
    assert faults("polarity", pans[1], pans) == set()


def test_a_sentence_that_says_a_thing_the_row_lacks() -> None:
    vase = make_row("vase", "we ship it .", name="Ash")
    assert faults("foreign", vase, [vase, LAMP]) == {
        f"we ship it . {sentence}"
        for sentence in ("meet the NAME , a good lamp !", "it weighs WEIGHT .", "it is made in LAND .", "it is safe .")
    }
    assert faults("foreign", vase, [vase, make_row("lamp", "we sell it .", name="Elm")]) == set()


def test_words_move_vanish_or_are_another_column_s() -> None:
    found = faults("reordered", LAMPS[0], LAMPS)
    assert "the NAME is a lamp . it comes COLOUR ." in found
    for text in found - {"the NAME is a lamp . it comes COLOUR .", "the NAME is a lamp . it comes the COLOUR ."}:
        assert Counter(text.split()) == Counter(token.removeprefix(PREFIX) for token in LAMPS[0].tokens)
