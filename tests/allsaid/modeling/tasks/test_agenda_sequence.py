"""Agendas as sequences: ids and words of sources and texts, and what is copied."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from pathlib import Path

import pytest
from small_catalogue import make_text
from small_data import make_example, publish

from allsaid.modeling.config import DataConfig
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.data.vocabulary import END, PAD, SPECIALS, UNKNOWN, Vocabulary, VocabularySet
from allsaid.modeling.tasks.choose import task_for
from allsaid.modeling.tasks.sequence import TASK
from schemas.example import NO_ITEM

AGENDA_SEQUENCE = TASK.of_agendas
KNOWN = VocabularySet(Vocabulary((*SPECIALS, "stir", "salt", "SLOT_LINED_YES")))
ROW = replace(
    make_example(0), goal_tokens=["leek", "soup"], agenda=["3 leeks", "salt"], agenda_tokens=[["leek"], ["salt"]]
)
EXAMPLES = [make_example(number) for number in range(8)]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> DataSet:
    return DataSet(str(publish(tmp_path_factory.mktemp("data"), {"train": EXAMPLES, "dev": EXAMPLES[:2]}, files=1)))


def test_the_goal_follows_the_items_and_shares_words() -> None:
    prompts = AGENDA_SEQUENCE.prompts([ROW, replace(ROW, agenda=["salt"], agenda_tokens=[["salt"]])], KNOWN)
    assert prompts.items.tolist() == [[[7, PAD], [5, PAD], [7, 8]], [[5, PAD], [7, 8], [PAD, PAD]]]
    assert AGENDA_SEQUENCE.words([4, 7, 8], ROW, KNOWN) == ["stir", "leek", "soup"]
    assert AGENDA_SEQUENCE.own_ids(ROW, KNOWN) == {"leek": 7, "soup": 8}
    assert AGENDA_SEQUENCE.places(ROW) == [["leek"], ["salt"], ["leek", "soup"]]


def test_a_slot_that_no_value_fills_is_no_word_of_the_rows_own() -> None:
    row = replace(
        make_text("", ["name"]),
        agenda=["name=Heron", "waterproof=no", "lined=yes", "colour=no"],
        agenda_tokens=[["SLOT_NAME"], ["SLOT_WATERPROOF_NO"], ["SLOT_LINED_YES"], ["SLOT_COLOUR_NO"]],
    )
    first = AGENDA_SEQUENCE.prompts([row], KNOWN).items[0, :, 0]
    assert first.tolist() == [7, UNKNOWN, 6, UNKNOWN, 8]
    assert AGENDA_SEQUENCE.own_ids(row, KNOWN) == {"SLOT_NAME": 7, "lamp": 8}


def test_a_batch_holds_texts_and_their_copies(data: DataSet, tmp_path: Path) -> None:
    assert task_for("pointer", data) == AGENDA_SEQUENCE
    vocabularies = AGENDA_SEQUENCE.build_vocabularies(data, DataConfig(text_cutoff=4))
    ids = AGENDA_SEQUENCE.encode(data, "train", vocabularies, tmp_path)
    batch = AGENDA_SEQUENCE.collate(ids, [*range(len(EXAMPLES))], 100)  # type: ignore[arg-type]
    known = {*vocabularies.text.words}
    for place, one in enumerate(EXAMPLES):
        length = len(one.tokens)
        readable = known | {*chain.from_iterable(one.agenda_tokens), *one.goal_tokens}
        words = AGENDA_SEQUENCE.words(batch.targets[place, :length].tolist(), one, vocabularies)
        assert words == [word if word in readable else "<unk>" for word in one.tokens]
        assert batch.targets[place, length] == END
        assert batch.copied[place, :length].tolist() == [item != NO_ITEM for item in one.ref_items]
    assert (batch.targets >= len(known)).any()
    assert (batch.prompts.items == AGENDA_SEQUENCE.prompts(EXAMPLES, vocabularies).items).all()


def test_texts_of_a_table_may_always_end_a_sentence(tmp_path: Path) -> None:
    texts = [make_text("the NAME costs PRICE", ["name", "price"])]
    found = DataSet(str(publish(tmp_path, {"train": texts})))
    words = {"the", "costs", "lamp", "SLOT_NAME", "SLOT_PRICE"}
    assert {*AGENDA_SEQUENCE.build_vocabularies(found, DataConfig(text_cutoff=1)).text.words} == {*SPECIALS, *words}
    assert AGENDA_SEQUENCE.of_table.build_vocabularies(found, DataConfig(text_cutoff=1)).text.words[-1] == "."
