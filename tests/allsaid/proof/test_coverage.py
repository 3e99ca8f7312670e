"""What "given" and "extra" mean, on texts small enough to check by eye."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from small_data import make_example

from allsaid.proof.coverage import Lexicon, build_lexicon, measure
from schemas.example import Example

EMPTY = Lexicon({})


def words(text: str) -> list[str]:
    return text.split()


def example(text: str, agenda: list[str], number: int = 0) -> Example:
    names = [name.split() for name in agenda]
    return replace(make_example(number), agenda=agenda, agenda_tokens=names, text=text, tokens=text.split())


def test_given_by_stemmed_head_full_name_and_any_word() -> None:
    text = words("slice the tomatoes , warm the oil ; then add red onions .")
    agenda = [["tomato"], ["olive_oil"], ["red", "onion"], ["red_wine"], ["garlic"]]
    coverage = measure(text, agenda, EMPTY)
    assert coverage.given == [True, True, True, False, False]
    assert coverage.full_name == [True, False, True, False, False]
    assert coverage.any_word == [True, True, True, True, False]
    assert (coverage.percent_given, coverage.percent_given_full_name, coverage.percent_given_any_word) == (60, 40, 80)
    assert coverage.mentions == [[2], [6], [10, 11], [], []]


def test_a_phrase_token_in_the_text_is_split() -> None:
    coverage = measure(["add", "olive_oil", "and", "oil"], [["oil"], ["extra", "olive", "oil"]], EMPTY)
    assert coverage.given == [True, True]
    assert coverage.full_name == [True, False]
    assert coverage.mentions == [[1, 3], [1, 3]]


def test_full_name_asks_for_order_and_neighbours() -> None:
    agenda = [["brown", "sugar"]]
    assert measure(words("sugar brown"), agenda, EMPTY).full_name == [False]
    assert measure(words("brown the sugar"), agenda, EMPTY).full_name == [False]
    assert measure(words("brown brown sugar"), agenda, EMPTY).full_name == [True]


def test_an_item_without_a_word_is_never_given() -> None:
    coverage = measure(["salt"], [[], ["salt"]], EMPTY)
    assert (coverage.given, coverage.full_name, coverage.any_word) == ([False, True],) * 3


def test_of_an_empty_agenda_all_is_given() -> None:
    assert measure(["goodbye"], [], Lexicon({})).percent_given == 100


def test_extra_names_longest_first_and_once_a_text() -> None:
    lexicon = Lexicon({"cream": 90, "cream cheese": 50, "cheese cake mix": 30, "egg": 99})
    tokens = words("beat cream cheese cake mix , egg , egg and cream")
    coverage = measure(tokens, [["flour"]], lexicon)
    # "cheese cake mix" is the longest, so that "cream" before it stands alone and "cream cheese" doesn't count.
    assert coverage.extra == ["cream", "cheese cake mix", "egg"]
    assert coverage.extra_mentions == [[1, 10], [2, 3, 4], [6, 8]]


@pytest.mark.parametrize(
    ("agenda", "extra"),
    [
        ([["virgin", "olive_oil"]], []),  # all words belong to one item
        ([["corn", "oil"]], []),  # the same head
        ([["olive_oil", "spread"]], []),
        ([["green", "olives"], ["oiled", "paper"]], ["olive oil"]),  # the words belong to two items
        ([["vinegar"]], ["olive oil"]),
    ],
)
def test_what_the_agenda_backs_is_not_extra(agenda: list[list[str]], extra: list[str]) -> None:
    assert measure(["add", "olive_oil", "."], agenda, Lexicon({"olive oil": 20})).extra == extra


def test_lexicon_keeps_frequent_and_supported_names() -> None:
    rows = [example("add eggs", ["eggs"], n) for n in range(3)]
    rows += [example("add an egg and salt", ["egg", "salt"], n) for n in range(3, 5)]
    rows += [example("add salt and water", ["salt"], n) for n in range(5, 8)]  # water: backed in none of these
    rows += [example("boil", ["water"], n) for n in range(8, 13)]  # seen 5 times, never in the text
    rows += [example("add water", ["hot_water"], n) for n in range(13, 16)]  # backed: same head
    assert build_lexicon(rows, min_seen=5, min_backed=0.5).names == {"eggs": 5, "salt": 5, "water": 5}
    assert build_lexicon(rows, min_seen=5, min_backed=0.51).names == {"eggs": 5, "salt": 5}
    assert build_lexicon(rows, min_seen=3, min_backed=0.51).names == {"eggs": 5, "salt": 5, "hot water": 3}
    assert build_lexicon(iter(rows), min_seen=6).names == {}


def test_a_longer_name_takes_the_mention() -> None:
    rows = [example("melt butter", ["butter"], n) for n in range(3)]
    rows += [example("spread peanut butter", ["peanut_butter"], n) for n in range(3, 6)]
    rows += [example("spread apple butter", ["apple"], n) for n in range(6, 9)]  # butter here is not backed
    assert build_lexicon(rows, min_seen=3).names == {"apple": 3, "butter": 3, "peanut butter": 3}
    assert build_lexicon(rows, min_seen=3, min_backed=0.6).names == {"apple": 3, "peanut butter": 3}


def test_lexicon_survives_json() -> None:
    lexicon = Lexicon({"olive oil": 20, "egg": 30})
    assert Lexicon.from_json(json.loads(json.dumps(lexicon.to_json()))) == lexicon
