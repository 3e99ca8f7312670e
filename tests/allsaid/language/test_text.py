"""Written forms are made uniform, and tokenising loses nothing."""

from __future__ import annotations

import pytest
from cases import cases

from allsaid.language.text import LANGUAGES, _tokenizer, is_word, latin_share, normalize, tokenize, tokenize_steps
from schemas.example import LINE_BREAK


@cases
def test_one_written_form(written: str, normal: str) -> None:
    assert normalize(written) == normal
    assert normalize(normal) == normal


@cases
def test_tokens(text: str, tokens: str) -> None:
    assert tokenize(text) == [token for token in tokens.split("|") if token]
    assert "".join(tokenize(text)) == text.replace(" ", "")


@cases
def test_tokens_by_the_rules_of_a_language(language: str, text: str, tokens: str) -> None:
    assert tokenize(text, language) == tokens.split("|")
    assert "".join(tokenize(text, language)) == text.replace(" ", "")


def test_plain_words_need_no_tokeniser() -> None:
    """The short cut for words of letters says what spaCy would say, special cases included."""
    words = ("Salt", "crème", "cannot", "im", "dont")
    for language in LANGUAGES:
        spacy_tokens = {word: [token.text for token in _tokenizer(language)(word)] for word in words}
        assert spacy_tokens == {word: tokenize(word, language) for word in spacy_tokens}


def test_steps_are_parted_by_one_line_break() -> None:
    assert tokenize_steps(["Stir.", "Bake it."]) == ["Stir", ".", LINE_BREAK, "Bake", "it", "."]
    assert tokenize_steps([]) == []


def test_words_have_a_letter_or_digit() -> None:
    assert [is_word(token) for token in ("salt", "1/2", ".", "--", LINE_BREAK)] == [True, True, False, False, False]


def test_latin_share() -> None:
    assert latin_share("Crème brûlée, 3 œufs") == 1
    assert latin_share("суп soup") == pytest.approx(4 / 7)
    assert latin_share("123") == 1


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "chunk",
    [
        "butter,",
        "mixture;",
        "following:",
        "done.",
        "hot!",
        "why?",
        "pan)",
        "etc.",
        "tsp.",
        "don't,",
        "a.",
        "F.",
        "I.",
        "cannot,",
        "Stir.",
        "Dr.",
        "deep-fry",
        "Deep-fry:",
        "350",
        "350.",
        "12,",
        "U.S.",
        "e-mail",
        "D'où,",
        "l'eau.",
        "(see",
        "(Dr.",
        "(don't",
        "thin).",
        "thin.)",
        "etc.),",
        "(semi-sweet'",
        "SEMI-SWEET.",
    ],
)
def test_marks_at_the_end_are_split_as_by_spacy(language: str, chunk: str) -> None:
    assert tokenize(chunk, language) == [token.text for token in _tokenizer(language)(chunk)]
