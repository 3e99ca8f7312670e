"""From dialogues and their table to arrays, batches and words again."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import torch
from small_data import publish
from small_dialogues import DIALOGUES, OFFERS, OTHERS, offers_of

from allsaid.modeling.config import DataConfig
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.data.vocabulary import END, PAD, SPECIALS, START, UNKNOWN, Vocabulary, VocabularySet
from allsaid.modeling.saved.model_folder import Bundle, build_model
from allsaid.modeling.tables.offer_table import OfferTable, encode_table, word_ids
from allsaid.modeling.tasks import table_dialogue
from allsaid.modeling.tasks.table_dialogue import CELL, COPIED, UNSEEN, WHOLE
from schemas.dialogue import FOLDS, MACHINE, NO_FOLD, Dialogue
from schemas.errors import UserError
from schemas.offer import Offer
from training.configs import load_config
from training.fitting.scores import dev_losses


def data_of(folder: Path, dialogues: Sequence[Dialogue] = DIALOGUES, offers: Sequence[Offer] = OFFERS) -> DataSet:
    parts = {"train": dialogues[3:], "dev": dialogues[:3]}
    return DataSet(str(publish(folder, {}, dialogues=parts, offers=offers)))


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> DataSet:
    return data_of(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def vocabularies(data: DataSet) -> VocabularySet:
    return table_dialogue.TASK.build_vocabularies(data, DataConfig(text_cutoff=1))


def test_rare_table_words_are_in_the_vocabulary(data: DataSet) -> None:
    words = table_dialogue.TASK.build_vocabularies(data, DataConfig(text_cutoff=1000)).text.words
    cells = ("name: red door", "name: the ship", "phone number: 01 22", "modern", "thai", "south", "_EMPTY")
    assert set(cells) <= set(words) and "hello" not in words and "_NAME_0" not in words


def test_known_cells_are_shared_words_new_ones_are_copied() -> None:
    vocabulary = Vocabulary((*SPECIALS, "thai", "name: ask", "ask"))
    mixed = OfferTable.of(offers_of([["old oak", "thai", "harbour", None], ["ask", "thai", "south", None]]), "here")
    ids = word_ids(mixed, vocabulary)
    assert [ids[word] for word in ("thai", "name: ask", "ask")] == [4, 5, 6]
    assert list(ids)[7:] == ["name: old oak", "harbour", "_EMPTY", "south"]
    assert mixed.named == {"_NAME_0": "name: old oak", "_NAME_1": "name: ask"}


def test_shared_cells_are_stored_once() -> None:
    offers = OfferTable.of(OFFERS, "here")
    vocabulary = Vocabulary((*SPECIALS, *offers.words))
    table, ids = encode_table(offers, vocabulary), word_ids(offers, vocabulary)
    size = 3  # names
    assert table.cells.tolist() == [[0, size, 2 * size, 3 * size], [1, size + 1, 2 * size + 1, 3 * size + 1],
                                    [2, size, 2 * size + 1, 3 * size + 2]]  # fmt: skip
    pair = table.firsts[ids["modern"], 1]
    assert (table.pair_words[pair], table.pair_columns[pair]) == (ids["modern"], 1)
    assert (table.firsts[ids["modern"], [0, 2, 3]] == len(table.pair_words)).all()
    assert encode_table(offers, vocabulary) is table


def test_a_cell_is_copied_from_its_first_word_to_its_last() -> None:
    """Behind "nordic" of "nordic new nordic" comes "new", and its first word no more; behind "new" the last one."""
    offers = OfferTable.of(offers_of(OTHERS), "here")
    table, ids = encode_table(offers, Vocabulary(SPECIALS)), word_ids(offers, Vocabulary(SPECIALS))

    def shares(before: str, word: str) -> list[float]:
        words = torch.tensor([ids.get(before, START)]), torch.tensor([ids[word]])
        return [
            table.pair_shares[table.pair_starts[pair]].item() if pair < len(table.pair_words) else 0.0
            for pair in (found[0, 1] for found in table.pairs_of(*words))
        ]

    assert shares("", "nordic") == [1, 0] and shares("", "new") == [0, 0]
    assert shares("nordic", "new") == [0, 1] and shares("nordic", "nordic") == [1, -1]
    assert shares("new", "nordic") == [1, 0]  # -1 for a beginning anew, and 1 for going on
    assert shares("nordic", "thai") == [1, 0]
    assert table.copied[table.copied_places].equal(table.pair_words)
    assert table.copied.equal(table.copied.unique())
    starts = [*table.pair_starts.tolist(), len(table.pair_cells)]
    pairs = [pair for pair, (start, end) in enumerate(pairwise(starts)) for _ in range(start, end)]
    assert table.pair_of_cells.tolist() == pairs


def test_spelling_identifies_words_across_tables() -> None:
    vocabulary = Vocabulary(SPECIALS)
    one, other = (encode_table(OfferTable.of(offers_of(cells), "here"), vocabulary) for cells in (OTHERS, OTHERS[::-1]))
    vectors = [{tuple(row) for row in table.spelled.tolist()} for table in (one, other)]
    assert vectors[0] == vectors[1] and len(vectors[0]) == len(one.spelled)


def test_a_batch_holds_whole_dialogues_and_what_each_word_is(
    data: DataSet, vocabularies: VocabularySet, tmp_path: Path
) -> None:
    ids = table_dialogue.TASK.encode(data, "train", vocabularies, tmp_path)
    every = list(table_dialogue.TASK.examples(data, "train"))
    assert len(ids) == len(DIALOGUES) - 3 and ids.lengths.tolist() == [
        sum(len(turn.tokens) for turn in dialogue.turns) for dialogue in data.dialogues("train")
    ]
    batch = table_dialogue.TASK.collate(ids, np.arange(2), 100)
    assert batch.turns.shape[:2] == (2, 6 + 2 * (len(batch.place) - 6))
    for number, example in enumerate(every[: len(batch.place)]):
        targets = [word for word in batch.targets[number].tolist() if word != PAD]
        assert targets[-1] == END and table_dialogue.TASK.words(targets[:-1], example, vocabularies) == example.tokens
        assert batch.inputs[number, : len(targets)].tolist() == [START, *targets[:-1]]
        before = batch.turns[batch.dialogue[number], : batch.place[number]]
        prompts = table_dialogue.TASK.prompts([example], vocabularies).turns[0]
        if example.history:
            assert before[:, : prompts.shape[1]].tolist() == prompts.tolist()
    second = batch.kinds[1].tolist()  # NAME in the AREA serves FOOD food
    assert [kind for kind in second if kind] == [CELL + COPIED + WHOLE, CELL + COPIED, CELL + COPIED]
    unseen = {kind for row in table_dialogue.TASK.collate(ids, np.arange(len(ids)), 100).kinds.tolist() for kind in row}
    assert {0, CELL + COPIED, CELL + COPIED + WHOLE} < unseen and any(kind & UNSEEN for kind in unseen)
    assert all(kind in (0, CELL + COPIED) for kind in (kind & ~UNSEEN & ~WHOLE for kind in unseen))


def test_a_long_dialogue_is_learned_up_to_the_limit(data: DataSet, vocabularies: VocabularySet, tmp_path: Path) -> None:
    ids = table_dialogue.TASK.encode(data, "train", vocabularies, tmp_path)
    first = next(data.dialogues("train")).turns
    limit = sum(len(turn.tokens) for turn in first[:2]) + 2
    batch = table_dialogue.TASK.collate(ids, np.arange(1), limit)
    assert batch.turns.shape[1] == 3 and len(batch.targets) == 2
    assert (batch.targets[1] != PAD).sum() == 2 and END not in batch.targets[1]


def test_a_dialogue_of_one_turn_and_one_of_200(vocabularies: VocabularySet, tmp_path: Path) -> None:
    turns = DIALOGUES[0].turns
    short, long = (vars(DIALOGUES[0]) | {"turns": some} for some in (turns[:1], (turns * 40)[:200]))
    data = data_of(tmp_path / "data", [*DIALOGUES[:3], Dialogue(**short), Dialogue(**long)])
    ids = table_dialogue.TASK.encode(data, "train", vocabularies, tmp_path / "ids")
    learned = {len(list(one.history)) for one in table_dialogue.TASK.examples(data, "train")}
    batch = table_dialogue.TASK.collate(ids, np.arange(2), 10_000)
    assert len(batch.targets) == 1 + 100 and batch.turns.shape[1] == 200 and max(learned) == 198


def test_a_fold_is_the_test_part_and_a_tenth_of_the_others_dev(data: DataSet) -> None:
    for fold in range(5):
        parts = {split: list(data.of_fold(fold).dialogues(split)) for split in ("train", "dev", "test")}
        assert sorted(one.id for part in parts.values() for one in part) == [one.id for one in DIALOGUES]
        assert {one.fold for one in parts["test"]} == {fold}
        assert {int(one.content_hash, 16) % 10 for one in parts["dev"]} <= {0}
        assert all(int(one.content_hash, 16) % 10 for one in parts["train"])
    assert sorted(one.id for one in data.dialogues("dev")) == [one.id for one in DIALOGUES[:3]]


def test_a_fold_that_is_none_is_refused() -> None:
    assert (DataConfig().fold, load_config("table-pointer", [f"fold={FOLDS - 1}"]).data.fold) == (NO_FOLD, FOLDS - 1)
    with pytest.raises(UserError, match="'fold'"):
        load_config("table-pointer", [f"fold={FOLDS}"])


def test_a_data_set_without_turns_or_without_rows_is_refused(tmp_path: Path) -> None:
    config = DataConfig()
    with pytest.raises(UserError, match=r"The training part of .* is empty, so there is nothing to learn\."):
        table_dialogue.TASK.build_vocabularies(data_of(tmp_path / "one", DIALOGUES[:3]), config)
    with pytest.raises(UserError, match=r"holds a table without rows, so there is nothing to speak of\."):
        table_dialogue.TASK.build_vocabularies(data_of(tmp_path / "two", offers=[]), config)


def test_a_person_reads_the_users_last_words_and_all_before(data: DataSet) -> None:
    last = list(table_dialogue.TASK.examples(data, "dev"))[2]
    user, before = table_dialogue.TASK.show(last)
    assert user == "what is the number" and before[2] == "red door in the north serves thai food"
    assert last.tokens[0] == "01 22" and last.id == "call-000-002"


def test_a_word_that_nobody_has_counted_is_unknown(data: DataSet) -> None:
    example = next(table_dialogue.TASK.examples(data, "train"))
    few = VocabularySet(Vocabulary(SPECIALS))
    row = table_dialogue.Row("a", [["hello", "thai"]], example.table)
    assert table_dialogue.TASK.prompts([row], few).turns.tolist() == [
        [[UNKNOWN, word_ids(example.table, few.text)["thai"], END]]
    ]
    assert DIALOGUES[0].turns[0].speaker == MACHINE


def test_absent_kinds_of_words_have_no_perplexity(data: DataSet, tmp_path: Path) -> None:
    config = load_config("table-pointer", ["hidden=6", "text_cutoff=1"])
    vocabularies = table_dialogue.TASK.build_vocabularies(data, config.data)
    bundle = Bundle(build_model(config, vocabularies), config, vocabularies)
    for split, named in (("train", True), ("dev", False)):
        part = data if split == "train" else data_of(tmp_path / "data", [*DIALOGUES[:2], DIALOGUES[3]] * 2)
        ids = table_dialogue.TASK.encode(part, split, vocabularies, tmp_path / split)
        figures = dev_losses(bundle, ids)[1]
        assert ("dev_perplexity_table_oov" in figures) == named and figures["dev_perplexity_table"] > 1
        assert not any(np.isnan(value) for value in figures.values())
