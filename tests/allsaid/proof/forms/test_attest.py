"""What the attester finds, kind by kind, in texts of a row by six known texts of a shop."""

from __future__ import annotations

from dataclasses import replace

import pytest
from cases import cases
from small_forms import IRIS, SHOP, book_of, form_of, kinds, row_of, text_of, tokens_of

from allsaid.proof.forms.certificate.attest import Attester
from allsaid.proof.forms.phrasebook import Bounds
from schemas.example import Example

BOOK = book_of(SHOP)
ROW = row_of(*IRIS)
LAMP = row_of("name=Elm", "colour=blue", "weight=3 kg", "land=Peru", goal="lamp")


@pytest.mark.parametrize("text", SHOP, ids=lambda text: text.text)
def test_the_known_texts_are_attested_of_their_rows(text: Example) -> None:
    assert kinds(BOOK, text.text, text) == []


@cases
def test_what_is_found_of_a_mug(written: str, found: list[str]) -> None:
    assert kinds(BOOK, written, ROW) == found


def test_words_of_another_goal_are_found() -> None:
    assert kinds(BOOK, "the NAME is a mug for coffee .", ROW) == []
    assert kinds(BOOK, "the NAME is a lamp for coffee .", LAMP) == ["goal"]
    assert kinds(BOOK, "the NAME is a mug .", LAMP) == ["unknown"]  # the goal's own name


def test_words_of_many_goals_suit_a_new_goal() -> None:
    """Seen in four texts of four goals, but not of the fifth; "nice" is in three texts only."""
    goals = ("mug", "lamp", "pan", "bag", "box")
    texts = [
        text_of(f"the {goal} is here . it is {'nice' if n < 3 else 'old'} .", goal=goal) for n, goal in enumerate(goals)
    ]
    texts += [text_of(f"the {goal} is here . it is good .", goal=goal) for goal in goals[:4]]
    book = book_of(texts, subject="")
    assert kinds(book, "the box is here . it is good .", row_of(goal="box")) == []
    assert kinds(book, "the box is here . it is nice .", row_of(goal="box")) == ["goal"]


def test_statements_foreign_to_a_goal_are_found() -> None:
    """Half of all texts are of boxes, so that chance would have "good" in six of its twelve there."""
    texts = [text_of("the mug is here . it is good .")] * 6 + [text_of("the lamp is here . it is good .", goal="lamp")]
    texts = [*texts, *[texts[-1]] * 5, *[text_of("the box is here . it is old .", goal="box")] * 12]
    book = book_of(texts, subject="")
    assert kinds(book, "the mug is here . it is good .", row_of()) == []
    assert kinds(book, "the box is here . it is good .", row_of(goal="box")) == ["goal"]


def test_a_row_out_of_a_form_s_bounds_is_found() -> None:
    form = form_of("it comes in SLOT_COLOUR")
    bound = replace(BOOK, bounds={form: Bounds({"SLOT_WEIGHT": (3.0, 4.0)}, frozenset(("SLOT_SAFE_YES",)))})
    text = "the NAME is a mug . it comes in COLOUR ."
    assert kinds(bound, text, ROW) == ["bound"]  # 2 kg
    assert kinds(bound, text, row_of("name=A", "colour=red", "weight=3 kg", "safe=yes")) == []
    assert kinds(bound, text, row_of("name=A", "colour=red", "weight=3 kg", "safe=no")) == ["bound"]
    assert kinds(bound, text, row_of("name=A", "colour=red")) == []


def test_a_finding_is_the_passage_of_its_clause() -> None:
    tokens = tokens_of("the NAME is a mug . it comes in COLOUR and is of gold .")
    (found,) = Attester(BOOK).check(tokens, ROW).findings
    assert tokens[found.first : found.end] == ["is", "of", "gold"]


def test_a_joint_without_a_clause_is_found_at_the_clause_before() -> None:
    tokens = tokens_of("the NAME is a mug and .")
    found = Attester(BOOK).check(tokens, ROW).findings
    assert [(one.kind, tokens[one.first : one.end]) for one in found] == [("unknown", tokens[:5])]


def test_what_attested_clauses_express_is_counted() -> None:
    tokens = tokens_of("the NAME is a COLOUR mug . it comes in COLOUR . it is of gold . it is dishwasher safe .")
    found = Attester(BOOK).check(tokens, ROW)
    assert found.expressed == {"SLOT_NAME": 1, "SLOT_COLOUR": 2, "GOAL": 1, "SLOT_SAFE_YES": 1}
    assert tokens.index("gold") not in found.places and 1 in found.places


SWAPS = [
    text_of("it comes in COLOUR today .", "colour=red"),
    text_of("it ships in COLOUR today .", "colour=red"),
    text_of("it comes in boxes .", "colour=red"),
    text_of("it is in COLOUR now .", "colour=red"),
    text_of("it is in LAND now .", "land=Peru"),
    text_of("it grew in LAND .", "land=Peru"),
]


