"""Sentences of the mapping: read as training texts are, attested as a whole, and used where nothing else is known."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from small_catalogue import make_text

from allsaid.proof.forms import mapped
from allsaid.proof.forms.assembly.assemble import Assembler
from allsaid.proof.forms.certificate.attest import Attester
from allsaid.proof.forms.certificate.certify import Certifier
from allsaid.proof.forms.learn import learn
from allsaid.proof.forms.mapped import Say
from allsaid.proof.forms.mapping_sentences import sentences_of, tokens_of, vocabulary_of
from allsaid.proof.forms.phrasebook import Phrasebook

MAPPING = """
columns:
  name: {kind: value, say: "This {goal} is the {}."}
  size: {kind: number, say: "It isn't small: {}!"}
  parts: {kind: list, say: "It has a {}."}
  has lid: {kind: yes/no, say: {yes: It has a lid., no: It does without a cover.}}
"""
SAYS = mapped.read(MAPPING).says
TEXTS = [make_text(f"the NAME is a lamp . it costs {place} .", ("name", "size")) for place in ("little", "less")]


@dataclass
class Given:
    """A row that may have a yes or no and a list."""

    goal: str
    agenda: list[str]
    agenda_tokens: list[list[str]]


ROW = Given(
    "lamp",
    ["name=Heron", "size=4", "parts=base", "parts=shade", "has lid=no"],
    [["SLOT_NAME"], ["SLOT_SIZE"], ["SLOT_PARTS"], ["SLOT_PARTS_2"], ["SLOT_HAS_LID_NO"]],
)


@pytest.fixture(scope="module")
def book() -> Phrasebook:
    found = learn(lambda: TEXTS, {"has lid": frozenset(["lid"])}, "name")
    gaps = replace(found.reader, gaps=frozenset([("and",)]))
    return replace(found, reader=gaps, from_mapping=sentences_of(SAYS, found.reader.spoken))


def test_the_sentences_of_a_mapping_are_read() -> None:
    assert (
        Say("name", "This {goal} is the {}."),
        Say("size", "It isn't small: {}!"),
        Say("parts", "It has a {}.", is_list=True),
        Say("has lid", "It has a lid.", "yes"),
        Say("has lid", "It does without a cover.", "no"),
    ) == SAYS


def test_sentences_are_symbols_with_vocabulary_words() -> None:
    assert tokens_of("Fabriqué d’{} aujourd'hui.", "fr") == ["fabriqué", "d'", "{}", "aujourd'hui", "."]
    assert tokens_of("It’s open-plan, isn't it: 2.5 {}!") == [
        *("it", "'s", "open-plan", ",", "is", "n't", "it", ":", "2.5", "{}", "!")
    ]
    assert [" ".join(form) for form in sentences_of(SAYS, {"has lid": frozenset(["lid"])})] == [
        "this GOAL is the SLOT_NAME .",
        "it is n't small : SLOT_SIZE !",
        "it has a/an SLOT_PARTS .",
        "it has a/an SLOT_PARTS+ .",
        "it has a lid|SLOT_HAS_LID_YES .",
        "it does without|SLOT_HAS_LID_NO a cover .",
    ]
    assert {"n't", "SLOT_PARTS", "a/an", "cover", "!"} <= vocabulary_of(SAYS)
    assert not {"{}", "{goal}"} & vocabulary_of(SAYS)


def test_mapping_sentences_state_unexpressed_columns(book: Phrasebook) -> None:
    (best,) = Assembler(Attester(book), None, True).write(ROW)
    text = " ".join(best.tokens)
    assert text.startswith("the SLOT_NAME is a lamp .") and best.missing == 0
    assert "it is n't small : SLOT_SIZE !" in text and "it has a/an SLOT_PARTS and SLOT_PARTS_2 ." in text
    assert "it does without a cover ." in text
    assert Certifier(book, True).certify(best.tokens, ROW).is_certified
    assert Assembler(Attester(replace(book, from_mapping=())), None, True).write(ROW)[0].missing == 3


def test_sentences_must_fit_answer_and_words(book: Phrasebook) -> None:
    certifier = Certifier(book, False)
    for text in ("it has a lid .", "it does without a cover , too ."):
        tokens = ["the", "SLOT_NAME", "is", "a", "lamp", ".", *text.split()]
        found = certifier.certify(tokens, ROW)
        assert found.findings and not found.stated[4]


def test_a_sentence_with_the_subject_may_begin_a_text(book: Phrasebook) -> None:
    alone = replace(book, sentences=(), beginnings=())
    (best,) = Assembler(Attester(alone), None, True).write(ROW)
    assert best.tokens[:6] == ["this", "lamp", "is", "the", "SLOT_NAME", "."]
    assert Certifier(alone, True).certify(best.tokens, ROW).is_certified


def test_forbidden_claims_remove_sentences_of_the_mapping(book: Phrasebook) -> None:
    banning = replace(book, forbidden=("without a cover",))
    assert Assembler(Attester(banning), None, True).write(ROW)[0].missing == 1


def test_no_sentence_has_a_word_that_the_model_lacks(book: Phrasebook) -> None:
    words = {word for example in TEXTS for word in example.tokens} | vocabulary_of(SAYS) | {"and"}
    (best,) = Assembler(Attester(book), words, True).write(ROW)
    assert best.missing == 1 and "SLOT_PARTS_2" not in best.tokens
    assert Assembler(Attester(book), words, True).write(ROW, own=["SLOT_PARTS_2"])[0].missing == 0
    unseen = replace(book, goals={})
    assert Assembler(Attester(unseen), words, True).write(Given("wide lamp", ROW.agenda, ROW.agenda_tokens)) == []
    assert Phrasebook.from_json(book.to_json()) == book
