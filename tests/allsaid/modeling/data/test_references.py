"""What people wrote of the same goal and agenda."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from allsaid.modeling.data.references import LEAST, MOST, References
from allsaid.modeling.data.vocabulary import SPECIALS, UNKNOWN, Vocabulary
from schemas.errors import UserError

WORDS = Vocabulary((*SPECIALS, "it", "is", "near", "SLOT_NAME", "."))


@dataclass(frozen=True)
class Text:
    goal_tokens: list[str]
    agenda_tokens: list[list[str]]
    tokens: list[str]


NAME, NEAR = ["SLOT_NAME"], ["near", "SLOT_NEAR"]
TEXTS = [
    Text(["inform"], [NAME, NEAR], ["SLOT_NAME", "is", "near", "it", "."]),
    Text(["inform"], [NAME], ["it", "is", "SLOT_NAME", "."]),
    Text(["inform"], [NEAR, NAME], ["near", "it", "is", "SLOT_NAME", "strange"]),
]


def build(texts: list[Text]) -> References:
    return References.build(lambda: iter(texts), WORDS)


def words(texts: list[list[int]]) -> list[str]:
    return [" ".join(WORDS.decode(text)) for text in texts]


def test_a_prompts_references_ignore_the_order_of_items(tmp_path: Path) -> None:
    build(TEXTS).save(tmp_path / "references.safetensors")
    for references in (build(TEXTS), References.load(tmp_path / "references.safetensors", len(WORDS))):
        both = ["SLOT_NAME is near it .", f"near it is SLOT_NAME {SPECIALS[UNKNOWN]}"]
        assert words(references.of(TEXTS[0])) == words(references.of(TEXTS[2])) == both
        assert references.of(TEXTS[1]) == []  # once: nothing is kept
        assert references.of(replace(TEXTS[0], goal_tokens=["confirm"])) == []
        assert references.of(replace(TEXTS[0], agenda_tokens=[NAME, NEAR, NEAR])) == []


def test_no_more_are_kept_than_a_choice_can_look_at() -> None:
    assert LEAST == 2
    references = build([replace(TEXTS[1], tokens=["it"] * (number % 3 + 1)) for number in range(MOST + 5)])
    found = references.of(TEXTS[1])
    assert len(found) == MOST
    assert [len(text) for text in found[:4]] == [1, 2, 3, 1]  # the first ones, in their order


def test_without_repeated_prompts_there_are_no_references(tmp_path: Path) -> None:
    for texts in ([], TEXTS[:2]):
        build(texts).save(tmp_path / "references.safetensors")
        assert References.load(tmp_path / "references.safetensors", len(WORDS)).of(TEXTS[0]) == []


def test_damaged_and_foreign_reference_files_are_refused(tmp_path: Path) -> None:
    path, whole = tmp_path / "references.safetensors", build(TEXTS)
    whole.save(path)
    with pytest.raises(UserError, match="is of another vocabulary"):
        References.load(path, len(SPECIALS) + 1)
    for damaged in (
        replace(whole, texts=whole.texts[:-1]),
        replace(whole, texts=whole.texts + 1),
        replace(whole, words=whole.words[::-1].copy()),
        replace(whole, ids=whole.ids[:-1]),
        replace(whole, ids=-whole.ids),
        replace(whole, words=np.zeros(0, np.int64)),
    ):
        damaged.save(path)
        with pytest.raises(UserError, match="is of another vocabulary"):
            References.load(path, len(WORDS))
    path.write_bytes(b"none")
    with pytest.raises(UserError, match="can't be read"):
        References.load(path, len(WORDS))
