"""Copied runs, beside a brute-force search over random words, and what the index keeps on disk."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from allsaid.modeling.data import copied
from allsaid.modeling.data.copied import CopyIndex
from schemas.errors import UserError


def brute(text: Sequence[str], training: Sequence[Sequence[str]]) -> int:
    """All runs of the text, the longest first."""
    joined = [f" {' '.join(one)} " for one in training]
    for length in range(len(text), 0, -1):
        for start in range(len(text) - length + 1):
            if any(f" {' '.join(text[start : start + length])} " in one for one in joined):
                return length
    return 0


def random_texts(chance: random.Random, count: int, words: str, longest: int) -> list[list[str]]:
    return [chance.choices(words, k=chance.randint(0, longest)) for _ in range(count)]


@pytest.mark.parametrize(
    ("words", "longest"), [("a", 9), ("ab", 40), ("abcdefghij", 12), ("".join(map(chr, range(97, 160))), 30)]
)
def test_as_brute_force_on_random_words(words: str, longest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copied, "CHUNK", 20)  # of the texts, so that there are several
    chance = random.Random(len(words))
    training = random_texts(chance, 60, words, longest)
    training += [training[0] * 3, training[1] + training[2], training[3]]  # long runs, and twins
    index = CopyIndex.build(training)
    queries = [*random_texts(chance, 40, words + "?", longest), [*training[-2], "?"], ["?"], []]
    assert index.longest_runs(queries) == [brute(query, training) for query in queries]


def test_places_are_sorted_by_what_follows_up_to_the_separator() -> None:
    chance = random.Random(5)
    index = CopyIndex.build(random_texts(chance, 30, "ab", 50))
    ids = index.ids.tolist()
    ends = [ids.index(0, place) for place in range(len(ids))]
    following = [ids[place : ends[place] + 1] for place in index.places.tolist()]
    assert following == sorted(following)
    assert sorted(index.places.tolist()) == list(range(len(ids)))


def test_phrases_are_split_steps_joined_and_texts_kept_apart() -> None:
    index = CopyIndex.build([["add", "olive_oil", ".", "<br>", "stir"], ["well", "."]])
    texts = [["olive", "oil", ".", "stir"], ["add_olive", "<br>", "oil", "."], ["stir", "well", "."], ["<br>"]]
    assert index.longest_runs(texts) == [4, 4, 2, 0]


def test_an_index_without_texts_finds_nothing() -> None:
    assert CopyIndex.build([]).longest_runs([["salt"], []]) == [0, 0]
    assert CopyIndex.build([[], []]).longest_runs([["salt"], []]) == [0, 0]


def test_an_index_survives_its_file(tmp_path: Path) -> None:
    training = random_texts(random.Random(1), 20, "äbcé", 15)
    index = CopyIndex.build(training)
    index.save(tmp_path / "copied.safetensors")
    loaded = CopyIndex.load(tmp_path / "copied.safetensors")
    assert loaded.numbers == index.numbers
    assert loaded.ids.dtype == np.uint16
    assert loaded.longest_runs(training) == [len(text) for text in training]
    assert (tmp_path / "copied.safetensors").stat().st_size < 6 * len(index.ids) + 400


def test_more_than_65536_words(tmp_path: Path) -> None:
    training = [[f"w{number}" for number in range(65_540)]]
    index = CopyIndex.build(training)
    index.save(tmp_path / "copied.safetensors")
    loaded = CopyIndex.load(tmp_path / "copied.safetensors")
    assert loaded.longest_runs([training[0][65_530:], ["w4", "w3"]]) == [10, 1]


def test_a_damaged_file_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "copied.safetensors").write_bytes(b"no tensors")
    with pytest.raises(UserError, match="is no index of copied runs"):
        CopyIndex.load(tmp_path / "copied.safetensors")
