"""Short made-up texts of a shop, and the phrasebooks that are learned from them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from allsaid.proof.forms.certificate.attest import Attester
from allsaid.proof.forms.learn import learn
from allsaid.proof.forms.phrasebook import Phrasebook
from pipelines.linking.delex import item_tokens
from schemas.act import PREFIX, parse_agenda_line
from schemas.example import NO_ITEM, NONE, Example

SPOKEN = {"safe": frozenset(("dishwasher",))}


def text_of(written: str, *lines: str, goal: str = "mug") -> Example:
    """An example; a word in capitals is a placeholder, and the lines are those of its agenda, as "colour=red"."""
    words = written.split()
    return Example(
        id=f"{goal} {written}",
        content_hash="0" * 16,
        goal=goal,
        goal_tokens=goal.split(),
        agenda=list(lines),
        agenda_tokens=[[token] for token in item_tokens([parse_agenda_line(line) for line in lines])],
        text=written,
        tokens=[PREFIX + word if word.isupper() else word for word in words],
        surface=words,
        ref_types=[NONE for _ in words],
        ref_items=[NO_ITEM for _ in words],
        file="made up",
        offset=0,
    )


def row_of(*lines: str, goal: str = "mug") -> Example:
    return text_of("", *lines, goal=goal)


def tokens_of(written: str) -> list[str]:
    return [PREFIX + word if word.isupper() else word for word in written.split()]


def form_of(written: str) -> tuple[str, ...]:
    return tuple(written.split())


def book_of(texts: Iterable[Example], subject: str = "name", **options: Any) -> Phrasebook:
    known = list(texts)
    return learn(lambda: known, SPOKEN, subject, **options)


def kinds(book: Phrasebook, written: str, row: Example) -> list[str]:
    """What the attester finds in a text, by kind."""
    return [one.kind for one in Attester(book).check(tokens_of(written), row).findings]


def written_of(tokens: Sequence[str]) -> str:
    """Tokens as `text_of` takes them."""
    return " ".join(token.removeprefix(PREFIX) for token in tokens)


IRIS = ("name=Iris", "colour=red", "weight=2 kg", "land=Spain", "safe=yes")
SHOP = [
    text_of("the NAME is a COLOUR mug . it weighs WEIGHT and is made in LAND . it is dishwasher safe .", *IRIS),
    text_of(
        "the NAME is a COLOUR lamp . it weighs WEIGHT and is made in LAND .",
        "name=Elm",
        "colour=blue",
        "weight=3 kg",
        "land=Peru",
        goal="lamp",
    ),
    text_of("meet the NAME , a mug from LAND . it is not dishwasher safe .", "name=Oak", "land=Chile", "safe=no"),
    text_of(
        "meet the NAME , a lamp from LAND . it comes in COLOUR .", "name=A", "land=Mali", "colour=red", goal="lamp"
    ),
    text_of("the NAME is a mug for coffee . it comes in COLOUR .", "name=B", "colour=blue"),
    text_of("the NAME is a mug . it is dishwasher safe .", "name=C", "safe=yes"),
]
