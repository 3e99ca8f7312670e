"""Written forms are made uniform, and tokenising loses nothing."""

from __future__ import annotations

import pytest

from allsaid.language.text import LANGUAGES, _tokenizer, is_word, latin_share, normalize, tokenize, tokenize_steps
from schemas.example import LINE_BREAK


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        ("Add 1½ cups", "Add 1 1/2 cups"),
        ("1-1/2 c. milk", "1 1/2 c milk"),
        ("2 1 / 2 cups", "2 1/2 cups"),
        ("at 350F. Stir", "at 350 degrees F. Stir"),
        ("at 350°F/180C until", "at 350 degrees F/180 degrees C until"),
        ("at 350 deg. F. for an hour", "at 350 degrees F for an hour"),
        ("at 325° until", "at 325 degrees until"),
        ("at 350'F, 375~F, 400* f or 425~", "at 350 degrees F, 375 degrees F, 400 degrees F or 425 degrees"),
        ("at 350f", "at 350 degrees F"),
        ("Stir.~ Add *hot* water. ++++++ Serve", "Stir. Add hot water. Serve"),
        ("1.Mix. 2.Heat 1.5 l", "1. Mix. 2. Heat 1.5 l"),
        ("wait..now", "wait...now"),
        ("20 - 25 minutes", "20-25 minutes"),
        ("a 9 - inch pan", "a 9-inch pan"),
        ("for 10min. or so", "for 10 min or so"),
        ("1 lb. beef", "1 lb beef"),
        ("Use 1 lb. Then", "Use 1 lb. Then"),
        ("butter,melted;stir", "butter, melted; stir"),
        ("(to taste).Cook it", "(to taste). Cook it"),
        ("to taste.Cook it", "to taste. Cook it"),
        ("salt , pepper .", "salt, pepper."),
        ("a .5 oz. bag", "a .5 oz bag"),
        ("serve - hot--now", "serve -- hot -- now"),
        ("all-purpose", "all-purpose"),
        ("it’s “done”…", 'it\'s "done"...'),
        ("a\u00a0\tb   c", "a b c"),
    ],
)
def test_one_written_form(written: str, normal: str) -> None:
    assert normalize(written) == normal
    assert normalize(normal) == normal


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Mix 1 1/2 cups.", "Mix|1|1/2|cups|."),
        ("350 degrees F. Stir", "350|degrees|F|.|Stir"),
        ("all-purpose flour", "all-purpose|flour"),
        ("a 9-inch pan, 20-25 min", "a|9|-|inch|pan|,|20|-|25|min"),
        ("don't (about 8) cannot", "do|n't|(|about|8|)|cannot"),
        ("Mr. Smith's and/or 8 oz. cans", "Mr.|Smith|'s|and/or|8|oz|.|cans"),
        ("F/180", "F|/|180"),
        ("wait -- now...", "wait|--|now|..."),
        ("id Im well", "id|Im|well"),
        ("", ""),
    ],
)
def test_tokens(text: str, tokens: str) -> None:
    assert tokenize(text) == [token for token in tokens.split("|") if token]
    assert "".join(tokenize(text)) == text.replace(" ", "")


@pytest.mark.parametrize(
    ("language", "text", "tokens"),
    [
        ("de", "Im Flur, im Bad. Er kostet 300.", "Im|Flur|,|im|Bad|.|Er|kostet|300|."),
        ("de", "Er kostet 300. Im 19. Jahrhundert", "Er|kostet|300|.|Im|19|.|Jahrhundert"),
        ("de", "z.B. ca. 9 kg (8) :D", "z.B.|ca.|9|kg|(|8|)|:|D"),
        ("de", "S-Bahn, 3-Sitzer, geht's", "S-Bahn|,|3|-|Sitzer|,|geht's"),
        ("fr", "d'acier, l’eau et qu'il", "d'|acier|,|l’|eau|et|qu'|il"),
        ("fr", "Aujourd'hui, L'Orion pèse 300.", "Aujourd'hui|,|L'|Orion|pèse|300|."),
        ("fr", "porte-clés, a-t-il ?", "porte-clés|,|a|-t|-il|?"),
        ("es", "d'acier", "d'acier"),  # by the English rules
    ],
)
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
