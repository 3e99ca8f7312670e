"""English forms of a value: which are made, and which are not."""

from __future__ import annotations

import pytest
from cases import cases

from allsaid.language.inflection import adverb, adverbs, article, inflected, is_english, language_of, plural, singular


def forms_of(value: str) -> list[str]:
    return [" ".join(form) for form in inflected((tuple(value.split()),))]


@cases
def test_forms_that_a_text_may_have(value: str, written: str) -> None:
    assert written in forms_of(value)


@pytest.mark.parametrize(
    "value", ["21", "a+", "new", "short", "news", "goods", "medium", "media", "stainless", "wireless"]
)
def test_words_whose_other_number_is_another_word(value: str) -> None:
    assert not {"shorts", "short", "new", "news", "good", "media", "medium", "stainles"} & set(forms_of(value))


@cases
def test_adverbs(word: str, made: str) -> None:
    assert adverb(word) == made
    assert adverbs((("very", word),)) == (() if made == word else (("very", made),))


@pytest.mark.parametrize(
    ("one", "many"),
    [("child", "children"), ("Man", "Men"), ("TV", "TVs"), ("bus", "buses"), ("gas", "gases"), ("policy", "policies")],
)
def test_plural_and_singular(one: str, many: str) -> None:
    assert (plural(one), plural(many), singular(one), singular(many)) == (many, many, one, one)


@cases
def test_articles_by_sound(with_an: str, with_a: str) -> None:
    assert {article([word]) for word in with_an.split()} == {"an"}
    assert {article([word]) for word in with_a.split()} == {"a"}


def test_an_article_agrees_across_punctuation() -> None:
    assert article(["(", "oak"]) == article(["$", "8"]) == "an"
    assert article([]) == article(["..."]) == "a"


@pytest.mark.parametrize("text", ["", "zephyr 21 : 44 watt", "the la quinta inn is in el monte", "it uses 44 watt"])
def test_english(text: str) -> None:
    assert is_english(text.split())


@pytest.mark.parametrize("text", ["das zimmer liegt an der see", "un hotel con vista a la playa", "il est au lac"])
def test_other_languages(text: str) -> None:
    assert not is_english(text.split())


@cases
def test_the_commonest_words_tell_the_language(language: str, text: str) -> None:
    assert language_of(text.split()) == language
