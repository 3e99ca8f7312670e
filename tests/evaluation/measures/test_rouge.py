"""ROUGE-N beside Lin's examples and what ROUGE-1.5.5 prints."""

from __future__ import annotations

import pytest

from evaluation.measures.rouge import rouge, rouge_l, words_of


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


@pytest.mark.parametrize(
    ("text", "share"), [("police kill the gunman", 3 / 4), ("the gunman kill police", 2 / 4), ("", 0.0)]
)
def test_the_longest_common_words_of_lin_2004(text: str, share: float) -> None:
    """Section 3.1: ROUGE-L tells the two apart that ROUGE-2 does not."""
    found = rouge_l(text.split(), ["police", "killed", "the", "gunman", "."])
    assert (found.precision, found.recall, found.f) == pytest.approx((share, share, share))


def test_the_longest_common_words_may_have_others_between_them() -> None:
    found = rouge_l(["a", "b", "x", "c", "d"], ["a", "y", "b", "c", "z", "z"])
    assert (found.precision, found.recall, found.f) == pytest.approx((3 / 5, 3 / 6, 6 / 11))
