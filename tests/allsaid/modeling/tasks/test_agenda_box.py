"""Agendas as boxes: fields, words and what a text may copy."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from small_catalogue import make_text
from small_data import make_example, publish

from allsaid.modeling.config import DataConfig
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.data.vocabulary import PAD, SPECIALS, UNKNOWN, Vocabulary
from allsaid.modeling.tables.box_table import Vocabularies
from allsaid.modeling.tasks.box import TASK
from allsaid.modeling.tasks.choose import task_for

AGENDA_BOX = TASK.of_agendas
EXAMPLES = [make_example(number) for number in range(8)]
KNOWN = Vocabularies(Vocabulary((*SPECIALS, "salt")), Vocabulary((*SPECIALS, "item", "goal", "name", "lined=yes")))
ACT = replace(
    make_text("", ["name"]),
    goal_tokens=["salt", "mill"],
    agenda=["name=Heron", "lined=yes", "colour=no"],
    agenda_tokens=[["SLOT_NAME"], ["SLOT_LINED_YES"], ["SLOT_COLOUR_NO"]],
)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> DataSet:
    return DataSet(str(publish(tmp_path_factory.mktemp("data"), {"train": EXAMPLES, "dev": EXAMPLES[:2]}, files=1)))


def test_a_slot_is_a_field_and_may_have_no_word() -> None:
    found = AGENDA_BOX.prompts([ACT], KNOWN)
    assert found.words.tolist() == [[5, PAD, 4, 6]]  # SLOT_NAME, none, salt, mill
    assert found.fields.tolist() == [[6, 7, UNKNOWN, 5, 5]]
    assert found.items.tolist() == [[1, 2, 3, 4, 4]]
    assert found.of_word.tolist() == [[1, 2, 2, 3, 4]]
    assert AGENDA_BOX.own_ids(ACT, KNOWN) == {"SLOT_NAME": 5, "mill": 6}
    assert AGENDA_BOX.words([4, 5, 6], ACT, KNOWN) == ["salt", "SLOT_NAME", "mill"]


def test_a_batch_holds_the_texts_in_the_words_of_their_agendas(data: DataSet, tmp_path: Path) -> None:
    assert task_for("table_nlm", data) == AGENDA_BOX
    known = AGENDA_BOX.build_vocabularies(data, DataConfig(text_cutoff=4, field_cutoff=100))
    assert known.field.words[len(SPECIALS) :] == ("item", "goal")
    batch = AGENDA_BOX.collate(AGENDA_BOX.encode(data, "train", known, tmp_path), np.arange(len(EXAMPLES)), 100)
    for place, one in enumerate(EXAMPLES):
        readable = {*known.text.words, *one.goal_tokens, *(word for item in one.agenda_tokens for word in item)}
        words = AGENDA_BOX.words(batch.targets[place, : len(one.tokens)].tolist(), one, known)
        assert words == [word if word in readable else "<unk>" for word in one.tokens]
    prompts = AGENDA_BOX.prompts(EXAMPLES, known)
    assert all((getattr(prompts, name) == getattr(batch.prompts, name)).all() for name in vars(prompts))


def test_texts_of_a_table_may_always_end_a_sentence(tmp_path: Path) -> None:
    texts = [make_text("the NAME costs PRICE", ["name", "price"])]
    found = DataSet(str(publish(tmp_path, {"train": texts})))
    assert AGENDA_BOX.of_table.build_vocabularies(found, DataConfig(text_cutoff=1)).text.words[-1] == "."
