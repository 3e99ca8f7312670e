"""Other words for a goal, by the frames that several goals share."""

from __future__ import annotations

from small_forms import book_of, form_of, row_of, text_of

from allsaid.proof.forms.symbols import GOAL

TEXTS = [
    text_of("it is a mug for you . buy the mug ."),
    text_of("it is a lamp for you . buy the lamp .", goal="lamp"),
    text_of("it is a cup for you . buy the cup ."),
    text_of("it is a light for you . take a light .", goal="lamp"),
    text_of("it is a thing for you . buy the thing ."),
    text_of("it is a thing for you . buy the thing .", goal="lamp"),
]


def test_two_shared_frames_make_a_synonym() -> None:
    """But "light" is in one such frame only, and "thing" is said of both goals."""
    book = book_of(TEXTS)
    assert dict(book.reader.synonyms) == {"mug": ("cup",)}
    assert {("is", "a", "for"), ("buy", "the", "")} <= book.reader.frames


def test_texts_with_a_synonym_count_as_texts_with_the_goal() -> None:
    (known,) = [one for one in book_of(TEXTS).sentences if one.words == ("buy", "the", GOAL, ".")]
    assert known.goals == {"lamp": 1, "mug": 2}
    found = book_of(TEXTS).reader.read(form_of("buy the cup ."), row_of(goal="lamp"))
    assert found[2].text == "cup"


def test_a_frame_of_one_goal_makes_no_synonym() -> None:
    assert dict(book_of(one for one in TEXTS if one.goal == "mug").reader.synonyms) == {}


def test_goals_that_do_not_recur_or_name_acts_have_none() -> None:
    assert not book_of(TEXTS, has_goals=False).reader.synonyms
    assert not book_of(TEXTS, is_strict=True).reader.synonyms
