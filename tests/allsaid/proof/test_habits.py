from dataclasses import asdict

from small_catalogue import make_text
from small_data import make_example

from allsaid.proof.habits import Habits, build_habits, sentences

TEXTS = [
    make_text("the NAME costs PRICE . it is COLOUR and made in LAND .", ["name", "price", "colour", "land"]),
    make_text("meet NAME , a lamp from LAND ! it is COLOUR .", ["name", "land", "colour"]),
    make_text("the NAME costs PRICE .", ["name", "price"]),
]


def test_habits_are_counted_from_the_texts() -> None:
    habits = build_habits(TEXTS)
    assert habits is not None
    assert (habits.most, habits.usual, habits.sentence) == (4, 4, 2)
    assert habits.later == {"colour": 2, "land": 1} and habits.mark == "."
    assert (habits.subject, habits.repeats_subject) == ("name", False)
    assert habits.order == {"colour": 0.8333, "land": 0.75, "name": 0.0, "price": 0.6667}
    # Two of the two sentences with a price have the name, too, which stands in three.
    assert habits.pairs["name"]["price"] == round(2 / (2 * 3) ** 0.5, 4)
    assert "price" not in habits.pairs.get("colour", {})
    assert Habits(**asdict(habits)) == habits


def test_subject_habits_of_corpora_are_recognised() -> None:
    again = make_text("the NAME costs PRICE . the NAME is COLOUR .", ["name", "price", "colour"])
    habits = build_habits([again])
    assert habits is not None and habits.repeats_subject and habits.sentence == 1


def test_there_is_no_subject_where_texts_begin_with_any_column() -> None:
    any_first = [make_text(f"{one} and {other} .", [one.lower(), other.lower()]) for one, other in ("AB", "BC", "CA")]
    habits = build_habits(any_first)
    assert habits is not None and habits.subject == ""


def test_texts_that_say_nothing_have_no_habits() -> None:
    assert build_habits([make_text("nothing at all .", ["name"])]) is None


def test_a_text_without_a_last_mark_ends_with_its_last_word() -> None:
    assert [list(places) for places in sentences(["a", ".", "b"])] == [[0, 1], [2]]
    assert list(sentences([])) == []
    assert [list(places) for places in sentences(["ca", ".", "b", "."], {"ca"})] == [[0, 1, 2, 3]]
    assert build_habits([make_example(1)]) is not None
