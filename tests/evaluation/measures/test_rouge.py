"""ROUGE-N beside Lin's examples and what ROUGE-1.5.5 prints."""

from __future__ import annotations

import pytest

from evaluation.measures.rouge import rouge, words_of


def test_the_example_of_lin_2004() -> None:
    """Section 3: by ROUGE-2 both texts are equal, since both have one bigram, "the gunman"."""
    reference = ["police", "killed", "the", "gunman"]
    for text in ("police kill the gunman", "the gunman kill police"):
        found = rouge(text.split(), reference, order=2)
        assert found.precision == found.recall == found.f == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("text", "reference", "recall", "precision", "f"),
    [
        (
            "jane doe -lrb- born <number> may <year> -rrb- is a scottish painter .",
            "jane doe -lrb- born <number> june <year> -rrb- is a scottish painter and poet .",
            0.45455,
            0.55556,
            0.50000,
        ),
        (
            "john roe was a french chess player , a writer and a composer .",
            "john roe was a french chess player .",
            1.00000,
            0.44444,
            0.61538,
        ),
        (
            "the well-known player 's team won , and won , and won again .",
            "the well known player ; his team won and won and won again !",
            0.55556,
            0.55556,
            0.55556,
        ),
        ("a short one", "a short one", 0.0, 0.0, 0.0),
        ("", "john roe was a french chess player .", 0.0, 0.0, 0.0),
    ],
)
def test_what_the_script_prints(text: str, reference: str, recall: float, precision: float, f: float) -> None:
    """ROUGE-1.5.5.pl -n 4 -x -f A -p 0.5, one text a line."""
    found = rouge(text.split(), reference.split())
    assert [found.recall, found.precision, found.f] == pytest.approx([recall, precision, f], abs=1e-5)


def test_letters_of_all_languages_are_letters() -> None:
    assert words_of(["für", "-lrb-", "<year>", ",", "10,5", "Łódź"]) == ["für", "lrb", "year", "10", "5", "łódź"]
