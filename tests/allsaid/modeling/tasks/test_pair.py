"""From sources and their texts to arrays, batches and words again; which items a text names."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_data import as_pair, make_example, publish

from allsaid.modeling.config import DataConfig
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.data.vocabulary import END, PAD, SPECIALS, START, Vocabulary, VocabularySet
from allsaid.modeling.tasks import pair
from allsaid.modeling.tasks.pair import Row
from schemas.errors import UserError

PAIRS = [as_pair(make_example(number)) for number in range(6)]
FORM = ["select", "player", "where", "rank", "=", '"', "1", '"', "and", "club", "=", '"', "butler", "cc", '"']
ROW = Row("a", 'select player where rank = "1" and club = "Butler CC"', FORM, ["1", "Butler CC"], [["1"], FORM[12:14]])
VOCABULARIES = VocabularySet(Vocabulary((*SPECIALS, "select", "who", '"')))


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> DataSet:
    pairs = {"train": PAIRS, "dev": PAIRS[:2]}
    return DataSet(str(publish(tmp_path_factory.mktemp("data"), {}, pairs=pairs)))


def test_a_source_is_one_item_with_copied_words() -> None:
    prompts = pair.TASK.prompts([ROW, Row("b", "who", ["who"], [], [])], VOCABULARIES)
    assert prompts.items.shape == (2, 1, len(FORM))
    first, second = prompts.items[:, 0].tolist()
    assert first[:8] == [4, 7, 8, 9, 10, 6, 11, 6] and second == [5, *[PAD] * (len(FORM) - 1)]
    assert pair.TASK.words([5, 7, 11], ROW, VOCABULARIES) == ["who", "player", "1"]


def test_a_batch_holds_texts_and_source_positions(data: DataSet, tmp_path: Path) -> None:
    vocabularies = pair.TASK.build_vocabularies(data, DataConfig(text_cutoff=6))
    every = [*pair.TASK.examples(data, "train")]
    ids = pair.TASK.encode(data, "train", vocabularies, tmp_path)
    assert len(ids) == 6 and ids.lengths.tolist() == [len(one.tokens) for one in every]
    batch = pair.TASK.collate(ids, [0, 1], 100)  # type: ignore[arg-type]
    assert (batch.prompts.items == pair.TASK.prompts(every[:2], vocabularies).items).all()
    for one, inputs, targets, copied in zip(
        every, batch.inputs.tolist(), batch.targets.tolist(), batch.copied.tolist(), strict=False
    ):
        length = len(one.tokens)
        assert targets[length] == END and inputs[: length + 1] == [START, *targets[:length]]
        readable = {*vocabularies.text.words, *one.source_tokens}
        words = pair.TASK.words(targets[:length], one, vocabularies)
        assert words == [word if word in readable else "<unk>" for word in one.tokens]
        assert copied[:length] == [word in one.source_tokens for word in one.tokens] and not any(copied[length:])


def test_cut_words_are_items_and_join_again(data: DataSet, tmp_path: Path) -> None:
    vocabularies = pair.TASK.build_vocabularies(data, DataConfig(text_cutoff=2, merges=30))
    every = [*pair.TASK.examples(data, "train")]
    cut = vocabularies.text.cut(every[0].tokens)
    assert max(map(len, cut)) > 1 and len(vocabularies.text.merges) == 30
    batch = pair.TASK.collate(pair.TASK.encode(data, "train", vocabularies, tmp_path), [0], 200)  # type: ignore[arg-type]
    targets = batch.targets[0, :-1].tolist()
    assert pair.TASK.pieces(targets, every[0], vocabularies) == [piece for word in cut for piece in word]
    assert pair.TASK.words(targets, every[0], vocabularies) == every[0].tokens
    there = [word in every[0].source_tokens for word in every[0].tokens]
    assert batch.copied[0].tolist() == [flag for flag, word in zip(there, cut, strict=True) for _ in word] + [False]
    prompts = pair.TASK.prompts(every[:1], vocabularies)
    assert prompts.items.shape[1] == len(every[0].source_tokens) and (batch.prompts.items == prompts.items).all()


def test_unseen_characters_are_copied_within_words(data: DataSet) -> None:
    vocabularies = pair.TASK.build_vocabularies(data, DataConfig(text_cutoff=2, merges=30))
    row, size = Row("a", "", ["saltœ", "ǽ"], [], []), len(vocabularies.text)
    ids = [id_ for id_ in pair.TASK.prompts([row], vocabularies).items[0].flatten().tolist() if id_ != PAD]
    assert [id_ for id_ in ids if id_ >= size] == [size, size + 1]
    assert pair.TASK.words(ids, row, vocabularies) == row.source_tokens


def test_a_vocabulary_of_whole_words_may_have_a_size(data: DataSet) -> None:
    words = pair.TASK.build_vocabularies(data, DataConfig(text_cutoff=1, text_size=7)).text
    assert len(words) == len(SPECIALS) + 7 and words.cut(["olive"]) == [("olive",)]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("who of butler cc has rank 1 ?", [True, True]),
        ("who of cc butler has rank 1 ?", [True, False]),  # not in order
        ("who has rank 11 ?", [False, False]),
        ("", [False, False]),
    ],
)
def test_an_item_is_named_if_its_words_stand_side_by_side(text: str, named: list[bool]) -> None:
    found = pair.measure(text.split(), ROW)
    assert (found.given, found.extra) == (named, [])


def test_mentions_name_one_item_and_need_no_items() -> None:
    twice = Row("a", "", FORM, ["1", "1"], [["1"], ["1"]])
    assert pair.measure(["rank", "1"], twice).given == [True, False]
    assert pair.measure(["rank", "1", "and", "silver", "1"], twice).given == [True, True]
    assert pair.measure(["who"], Row("b", "who", ["who"], [], [])).percent_given == 100


def test_a_row_reads_as_the_data_sets_have_it() -> None:
    row = pair.TASK.read_row({"id": 7, "source_tokens": ["who"], "items": None})
    assert row == Row("7", "who", ["who"], [], [])
    assert pair.TASK.show(ROW) == (ROW.source, ["1", "Butler CC"]) and pair.TASK.places(ROW) == [FORM]


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({}, "The row has no 'source', a text such as"),
        ({"source_tokens": []}, "The row has no 'source', a text such as"),
        ({"source_tokens": ["who", 3]}, "The row has no 'source', a text such as"),
        ({"source_tokens": ["who"] * 2001}, r"The source has 2,001 words; at most 2,000 can be read\."),
        ({"source_tokens": ["who"], "items": ["1"]}, r"The row's 'items' are no list of texts such as \['3', "),
        ({"source_tokens": ["who"], "item_tokens": [[3]], "items": ["3"]}, "The row's 'items' are no list of texts"),
    ],
)
def test_a_row_without_a_source_or_with_other_items_is_told(given: dict[str, object], sentence: str) -> None:
    with pytest.raises(UserError, match=sentence):
        pair.TASK.read_row({"id": "a"} | given)


def test_an_empty_training_part_is_told(tmp_path: Path) -> None:
    data = DataSet(str(publish(tmp_path, {}, pairs={"dev": PAIRS})))
    with pytest.raises(UserError, match=r"The training part of .* is empty, so there is nothing to learn\."):
        pair.TASK.build_vocabularies(data, DataConfig())


def test_source_words_belong_to_their_item() -> None:
    assert pair.TASK.lines(ROW) == [[-1, -1, -1, -1, -1, -1, 0, -1, -1, -1, -1, -1, 1, 1, -1]]
