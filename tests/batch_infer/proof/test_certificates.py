"""What the judge of agendas makes of a text's certificate: columns `certified`, `unattested`, `used` and `extra`."""

from __future__ import annotations

from dataclasses import replace

import pytest
from small_bundle import bundle_of, found
from small_forms import IRIS, SHOP, book_of, row_of, text_of, tokens_of

from allsaid.decoding.hypothesis import Hypothesis
from allsaid.proof.coverage import Coverage
from batch_infer.proof.agenda import Judge, opposite
from batch_infer.rows.inputs import Row

WHOLE = "the NAME is a COLOUR mug . it weighs WEIGHT and is made in LAND . it is dishwasher safe ."
BUNDLE = bundle_of()


def row(*lines: str, goal: str = "mug") -> Row:
    example = row_of(*lines, goal=goal)
    return Row(goal, example.agenda, example.goal_tokens, example.agenda_tokens)


def measured(written: str, *lines: str, judge: Judge | None = None) -> Coverage:
    return (judge or Judge(BUNDLE)).measure(tokens_of(written), row(*(lines or IRIS)))


def test_a_text_of_all_its_row_is_certified() -> None:
    said = measured(WHOLE)
    assert (said.certified, said.unattested, said.extra, said.given) == (True, (), [], [True] * 6)


@pytest.mark.parametrize(
    ("written", "unattested"),
    [
        ("the NAME is a COLOUR mug . it weighs WEIGHT and is made in LAND .", ()),  # lacks the yes
        ("the NAME is a COLOUR mug of gold . it is dishwasher safe .", ("The Iris is a red mug of gold",)),
        (f"{WHOLE} is made in LAND .", ("Is made in Spain",)),
        (WHOLE.removesuffix(" ."), ("Safe",)),  # no mark
        (f"{WHOLE} it comes in COLOUR .", ()),  # said twice
    ],
)
def test_what_speaks_against_a_text_is_shown_as_it_is_written(written: str, unattested: tuple[str, ...]) -> None:
    said = measured(written)
    assert said.certified is False and said.unattested == unattested


@pytest.mark.parametrize(("cell", "unattested"), [("on request", ("on request",)), ("twelve", ())])
def test_a_number_column_without_a_number_is_not_certified(cell: str, unattested: tuple[str, ...]) -> None:
    lines = [line.replace(line.partition("=")[2], cell) if line.startswith("weight=") else line for line in IRIS]
    mapping = "goal: a\ntext: b\ncolumns: {weight: number}"
    said = measured(WHOLE, *lines, judge=Judge(replace(BUNDLE, mapping=mapping)))
    assert (said.certified, said.unattested) == (not unattested, unattested)


def test_a_text_with_another_goal_is_not_certified() -> None:
    said = measured(WHOLE.replace("mug", "lamp"))
    assert said.certified is False and "goal=lamp" in said.extra


def test_attested_clauses_decide_yes_and_no() -> None:
    off = text_of("the NAME is a mug . keep it out of the dishwasher .", "name=A", "safe=no")
    book = book_of([off, off])
    written = "the NAME is a mug . keep it out of the dishwasher ."
    bundle = bundle_of([off], book)
    said = measured(written, "name=B", "safe=no", judge=Judge(bundle))
    assert (said.certified, said.given, said.extra) == (True, [True, True, True], [])
    without = Judge(replace(bundle, phrasebook=None))
    assert measured(written, "name=B", "safe=no", judge=without).given[1] is False


def test_a_value_beside_the_words_of_another_column_is_missing() -> None:
    """A "red mug for Portugal as a gift" is not made in Portugal."""
    lines = ("name=Iris", "colour=red", "land=Portugal")
    written = "the NAME is a COLOUR mug for LAND as a gift ."
    many = Judge(replace(BUNDLE, phrasebook=book_of(SHOP * 50)))  # few texts don't show where a value stands
    said = measured(written, *lines, judge=many)
    assert said.given == [True, True, False, True] and said.certified is False
    without = Judge(replace(BUNDLE, phrasebook=None))
    assert measured(written, *lines, judge=without).given == [True] * 4


def test_without_a_phrasebook_no_certificate_is_offered() -> None:
    said = measured(WHOLE, judge=Judge(replace(BUNDLE, phrasebook=None)))
    assert (said.certified, said.unattested) == (None, ())


def test_unattested_texts_come_last() -> None:
    judge = Judge(BUNDLE)
    wrong = found(BUNDLE, WHOLE.replace("is made in", "comes in"), -0.1)
    short = found(BUNDLE, "the NAME is a mug .", -9.0)
    whole = found(BUNDLE, WHOLE, -9.0)
    nothing = found(BUNDLE, "", -0.1)
    iris = row(*IRIS)

    def measure(one: Hypothesis) -> Coverage:
        return judge.measure(BUNDLE.words(one.tokens, iris), iris)

    ordered = judge.in_order(iris, [nothing, wrong, short, whole], measure)
    assert [*ordered] == [whole, short, wrong, nothing]


def test_the_opposite_of_a_line() -> None:
    assert (opposite("safe=yes"), opposite("safe=no"), opposite("safe=")) == ("safe=no", "safe=yes", "safe=")
