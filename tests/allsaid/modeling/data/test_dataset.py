"""From published examples to batches."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from small_data import make_example, publish

from allsaid.modeling.config import DataConfig
from allsaid.modeling.data.dataset import DataSet, epoch_order, fixed_sample, sorted_order
from allsaid.modeling.data.vocabulary import (
    END,
    PAD,
    SPECIALS,
    START,
    UNKNOWN,
    Vocabularies,
    Vocabulary,
    all_item_words,
    choose_words,
    item_words,
)
from allsaid.modeling.tasks import agenda
from schemas.checks.table import SchemaMismatch
from schemas.errors import UserError
from schemas.example import EXAMPLE, NEW, NO_ITEM, NONE, UNSUPERVISED, USED
from schemas.runs.manifest import MANIFEST_NAME

TRAIN, DEV = [make_example(number) for number in range(23)], [make_example(number) for number in range(100, 107)]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> DataSet:
    return DataSet(str(publish(tmp_path_factory.mktemp("data"), {"train": TRAIN, "dev": DEV})))


def test_words_are_kept_from_the_cutoff_on_in_a_fixed_order() -> None:
    counts = {"b": 3, "a": 3, "c": 2, "d": 1, "<unk>": 9}
    assert choose_words(counts, 2).words == (*SPECIALS, "a", "b", "c")
    assert choose_words(dict(reversed(counts.items())), 2) == choose_words(counts, 2)
    assert choose_words(counts, 3).encode(["a", "c", "b"]) == [4, UNKNOWN, 5]


def test_vocabularies_come_from_the_training_part_alone(data: DataSet) -> None:
    words = agenda.TASK.build_vocabularies(data, DataConfig(text_cutoff=1, title_cutoff=1, agenda_cutoff=1))
    assert set(words.text.words) == {*SPECIALS, *(token for example in TRAIN for token in example.tokens)}
    assert set(words.agenda.words) - set(SPECIALS) == {
        word for example in TRAIN for item in example.agenda_tokens for word in item
    }
    assert words.title.words[4] == "baked"
    assert Vocabularies.from_json(words.to_json()) == words


def test_ids_of_all_files_give_the_examples_back(data: DataSet, tmp_path: Path) -> None:
    words = agenda.TASK.build_vocabularies(data, DataConfig(text_cutoff=1, title_cutoff=1, agenda_cutoff=1))
    ids = agenda.TASK.encode(data, "train", words, tmp_path / "train")
    read = list(data.examples("train"))
    assert sorted(example.id for example in read) == [example.id for example in TRAIN]
    assert len(ids) == 23
    assert isinstance(ids.text, np.memmap)
    for row, example in enumerate(read):
        part = slice(ids.text_starts[row], ids.text_starts[row + 1])
        assert words.text.decode(ids.text[part]) == example.tokens
        assert ids.types[part].tolist() == example.ref_types
        assert ids.refs[part].tolist() == example.ref_items
        batch = agenda.TASK.collate(ids, np.array([row]), 999)
        assert batch.targets[0].tolist() == [*words.text.encode(example.tokens), END]
        for mine, theirs in zip(
            vars(batch.prompts).values(), vars(agenda.TASK.prompts([example], words)).values(), strict=True
        ):
            assert mine.tolist() == theirs.tolist()


def small_words() -> Vocabularies:
    return Vocabularies(
        Vocabulary((*SPECIALS, "mix", "flour", "milk", ".")),
        Vocabulary((*SPECIALS, "soup", "cream")),
        Vocabulary((*SPECIALS, "flour", "milk", "powder")),
    )


class Wish:
    def __init__(self, goal: list[str], agenda: list[list[str]]) -> None:
        self.goal_tokens, self.agenda_tokens = goal, agenda


def test_prompts_are_sets_of_words_filled_up() -> None:
    wishes = [
        Wish(["soup", "soup", "xyz"], [["milk", "powder", "milk"], ["flour"], []]),
        Wish([], [["x", "y"]]),
    ]
    prompts = agenda.TASK.prompts(wishes, small_words())
    assert prompts.goal.tolist() == [[4, UNKNOWN], [PAD, PAD]]
    assert prompts.items.tolist() == [
        [[5, 6], [4, PAD], [PAD] * 2],
        [[UNKNOWN, PAD], [PAD] * 2, [PAD] * 2],
    ]
    assert prompts.names[0].tolist() == [[6, UNKNOWN], [5, PAD], [PAD] * 2]
    assert prompts.item_mask.tolist() == [[True, True, True], [True, False, False]]


def test_a_batch_is_shifted_padded_and_cut(tmp_path: Path) -> None:
    example = make_example(3)
    foods = example.agenda_tokens
    data = DataSet(str(publish(tmp_path, {"train": [example, make_example(4)]}, files=1)))
    words = agenda.TASK.build_vocabularies(data, DataConfig(text_cutoff=1, title_cutoff=1, agenda_cutoff=1))
    kept = Vocabulary(tuple(word for word in words.text.words if word != foods[1][0]))
    ids = agenda.TASK.encode(data, "train", Vocabularies(kept, words.title, words.agenda), tmp_path / "ids")
    longest = max(len(example.tokens), len(make_example(4).tokens))
    whole, cut = (agenda.TASK.collate(ids, np.array([0, 1]), max_text=length) for length in (longest, 12))
    assert whole.inputs[0, 0] == START
    assert whole.inputs[:, 1:].tolist() == whole.targets[:, :-1].tolist()
    assert (whole.types[whole.targets == PAD] == UNSUPERVISED).all()
    for row in range(2):
        end = whole.targets[row].tolist().index(END)
        assert (whole.types[row, end], whole.refs[row, end]) == (NONE, NO_ITEM)
        assert (whole.types[row, end - 2], whole.refs[row, end - 2]) == (USED, 0)
        assert cut.targets[row].tolist() == whole.targets[row, :12].tolist()
        assert END not in cut.targets[row].tolist()
    unknown = example.tokens.index(foods[1][0])
    assert whole.targets[0, unknown] == UNKNOWN
    assert (whole.types[0, unknown], whole.refs[0, unknown]) == (UNSUPERVISED, NO_ITEM)
    assert (whole.types[0, 2], whole.refs[0, 2]) == (NEW, 0)


def test_an_epochs_order_is_a_pure_function_of_seed_and_epoch() -> None:
    lengths = np.random.default_rng(1).integers(10, 300, size=1007)
    one = epoch_order(lengths, 3, seed=5, epoch=2)
    again = epoch_order(lengths, 3, seed=5, epoch=2)
    assert [rows.tolist() for rows in one] == [rows.tolist() for rows in again]
    for other in (epoch_order(lengths, 3, seed=5, epoch=3), epoch_order(lengths, 3, seed=6, epoch=2)):
        assert [rows.tolist() for rows in other] != [rows.tolist() for rows in one]
        assert sorted(np.concatenate(other).tolist()) == list(range(1007))
    filled = sum(int(lengths[rows].max()) * len(rows) for rows in one)
    assert filled < 1.1 * lengths.sum()


def test_the_order_for_scoring_is_by_length() -> None:
    order = sorted_order(np.array([5, 3, 9, 3]), 3)
    assert [rows.tolist() for rows in order] == [[1, 3, 0], [2]]


def test_the_fixed_sample_is_the_same_whatever_the_files_order(data: DataSet) -> None:
    sample = fixed_sample(data.examples("dev"), 5)
    assert [example.id for example in sample] == [example.id for example in DEV[:5]]
    assert sample == fixed_sample(iter(list(data.examples("dev"))[::-1]), 5)


def test_a_folder_without_a_data_set_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"holds no data set.*Run `allsaid ingest` first"):
        DataSet(str(tmp_path / "nothing"))


def test_another_schema_version_is_a_sentence(tmp_path: Path) -> None:
    folder = publish(tmp_path, {"train": TRAIN})
    path = folder / "runs" / "1" / "examples" / "split=train" / "0.parquet"
    table = pq.read_table(path)
    pq.write_table(table.replace_schema_metadata({b"allsaid.schema": b"example/9"}), path)
    with pytest.raises(SchemaMismatch, match=r"split=train/0.parquet says it is 'example/9'.*'example/1'"):
        list(DataSet(str(folder)).examples("train"))
    path.write_bytes(b"PAR1 but not really")
    with pytest.raises(UserError, match=r"cannot read examples/split=train/0.parquet"):
        list(DataSet(str(folder)).examples("train"))


def test_an_empty_training_part_is_a_sentence(tmp_path: Path) -> None:
    data = DataSet(str(publish(tmp_path, {"dev": DEV})))
    with pytest.raises(UserError, match=r"training part of .* is empty"):
        agenda.TASK.build_vocabularies(data, DataConfig())


def test_a_data_set_is_read_by_its_address_too(data: DataSet) -> None:
    by_address = DataSet(Path(data.where).as_uri())
    assert by_address.manifest == data.manifest
    assert [example.id for example in by_address.examples("dev")] == [example.id for example in data.examples("dev")]
    assert by_address.phrases().num_rows == 1
    assert (Path(data.where) / MANIFEST_NAME).exists()
    assert pq.read_schema(next(Path(data.where).rglob("split=dev/*.parquet"))).equals(EXAMPLE)


def test_a_special_value_adds_its_words_to_the_item() -> None:
    assert item_words(["SLOT_DOGSALLOWED_DONT_CARE_2"]) == [
        "SLOT_DOGSALLOWED_DONT_CARE_2",
        "SLOT_DOGSALLOWED",
        "DONT_CARE",
    ]
    assert item_words(["SLOT_AREA_?", "SLOT_NO", "olive_oil"]) == [
        "SLOT_AREA_?",
        "SLOT_AREA",
        "?",
        "SLOT_NO",
        "olive_oil",
    ]
    items = [["sea", "salt"], [], ["SLOT_AREA_NO"], ["SLOT_NAME", "x"]]
    table = pa.array([["before"], *items])[1:]
    assert all_item_words(table).to_pylist() == [item_words(item) for item in items]
