"""Splits depend on a recipe's own content; the guard knows bags and triples of title words."""

from __future__ import annotations

from array import array

from pipelines.linking.splits import (
    PackedKeys,
    bag_key,
    content_hash,
    content_letters,
    guard,
    split_of,
    triple_keys,
)


def keys(*titles: str) -> set[int]:
    found: set[int] = set()
    for title in titles:
        found |= {bag_key(title.split()), *triple_keys(title.split())}
    return found


def test_content_letters() -> None:
    assert content_letters(["Sauté, at 350 F.!", "Stir__it"]) == "sautéat350fstirit"


def test_split_is_the_hash_against_the_shares() -> None:
    starts = ("00", "3f", "40", "bf", "c0", "ff")
    splits = [split_of(start + "0" * 14, dev_share=0.25, test_share=0.5) for start in starts]
    assert splits == ["dev", "dev", "test", "test", "train", "train"]


def test_shares_are_met() -> None:
    splits = [split_of(content_hash(str(number)), 0.1, 0.2) for number in range(7000)]
    assert 0.09 < splits.count("dev") / 7000 < 0.11
    assert 0.18 < splits.count("test") / 7000 < 0.22


def test_larger_shares_move_no_dev_recipe_out_of_dev() -> None:
    hashes = [content_hash(str(number)) for number in range(300)]
    dev = {hashed for hashed in hashes if split_of(hashed, 0.1, 0.1) == "dev"}
    assert dev <= {hashed for hashed in hashes if split_of(hashed, 0.3, 0.1) == "dev"}


def test_guard() -> None:
    packed = [array("q", keys(*titles)).tobytes() for titles in (("spicy bean soup", "cake"), ("red hot chili pie",))]
    held_out = PackedKeys([*packed, *packed])
    assert guard(["bean", "soup", "spicy"], held_out) == "same_title"
    assert guard(["cake"], held_out) == "same_title"
    assert guard(["cake", "cake"], held_out) == ""
    assert guard(["my", "chili", "hot", "pie", "again"], held_out) == "three_title_words"
    assert guard(["hot", "chili"], held_out) == ""
    assert guard(["hot", "hot", "chili"], held_out) == ""
    assert guard(["bean", "soup", "red"], held_out) == ""
    assert guard(["cake"], PackedKeys([])) == ""


def test_triples_are_sets_of_different_words() -> None:
    assert len(triple_keys(["a", "b", "c", "d", "e", "a"])) == 10
    assert triple_keys(["a", "b", "a"]) == []
    assert set(triple_keys(["c", "a", "b"])) == set(triple_keys(["a", "b", "c"]))
