"""Slot values <-> placeholders, without loss."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from allsaid.language.word_table import AS_WRITTEN, WORDS, normalise
from pipelines.linking.delex import Item, delexicalise, fill, forms, item_tokens, items_of, relexicalise, speak
from schemas.act import Slot, Unrestored

INN = [Slot("name", "the lantern inn"), Slot("area", "old port or east hill"), Slot("dogsallowed", "no")]


def tokens_of(text: str, slots: list[Slot]) -> tuple[list[str], list[Unrestored]]:
    """Tokens and exceptions; what must hold for every text is checked on the way."""
    words, surface = normalise(text, WORDS)
    done = delexicalise(words, surface, items_of(slots))
    assert len(done.tokens) == len(done.surface) == len(done.items)
    assert relexicalise(done.tokens, slots, done.exceptions) == " ".join(words)
    return done.tokens, done.exceptions


def test_there_and_back() -> None:
    tokens, exceptions = tokens_of("The Lantern Inn in old port or east hill has 2 rooms", INN)
    assert tokens == ["SLOT_NAME", "in", "SLOT_AREA", "has", "2", "rooms"]
    assert exceptions == []


@pytest.mark.parametrize(
    "written", ["east hill or old port", "old port and east hill", "east hill and old port", "old port or east hill"]
)
def test_alternatives_in_any_order(written: str) -> None:
    tokens, exceptions = tokens_of(f"it is in {written} .", INN)
    assert tokens == ["it", "is", "in", "SLOT_AREA", "."]
    assert exceptions == ([Unrestored(3, written)] if written != "old port or east hill" else [])


def test_a_value_without_its_determiner() -> None:
    assert tokens_of("one lantern inn", INN) == (["one", "SLOT_NAME"], [Unrestored(1, "lantern inn")])


TELEVISION = [Slot("type", "television"), Slot("size", "26 inch"), Slot("for", "children")]


@pytest.mark.parametrize(
    ("text", "tokens", "exceptions"),
    [
        ("68 televisions", ["68", "SLOT_TYPE", "-s"], [Unrestored(1, "televisions"), Unrestored(2, "")]),
        ("it is 26 inches", ["it", "is", "SLOT_SIZE", "-s"], [Unrestored(2, "26 inches"), Unrestored(3, "")]),
        ("26-inch", ["SLOT_SIZE"], [Unrestored(0, "26 - inch")]),
        ("for one child", ["for", "one", "SLOT_FOR", "-sg"], [Unrestored(2, "child"), Unrestored(3, "")]),
        ("the television's", ["the", "SLOT_TYPE", "'s"], []),
        ("an television", ["a/an", "SLOT_TYPE"], [Unrestored(0, "an")]),
        ("a television , a screen", ["a/an", "SLOT_TYPE", ",", "a", "screen"], []),
        ("el a television con una", ["el", "a", "SLOT_TYPE", "con", "una"], []),
        ("televisions con una", ["televisions", "con", "una"], []),
    ],
)
def test_a_value_in_another_inflection(text: str, tokens: list[str], exceptions: list[Unrestored]) -> None:
    slots = [Slot(slot.slot, " ".join(normalise(slot.value, AS_WRITTEN)[0])) for slot in TELEVISION]
    words, surface = normalise(text, AS_WRITTEN)
    done = delexicalise(words, surface, items_of(slots))
    assert (done.tokens, done.exceptions) == (tokens, exceptions)
    assert relexicalise(done.tokens, slots, done.exceptions) == " ".join(words)


def test_the_value_itself_goes_before_an_inflection_of_another() -> None:
    slots = [Slot("type", "laptop"), Slot("family", "laptops")]
    assert tokens_of("laptops and laptop", slots)[0] == ["SLOT_FAMILY", "and", "SLOT_TYPE"]


def test_a_generated_text_inflects_the_value_that_it_is_given() -> None:
    tokens = ["a/an", "SLOT_TYPE", ",", "3", "SLOT_TYPE", "-s", "for", "a/an", "SLOT_FOR", "-sg"]
    for slots, said in [
        ({"SLOT_TYPE": "Battery", "SLOT_FOR": "people"}, "a Battery , 3 Batteries for a person"),
        ({"SLOT_TYPE": "LCD TV", "SLOT_FOR": "adults"}, "an LCD TV , 3 LCD TVs for an adult"),
        ({"SLOT_TYPE": "8.5 foot", "SLOT_FOR": "child"}, "an 8.5 foot , 3 8.5 feet for a child"),
    ]:
        assert speak(" ".join(fill(tokens, slots))) == said


def test_longer_values_go_first() -> None:
    slots = [Slot("near", "east hill"), Slot("name", "hotel on east hill"), Slot("type", "hotel")]
    tokens, _ = tokens_of("hotel on east hill is the hotel near east hill", slots)
    assert tokens == ["SLOT_NAME", "is", "the", "SLOT_TYPE", "near", "SLOT_NEAR"]
    slots = [Slot("a", "one two three"), Slot("b", "three four five six")]
    assert tokens_of("one two three four five six", slots)[0] == ["one", "two", "SLOT_B"]


def test_a_slot_twice_and_a_value_of_two_slots() -> None:
    slots = [Slot("food", "thai"), Slot("food", "greek"), Slot("near", "soma"), Slot("area", "soma")]
    tokens, exceptions = tokens_of("greek or thai in soma near soma , soma", slots)
    assert tokens == ["SLOT_FOOD_2", "or", "SLOT_FOOD", "in", "SLOT_NEAR", "near", "SLOT_AREA", ",", "SLOT_AREA"]
    assert exceptions == []


def test_special_values_stay() -> None:
    slots = [
        Slot("dogs allowed", "yes"),
        Slot("dogs allowed", "no"),
        Slot("area", ""),
        Slot("area", "?"),
        Slot("food", "none"),
    ]
    assert item_tokens(slots) == [
        "SLOT_DOGS_ALLOWED_YES",
        "SLOT_DOGS_ALLOWED_NO",
        "SLOT_AREA_?",
        "SLOT_AREA_?_2",
        "SLOT_FOOD_NONE",
    ]
    assert tokens_of("yes , no and none ?", slots)[0] == ["yes", ",", "no", "and", "none", "?"]


def test_no_token_twice() -> None:
    slots = [Slot("x 2", "a b"), Slot("x", "c d"), Slot("x", "e f"), Slot("!", "g")]
    assert item_tokens(slots) == ["SLOT_X_2", "SLOT_X", "SLOT_X_3", "SLOT_X_4"]


def test_small_words_are_no_values() -> None:
    assert forms("a") == forms("of") == forms("") == forms("dont_care") == ()
    assert forms("the a") == (("the", "a"),)
    assert forms("b or") == (("b", "or"),)


def test_surface_keeps_what_was_written() -> None:
    words, surface = normalise("There's a St Ives Pub on 5 High St, isn't it?", WORDS)
    assert " ".join(words) == "there is a street ives pub on 5 high street , is n't it ?"
    assert surface == ["there", "is", "a", "St", "Ives", "Pub", "on", "5", "High", "St", ",", "is", "n't", "it", "?"]
    done = delexicalise(words, surface, [Item("SLOT_NAME", (("street", "ives", "pub"),))])
    assert done.surface[3] == "St Ives Pub"


def test_speak() -> None:
    assert speak("the the lantern inn 's hotel -s take child -s") == "the lantern inn's hotels take children"
    assert speak("a moderate -ly priced , cheap -er a an inn -s") == "a moderately priced , cheaper an inns"
    assert speak("-s alone") == "-s alone"
    assert speak("an inn . -s , -sg child -s ) -s") == "an inn . , children )"


_word = st.sampled_from(
    ["a", "an", "the", "b", "or", "and", "d", "-s", "2", "inch", "inches", "-", "child", "children"]
)
_words = st.lists(_word, max_size=5).map(" ".join)


@given(st.lists(_word, min_size=1, max_size=12), st.lists(_words, max_size=4))
def test_nothing_is_lost(words: list[str], values: list[str]) -> None:
    slots = [Slot(f"s{position % 2}", value) for position, value in enumerate(values)]
    done = delexicalise(words, words, items_of(slots))
    assert relexicalise(done.tokens, slots, done.exceptions) == " ".join(words)
    named = {position for position, item in enumerate(done.items) if item >= 0}
    beside = {position + step for position in named for step in (-1, 0, 1)}  # articles before, numbers behind
    assert beside >= {exception.position for exception in done.exceptions}
