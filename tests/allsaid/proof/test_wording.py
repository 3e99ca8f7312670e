"""Vocabulary use, catch-all phrases and items introduced twice, on texts small enough to check by eye."""

from __future__ import annotations

from cases import cases

from allsaid.proof.wording import doubled, has_catch_all, vocabulary_use


def test_vocabulary_use_counts_known_tokens_of_all_texts() -> None:
    texts = [["add", "the", "olive_oil", ".", "<br>", "stir", "the", "soup", "."], ["<unk>", "the", "leeks", "."]]
    known = {"<br>", "<unk>", ".", "add", "the", "olive_oil", "soup", "never"}
    assert vocabulary_use(texts, known) == [3, 3, 1, 1, 1]
    assert vocabulary_use([], known) == []


@cases
def test_catch_all(text: str, found: bool) -> None:
    assert has_catch_all(text.split()) is found


@cases
def test_items_introduced_twice(text: str, agenda: list[str], places: list[list[int]]) -> None:
    assert doubled(text.split(), [item.split() for item in agenda]) == places
