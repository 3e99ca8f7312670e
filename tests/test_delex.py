"""Slot values <-> placeholders, without loss."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.delex import Item, delexicalise, forms, item_tokens, items_of, relexicalise, speak
from pipelines.word_table import WORDS, normalise
from schemas.act import Slot, Written

INN = [Slot("name", "the lantern inn"), Slot("area", "old port or east hill"), Slot("dogsallowed", "no")]


def tokens_of(text: str, slots: list[Slot]) -> tuple[list[str], list[Written]]:
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
    assert exceptions == ([Written(3, written)] if written != "old port or east hill" else [])


def test_a_value_without_its_determiner() -> None:
    assert tokens_of("a lantern inn", INN) == (["a", "SLOT_NAME"], [Written(1, "lantern inn")])


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


_word = st.sampled_from(["a", "the", "b", "c", "or", "and", "d", "-s", "2"])
_words = st.lists(_word, max_size=5).map(" ".join)


@given(st.lists(_word, min_size=1, max_size=12), st.lists(_words, max_size=4))
def test_nothing_is_lost(words: list[str], values: list[str]) -> None:
    slots = [Slot(f"s{position % 2}", value) for position, value in enumerate(values)]
    done = delexicalise(words, words, items_of(slots))
    assert relexicalise(done.tokens, slots, done.exceptions) == " ".join(words)
    named = {position for position, item in enumerate(done.items) if item >= 0}
    assert named >= {exception.position for exception in done.exceptions}
