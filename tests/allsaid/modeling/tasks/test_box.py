"""From boxes to arrays, batches and words again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from small_boxes import table
from small_data import as_box, make_example, publish

from allsaid.modeling.config import DataConfig
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.data.vocabulary import END, SPECIALS, START, UNKNOWN, Vocabulary
from allsaid.modeling.tables.box_table import POSITIONS, Vocabularies, first_sentence, own_words, table_ids
from allsaid.modeling.tasks import box
from allsaid.modeling.tasks.box import Row
from pipelines.sources.wikibio.box import build_table, describe
from schemas.box import NUMBER, YEAR
from schemas.errors import UserError

BOXES = [as_box(make_example(number)) for number in range(6)]
KNOWN = Vocabularies(Vocabulary((*SPECIALS, NUMBER, YEAR, "of", "poet")), Vocabulary((*SPECIALS, "name", "born")))
V = len(KNOWN.text)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> DataSet:
    boxes = {"train": BOXES, "dev": BOXES[:2]}
    return DataSet(str(publish(tmp_path_factory.mktemp("data"), {}, boxes=boxes)))


def test_a_word_is_described_by_all_its_places() -> None:
    """Equation 5: (field, position from the start, from the end); the paper's "linguistics" of figure 1 has two."""
    given = table(name="Ada of Poet", born="10 May 1815", job="poet")
    ids = table_ids(given, KNOWN)
    assert list(given.numbers) == ["ada", "of", "poet", "10", "may", "1815"]
    assert ids.words == [V, 6, 7, V + 1, V + 2, V + 3]  # numbers and unknown words are the table's own
    assert ids.reads == [UNKNOWN, 6, 7, 4, UNKNOWN, 5]
    places = list(zip(ids.of_word, ids.fields, ids.starts, ids.ends, ids.items, strict=True))
    assert places == [
        (1, 4, 1, 3, 1),
        (2, 4, 2, 2, 1),
        (3, 4, 3, 1, 1),
        (4, 5, 1, 3, 2),
        (5, 5, 2, 2, 2),
        (6, 5, 3, 1, 2),
        (3, UNKNOWN, 1, 1, 3),  # a field that was never seen
    ]
    assert [*own_words(given, KNOWN.text)] == ["Ada", "10", "May", "1815"]


def test_positions_stop_at_ten_from_both_ends() -> None:
    ids = table_ids(table(name=" ".join(map("w{}".format, range(500)))), KNOWN)
    assert ids.starts[:12] == [*range(1, 11), POSITIONS, POSITIONS] and ids.ends[-3:] == [3, 2, 1]
    assert max(ids.starts) == max(ids.ends) == POSITIONS and len(set(ids.words)) == 500


def test_a_batch_holds_numbers_as_the_table_writes_them(data: DataSet, tmp_path: Path) -> None:
    known = box.TASK.build_vocabularies(data, DataConfig(text_cutoff=1, field_cutoff=1))
    ids = box.TASK.encode(data, "train", known, tmp_path)
    every = [*box.TASK.examples(data, "train")]
    assert len(ids) == len(every) == 6 and ids.lengths.tolist() == [len(one.tokens) for one in every]
    batch = box.TASK.collate(ids, np.arange(2), 100)
    for one, targets, inputs in zip(every, batch.targets.tolist(), batch.inputs.tolist(), strict=False):
        length = len(one.tokens)
        words = box.TASK.words(targets[:length], one, known)
        assert targets[length] == END and inputs[: length + 1] == [START, *targets[:length]]
        assert words == [YEAR if word == "1990" else word.lower() for word in one.originals]  # 1990 is of no field
        assert box.mapped(words, one.table) == one.tokens
    prompts = box.TASK.prompts(every[:2], known)
    for name, filled in vars(prompts).items():
        learned = getattr(batch.prompts, name)
        assert filled.shape[1] == (32 if name in ("words", "reads") else 64)  # as that of any other small table
        assert (filled[:, : learned.shape[1]] == learned).all() and not filled[:, learned.shape[1] :].any()


def test_every_box_is_encoded(data: DataSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("allsaid.modeling.tables.box_arrays.PIECE", 4)
    known = box.TASK.build_vocabularies(data, DataConfig(text_cutoff=1, field_cutoff=1))
    assert len(box.TASK.encode(data, "train", known, tmp_path)) == 6


def test_a_vocabulary_keeps_the_most_frequent_words(data: DataSet) -> None:
    known = box.TASK.build_vocabularies(data, DataConfig(text_cutoff=1, field_cutoff=6, text_size=5))
    assert len(known.text) == len(SPECIALS) + 5 and {NUMBER, YEAR} <= set(known.text.words)
    assert {"dish", "year", "item1", "item2"} == {*known.field.words[len(SPECIALS) :]}


@pytest.mark.parametrize(
    ("line", "first"),
    [
        ("otto war ein boxer .er lebte in köln .", "otto war ein boxer ."),
        ("otto -lrb- * 8 .juli in köln .zoll -rrb- boxt .", "otto -lrb- * 8 .juli in köln .zoll -rrb- boxt ."),
        ("otto ii .von köln , dr .phil , boxte 1954 .er siegte", "otto ii .von köln , dr .phil , boxte 1954 ."),
        ("ada of london paints .", "ada of london paints ."),
        ("it costs .50 euros", "it costs .50 euros"),
    ],
)  # fmt: skip
def test_a_sentence_ends_where_a_stop_is_glued_to_the_next_word(line: str, first: str) -> None:
    sentence = describe(line.split(), build_table(["name"], [1], ["otto"]))
    tokens, originals = first_sentence(sentence.tokens, sentence.originals)
    assert (" ".join(originals), len(tokens)) == (first, len(first.split()))


def test_a_row_needs_a_table_with_a_word() -> None:
    given = table(name="Ada")
    assert box.TASK.read_row({"id": 7, **vars(given)}) == Row("7", "Ada", given)
    for wrong in ({}, {"fields": []}, {**vars(given), "ends": [1, 2]}):
        with pytest.raises(UserError, match="no 'fields' with words"):
            box.TASK.read_row({"id": 7, **wrong})


def test_an_empty_part_is_told(tmp_path: Path) -> None:
    nothing = DataSet(str(publish(tmp_path, {}, boxes={})))
    with pytest.raises(UserError, match="nothing to learn"):
        box.TASK.build_vocabularies(nothing, DataConfig())


def test_no_table_words_no_table_perplexity() -> None:
    assert box.TASK.brief({"bleu": 1.25, "tokens": 2, "texts": 1}) == "BLEU 1.2"
