"""From recipes that copy to arrays, batches and words again."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

import pytest
from small_data import as_copy, make_example, publish

from allsaid.modeling.config import DataConfig
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.data.vocabulary import END, PAD, SPECIALS, START, UNKNOWN, Vocabulary, VocabularySet
from allsaid.modeling.tasks import sequence
from allsaid.modeling.tasks.sequence import Row
from schemas.errors import UserError

COPIES = [as_copy(make_example(number)) for number in range(6)]
ROW = Row("a", "Leeks", ["3 leeks", "Maille butter"], [["3", "leeks"], ["maille", "butter"], ["maille"]])
VOCABULARIES = VocabularySet(Vocabulary((*SPECIALS, "butter", "mix")))


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> DataSet:
    copies = {"train": COPIES, "dev": COPIES[:2]}
    return DataSet(str(publish(tmp_path_factory.mktemp("data"), {}, copies=copies)))


def test_words_that_the_vocabulary_lacks_are_the_rows_own() -> None:
    prompts = sequence.TASK.prompts([ROW, Row("b", "", ["x"], [["mix"]])], VOCABULARIES)
    assert prompts.items.tolist() == [
        [[6, 7], [8, 4], [8, PAD]],
        [[5, PAD], [PAD, PAD], [PAD, PAD]],
    ]
    assert sequence.TASK.words([5, 8, 4, 7], ROW, VOCABULARIES) == ["mix", "maille", "butter", "leeks"]


def test_a_batch_holds_the_texts_and_what_they_copy(data: DataSet, tmp_path: Path) -> None:
    vocabularies = sequence.TASK.build_vocabularies(data, DataConfig(text_cutoff=6))
    every = [*sequence.TASK.examples(data, "train")]
    ids = sequence.TASK.encode(data, "train", vocabularies, tmp_path)
    assert len(ids) == 6 and ids.lengths.tolist() == [len(one.tokens) for one in every]
    rows = [one.id for one in every]
    order = sorted(range(6), key=lambda place: rows[place])
    batch = sequence.TASK.collate(ids, [*order[:2]], 100)  # type: ignore[arg-type]
    assert any(max(row) >= len(vocabularies.text) for row in batch.targets.tolist())
    for place, (targets, copied) in enumerate(zip(batch.targets.tolist(), batch.copied.tolist(), strict=True)):
        one, true = every[order[place]], COPIES[place]
        length = len(true.tokens)
        assert (one.id, one.items, targets[length]) == (true.id, true.ingredients, END)
        readable = {*vocabularies.text.words, *chain.from_iterable(true.ingredient_tokens)}
        words = sequence.TASK.words(targets[:length], one, vocabularies)
        assert words == [word if word in readable else "<unk>" for word in true.tokens]
        assert batch.inputs[place, : length + 1].tolist() == [START, *targets[:length]]
        assert copied[:length] == [item >= 0 for item in true.copy_items] and not any(copied[length:])
    assert (batch.prompts.items == sequence.TASK.prompts([every[row] for row in order[:2]], vocabularies).items).all()


def test_a_text_that_is_too_long_is_cut_without_an_end(data: DataSet, tmp_path: Path) -> None:
    vocabularies = sequence.TASK.build_vocabularies(data, DataConfig(text_cutoff=1))
    ids = sequence.TASK.encode(data, "dev", vocabularies, tmp_path)
    batch = sequence.TASK.collate(ids, [0, 1], 3)  # type: ignore[arg-type]
    assert batch.targets.shape == (2, 3) and not (batch.targets == END).any() and not (batch.targets == UNKNOWN).any()


def test_the_words_of_a_text_stand_in_it_as_written() -> None:
    tokens = ["stir", "in", "maille", "mustard", ".", "<br>", "bake", "."]
    one = sequence.Example("a", "", [], [], "Stir in Maille mustard.\nBake.", tokens)
    assert one.surface == ["Stir", "in", "Maille", "mustard", ".", "<br>", "Bake", "."]


@pytest.mark.parametrize("tokens", [None, [], [[]], ["leeks"], [["leeks", 3]], [["leeks", ""]]])
def test_a_row_without_a_source_is_told(tokens: object) -> None:
    with pytest.raises(UserError, match=r"The row has no 'ingredients', a list of lines such as"):
        sequence.TASK.read_row({"id": "a", "ingredient_tokens": tokens})


def test_bad_lines_and_words_of_a_row_are_reported() -> None:
    with pytest.raises(UserError, match=r"The row has 2 'ingredients', but 'ingredient_tokens' of 1\."):
        sequence.TASK.read_row({"id": "a", "ingredients": ["leeks", "salt"], "ingredient_tokens": [["leeks"]]})
    with pytest.raises(UserError, match=r"The ingredients have 2,001 words; at most 2,000 can be read\."):
        sequence.TASK.read_row({"id": "a", "ingredient_tokens": [["leeks"] * 2001]})


def test_a_row_reads_as_the_data_sets_have_it() -> None:
    row = sequence.TASK.read_row({"id": "a", "ingredient_tokens": [["3", "leeks"]], "title": None})
    assert sequence.TASK.show(row) == ("", ["3 leeks"])


def test_an_empty_training_part_is_told(tmp_path: Path) -> None:
    data = DataSet(str(publish(tmp_path, {}, copies={"dev": COPIES})))
    with pytest.raises(UserError, match=r"The training part of .* is empty, so there is nothing to learn\."):
        sequence.TASK.build_vocabularies(data, DataConfig())
