"""Tokens as symbols: placeholders of columns, enumerations, words that say yes or no, and the goal."""

from __future__ import annotations

from dataclasses import replace

import pytest
from small_forms import row_of, text_of, tokens_of

from allsaid.proof.foods.names import stems_of
from allsaid.proof.forms.symbols import GOAL, Reader, frame_at, is_value, learn_gaps, speaks_of

LINES = ("made of=oak", "made of=steel", "made of=glass", "land=Spain")
ROW = row_of(*LINES)
AND = Reader(gaps=frozenset(((",",), ("and",))))
SAFE = Reader({"safe": frozenset(("dishwasher", "usb"))})


def symbols(reader: Reader, written: str, row: object = ROW) -> list[str]:
    return [symbol.text for symbol in reader.read(tokens_of(written), row)]  # type: ignore[arg-type]


def test_a_value_s_placeholder_is_its_column_s() -> None:
    assert symbols(Reader(), "from LAND , of MADE_OF_2 .") == ["from", "SLOT_LAND", ",", "of", "SLOT_MADE_OF", "."]


def test_an_enumeration_is_one_symbol_over_all_its_tokens() -> None:
    found = AND.read(tokens_of("of MADE_OF , MADE_OF_3 and MADE_OF_2 ."), ROW)
    assert [tuple(one) for one in found] == [
        ("of", 0, 1, ""),
        ("SLOT_MADE_OF+", 1, 6, "SLOT_MADE_OF"),
        (".", 6, 7, ""),
    ]


def test_other_columns_values_are_separate_symbols() -> None:
    assert symbols(AND, "MADE_OF and LAND") == ["SLOT_MADE_OF", "and", "SLOT_LAND"]
    assert symbols(AND, "MADE_OF or MADE_OF_2") == ["SLOT_MADE_OF", "or", "SLOT_MADE_OF"]
    assert symbols(Reader(), "MADE_OF and MADE_OF_2") == ["SLOT_MADE_OF", "and", "SLOT_MADE_OF"]


def test_a_placeholder_that_the_row_lacks_stays_a_word() -> None:
    found = Reader().read(tokens_of("it is COLOUR"), ROW)[-1]
    assert (found.text, found.expresses) == ("SLOT_COLOUR", "")


@pytest.mark.parametrize(("value", "token"), [("yes", "SLOT_SAFE_YES"), ("no", "SLOT_SAFE_NO")])
def test_a_word_of_a_yes_no_column_expresses_what_the_row_says(value: str, token: str) -> None:
    found = SAFE.read(tokens_of("it is dishwasher safe"), row_of(f"safe={value}"))[2]
    assert (found.text, found.expresses) == (f"dishwasher|{token}", token)
    assert symbols(SAFE, "it is dishwasher safe") == ["it", "is", "dishwasher", "safe"]  # the row says nothing of it


def test_long_words_match_within_compounds() -> None:
    assert symbols(SAFE, "undishwashered usbs", row_of("safe=no")) == ["undishwashered|SLOT_SAFE_NO", "usbs"]
    assert speaks_of("usb", frozenset(("usb",))) and not speaks_of("usbs", frozenset(("usb",)))


def test_the_goal_is_one_symbol_in_any_form() -> None:
    row = row_of(goal="Travel  mug")
    found = Reader().read(tokens_of("two travel mugs , one mug"), row)
    assert [symbol.text for symbol in found] == ["two", GOAL, ",", "one", "mug"]
    assert (found[1].first, found[1].end, found[1].expresses) == (1, 3, GOAL)
    assert Reader().index(row).goal == stems_of(["travel", "mug"])


def test_a_goal_that_names_an_act_is_no_symbol() -> None:
    assert symbols(replace(Reader(), names_goal=False), "we inform you", row_of(goal="inform")) == [
        "we",
        "inform",
        "you",
    ]


def test_a_synonym_is_the_goal_in_known_frames_only() -> None:
    reader = Reader(synonyms={"mug": ("cup",)}, frames=frozenset((("is", "a", "for"), ("is", "a", ""))))
    assert symbols(reader, "it is a cup for tea") == ["it", "is", "a", GOAL, "for", "tea"]
    assert symbols(reader, "it is a cup .") == ["it", "is", "a", GOAL, "."]
    assert symbols(reader, "drink a cup for tea")[2] == "cup"
    assert symbols(reader, "it is a cup for tea", row_of(goal="lamp"))[3] == "cup"


def test_an_article_before_a_value_is_any_article() -> None:
    assert symbols(Reader(), "a LAND an LAND a/an LAND a dish") == [*["a/an", "SLOT_LAND"] * 3, "a", "dish"]


def test_frames_end_with_the_sentence() -> None:
    assert frame_at(["a", "b", "c", "."], 2) == ("a", "b", "")
    assert frame_at(["a", "b"], 0) == ("", "", "b")
    assert frame_at(["a"], 0) == ("", "", "")


@pytest.mark.parametrize(("word", "expected"), [(GOAL, True), ("SLOT_X+", True), ("dry|SLOT_Y_NO", True), ("a", False)])
def test_what_expresses_something_of_the_row(word: str, expected: bool) -> None:
    assert is_value(word) is expected


def test_gaps_are_learned_from_a_twentieth_of_their_places_on() -> None:
    often = [text_of("MADE_OF and MADE_OF_2 from LAND", *LINES) for _ in range(19)]
    once = text_of("MADE_OF or MADE_OF_2", *LINES)
    assert learn_gaps((one.tokens, one) for one in [*often, once]) == {("and",), ("or",)}
    assert learn_gaps((one.tokens, one) for one in [*often, often[0], once]) == {("and",)}


def test_what_is_wide_or_nothing_is_no_gap() -> None:
    texts = [text_of("MADE_OF and also of MADE_OF_2 MADE_OF_3", *LINES)]
    assert learn_gaps((one.tokens, one) for one in texts) == frozenset()
