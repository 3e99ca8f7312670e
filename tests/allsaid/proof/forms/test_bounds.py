"""To which rows a form is bound, and by what chance."""

from __future__ import annotations

from random import Random

import pytest
from small_forms import book_of, form_of, kinds, row_of, text_of

from allsaid.proof.forms import bounds
from allsaid.proof.forms.bounds import chance_of_range
from allsaid.proof.forms.phrasebook import Bounds
from schemas.example import Example


@pytest.fixture(autouse=True)
def one_in_a_thousand(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that tables of the tests may be small."""
    monkeypatch.setattr(bounds, "CHANCE", 0.001)


EASY = form_of("it is easy to carry")
USB = form_of("you charge it by usb")


@pytest.mark.parametrize("count", [2, 3, 5])
@pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
def test_the_chance_of_a_range_is_that_of_random_numbers(count: int, share: float) -> None:
    chance = Random(1)
    draws = 20_000
    ranges = (max(drawn) - min(drawn) for drawn in ([chance.random() for _ in range(count)] for _ in range(draws)))
    assert chance_of_range(count, share) == pytest.approx(sum(one <= share for one in ranges) / draws, abs=0.012)


def test_the_chance_of_a_range_by_hand() -> None:
    assert chance_of_range(3, 0.5) == pytest.approx(3 * 0.25 - 2 * 0.125)
    assert chance_of_range(4, 1.0) == 1


def shop(easy: int, usb: int, goal: str = "mug") -> list[Example]:
    """48 rows: the lightest ``easy`` ones are easy to carry, and ``usb`` of the 24 with a yes are charged by USB."""
    texts = []
    for number in range(48):
        safe = "yes" if number % 2 else "no"
        written = "it weighs WEIGHT ." + (" it is easy to carry ." if number < easy else "")
        written += " you charge it by usb ." if safe == "yes" and number < 2 * usb else ""
        texts.append(text_of(written, f"weight={number + 1} kg", f"safe={safe}", goal=goal))
    return texts


def test_statements_are_bound_to_their_range_of_values() -> None:
    found = book_of(shop(6, 0)).bounds
    assert found[EASY] == Bounds({"SLOT_WEIGHT": (1.0, 6.0)})
    assert ("carry",) not in found  # a word alone is bound to no range
    assert ("it", "weighs", "SLOT_WEIGHT") not in found and ("it",) not in found


def test_what_chance_may_do_is_no_bound() -> None:
    # 5 of 48: 5 p^4 - 4 p^5 = 0.0005; 4: 4 p^3 - 3 p^4 = 0.002.
    assert EASY in book_of(shop(5, 0)).bounds
    assert EASY not in book_of(shop(4, 0)).bounds
    assert EASY not in book_of(shop(48, 0)).bounds


def test_what_is_said_of_a_yes_only_is_bound_to_it() -> None:
    """Ten rows of which half have the yes: 1/1024."""
    assert book_of(shop(0, 10)).bounds[USB].states == {"SLOT_SAFE_YES"}
    assert USB not in book_of(shop(0, 9)).bounds


def test_a_form_is_not_bound_to_what_it_says_itself() -> None:
    texts = [text_of("it is dishwasher safe .", "safe=yes"), text_of("it is dull .", "safe=no")] * 12
    book = book_of(texts)
    assert not any("dishwasher|SLOT_SAFE_YES" in form for form in book.bounds)
    assert book.bounds[("it", "is", "dull")].states == {"SLOT_SAFE_NO"}


def test_a_row_out_of_bounds_is_found() -> None:
    texts = shop(6, 24)
    book = book_of(texts, subject="")
    light, heavy = (row_of(f"weight={weight} kg", "safe=yes") for weight in (4, 9))
    written = "it weighs WEIGHT . it is easy to carry ."
    assert kinds(book, written, light) == [] and kinds(book, written, heavy) == ["bound"]
    charged = "it weighs WEIGHT . you charge it by usb ."
    assert kinds(book, charged, heavy) == []
    assert kinds(book, charged, row_of("weight=9 kg", "safe=no")) == ["bound"]
    assert kinds(book, charged, row_of("weight=9 kg")) == []  # a row that says neither