@cases
def test_one_run_of_a_clause_may_be_another_that_says_the_same(written: str, found: list[str]) -> None:
    book = book_of(SWAPS, subject="")
    assert kinds(book, written, row_of("colour=red", "land=Peru")) == found


def test_forms_belong_to_the_acts_they_were_seen_with() -> None:
    texts = [text_of("how about NAME ?", "name=Iris", goal="suggest"), text_of("NAME it is .", "name=Iris", goal="say")]
    book = book_of(texts, is_strict=True)
    assert kinds(book, "how about NAME ?", row_of("name=Oak", goal="suggest")) == []
    assert kinds(book, "how about NAME ?", row_of("name=Oak", goal="say")) == ["unknown"]


def test_the_joint_of_many_clauses_joins_any_whole_ones() -> None:
    both = ["it shines ; it glows .", "it glows ; it burns .", "it burns ; it hums ."]
    texts = [text_of(one) for one in (*both, "it hums .", "it shines .", "it glows .", "it burns .", "it sings .")]
    for written, is_known in (("it sings ; it shines .", True), ("it sings , it shines .", False)):
        assert (kinds(book_of(texts, subject=""), written, row_of()) == []) is is_known
    fewer = book_of([texts[0], *texts[3:]], subject="")
    assert kinds(fewer, "it sings ; it hums .", row_of()) == ["joint"]
    assert kinds(fewer, "it shines ; it hums .", row_of()) == []  # "shines ; it" is known


def test_clauses_of_the_same_subject_are_joined_alike() -> None:
    """ "it" is a subject by itself, since what follows it also follows "and"."""
    pair = ("weight=1 kg", "colour=red")
    texts = [
        text_of("it weighs WEIGHT and comes in COLOUR .", *pair),
        text_of("it comes in COLOUR , and weighs WEIGHT .", *pair),
        text_of("it shines .", *pair),
    ]
    written = "it shines and comes in COLOUR ."
    assert kinds(book_of(texts, subject=""), written, texts[0]) == []
    more = [*texts, text_of("it shines . it hums . it glows .")]
    assert kinds(book_of(more, subject=""), written, texts[0]) == ["joint"]


def test_a_text_may_begin_with_a_clause_of_one_symbol() -> None:
    texts = [text_of("hello , the NAME is here .", "name=A"), text_of("goodbye !")]
    book = book_of(texts)
    assert kinds(book, "hello , the NAME is here .", row_of("name=B")) == []
    assert kinds(book_of(texts[1:]), "goodbye !", row_of()) == []
    assert kinds(book, "the NAME is here .", row_of("name=B")) == ["beginning"]


@pytest.mark.parametrize(
    ("value", "found"), [("red", []), ("blue", ["value"]), ("pink", []), ("dark green", ["value"])]
)
def test_a_value_that_a_form_never_has_where_it_should_is_found(value: str, found: list[str]) -> None:
    """Half of all colours are blue, so that chance would have six of twelve in "it shines in COLOUR".

    A new value may be there if it has as many words as a known one.
    """
    texts = [text_of("it shines in COLOUR .", "colour=red")] * 12 + [text_of("it is COLOUR .", "colour=blue")] * 12
    book = book_of(texts, subject="")
    assert kinds(book, "it shines in COLOUR .", row_of(f"colour={value}")) == found
    fewer = book_of([*texts[:4], *texts[12:]], subject="")
    assert kinds(fewer, "it shines in COLOUR .", row_of(f"colour={value}")) == []


def test_values_need_words_seen_with_their_column() -> None:
    attester, index = Attester(book_of(SHOP * 50)), BOOK.reader.index(ROW)
    assert attester.out_of_place(tokens_of("it comes in COLOUR and is made in LAND ."), index) == set()
    assert attester.out_of_place(tokens_of("a COLOUR mug for LAND as a gift ."), index) == {"SLOT_LAND"}
    assert attester.out_of_place(tokens_of("for LAND as a gift . it is made in LAND ."), index) == set()


def test_new_words_beside_a_value_say_nothing_in_few_texts() -> None:
    attester, index = Attester(book_of(SHOP)), BOOK.reader.index(ROW)
    assert attester.out_of_place(tokens_of("a COLOUR mug for LAND as a gift ."), index) == set()


def test_new_words_beside_a_value_say_nothing_if_all_differ() -> None:
    lines = ("name=Iris", "land=Peru")
    varied = [text_of(f"the NAME comes w{number} LAND x{number} .", *lines) for number in range(5)]
    tokens = tokens_of("the NAME comes for LAND as a gift .")
    for texts, wrong in ((50 * varied[:1], {"SLOT_LAND"}), (46 * varied[:1] + varied[1:], set())):
        book = book_of(texts, subject="")
        assert Attester(book).out_of_place(tokens, book.reader.index(row_of(*lines))) == wrong


def test_struck_forms_are_unknown() -> None:
    book = BOOK.without([form_of("it comes in SLOT_COLOUR")])
    assert kinds(book, "the NAME is a mug . it comes in COLOUR .", ROW) == ["unknown"]
