"""Recurring claims: found beside what expresses a value, decided by the mapping, and kept out of sentences."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest
from small_catalogue import make_text

from allsaid.proof.forms import claims, find_claims, listing, mapped
from allsaid.proof.forms.assembly.assemble import Assembler
from allsaid.proof.forms.certificate.attest import Attester
from allsaid.proof.forms.certificate.certify import Certifier
from allsaid.proof.forms.claims import Claim
from allsaid.proof.forms.learn import learn
from allsaid.proof.forms.phrasebook import Phrasebook

COLUMNS = ("name", "colour", "origin", "weight", "price")
CLAUSES = {
    "colour": ("it comes in COLOUR .", "the finish is COLOUR ."),
    "origin": ("it is made in ORIGIN .", "it comes from a small workshop in ORIGIN .", "it was produced in ORIGIN ."),
    "weight": ("it weighs WEIGHT .", "at WEIGHT , it is easy to carry .", "it tips the scales at WEIGHT ."),
    "price": ("it costs PRICE .", "we sell it from PRICE ."),
}
TEXTS = [
    make_text(
        " ".join(
            [
                "the NAME is a lamp .",
                *(ways[(number // 2**place) % len(ways)] for place, ways in enumerate(CLAUSES.values())),
            ]
        ),
        COLUMNS,
    )
    for number in range(48)
]


@pytest.fixture(scope="module")
def book() -> Phrasebook:
    return learn(lambda: TEXTS, {}, "name")


def test_claims_are_found_and_carriers_are_not(book: Phrasebook) -> None:
    found = {claim.words: claim for claim in find_claims.find(lambda: TEXTS, book, columns=COLUMNS)}
    assert sorted(found) == ["a small workshop", "is easy to carry"]
    assert found["is easy to carry"].text_count == sum("carry" in text.tokens for text in TEXTS)
    assert found["a small workshop"].example == "it comes from a small workshop in ORIGIN"


def test_claims_match_whole_words_in_any_case() -> None:
    assert claims.claims_in(["It", "is", "Easy", "to carry."], ["easy to carry", "sy to"]) == ["easy to carry"]
    assert claims.claims_in(["it isn’t cheap"], ["is", "n't cheap"]) == ["is", "n't cheap"]


def test_forbidden_claims_are_never_written_or_attested(book: Phrasebook) -> None:
    banning = replace(book, forbidden=("Easy to Carry", "a small workshop"))
    texts = [" ".join(one.tokens) for one in Assembler(Attester(banning)).write(TEXTS[0], 20)]
    assert texts and not any(claims.claims_in([text], banning.forbidden) for text in texts)
    (example,) = [one for one in TEXTS if "carry" in one.tokens and "made" in one.tokens][:1]
    assert Certifier(book, False).certify(example.tokens, example).is_certified
    assert not Certifier(banning, False).certify(example.tokens, example).is_certified


def test_a_forbidden_claim_takes_no_value_out_of_its_place(book: Phrasebook) -> None:
    example = next(one for one in TEXTS if "carry" in one.tokens)
    assert not Certifier(replace(book, forbidden=("easy to carry",)), False).misplaced(example.tokens, example)


def test_a_mapping_decides() -> None:
    found = mapped.read(
        "columns: {weight: {kind: number, unit: kg, also: [kilo]}, lid: yes/no}\n"
        "claims: {allowed: [a small  workshop], forbidden: easy to carry}\n"
    )
    assert (found.allowed, found.forbidden) == (("a small workshop",), ("easy to carry",))
    assert found.words == ("weight", "kg", "kilo", "lid")
    assert mapped.read("") == mapped.MappingTexts()


def test_the_list_of_a_run(tmp_path: Path) -> None:
    known = [Claim("easy to carry", 0.25, 12, "It is easy to carry"), Claim("very light", 0.1, 5, "A very light lamp")]
    listing.write_claims(tmp_path, known, mapped.MappingTexts(forbidden=("easy to carry",)))
    rows = list(csv.reader((tmp_path / listing.CLAIMS).open()))
    assert rows[1:] == [
        ["easy to carry", "0.2500", "12", "It is easy to carry", "forbidden"],
        ["very light", "0.1000", "5", "A very light lamp", ""],
    ]
    told = listing.sentence_of(known, mapped.MappingTexts(forbidden=("easy to carry",)))
    assert "1 recurring claim that no column supports, such as 'very light' (10.0% of the texts)" in told
    assert listing.sentence_of(known, mapped.MappingTexts(("easy to carry", "very light"))) == ""


def test_a_phrasebook_keeps_its_claims(book: Phrasebook) -> None:
    found = replace(book, claims=(Claim("easy to carry", 0.25, 12, "It is easy to carry"),))
    assert Phrasebook.from_json(found.to_json()) == found
