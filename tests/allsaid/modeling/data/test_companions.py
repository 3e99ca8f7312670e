"""Words that stand together in texts more often than by chance."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from allsaid.modeling.data.companions import Companions
from allsaid.modeling.data.vocabulary import SPECIALS, Vocabulary
from schemas.errors import UserError

WORDS = Vocabulary((*SPECIALS, "the", "salt", "layer", "lasagna", "bowl", "stir"))


def build() -> Companions:
    """A thousand texts, 30 of lasagna and 30 of soup; a bowl stands in as many of each kind."""
    kinds = ["lasagna"] * 30 + ["soup"] * 30 + ["bread"] * 940
    tokens = {"lasagna": ["the", "layer", "layer"], "soup": ["the", "stir"], "bread": ["the"]}
    table = pa.table(
        {
            "goal_tokens": [[kind] for kind in kinds],
            "agenda_tokens": [[["salt", "water"]] if kind == "soup" else [["water"]] for kind in kinds],
            "tokens": [tokens[kind] + (["bowl"] if number % 30 == 0 else []) for number, kind in enumerate(kinds)],
        }
    )
    return Companions.build([table.slice(0, 300), table.slice(300)], WORDS)


def test_companions_occur_together_more_than_by_chance(tmp_path: Path) -> None:
    companions = build()

    def of(*words: str) -> list[str]:
        return WORDS.decode(companions.of(WORDS.encode(words)))

    assert (of("lasagna"), of("salt"), of("soup"), of("the")) == (["layer"], ["stir"], [], [])
    assert of("salt", "lasagna") == ["stir", "layer"]  # by the words' ids, the closest of each first
    companions.save(tmp_path / "companions.safetensors")
    again = Companions.load(tmp_path / "companions.safetensors", len(WORDS))
    assert (again.words == companions.words).all()


def test_companions_of_another_vocabulary_are_refused(tmp_path: Path) -> None:
    build().save(tmp_path / "companions.safetensors")
    with pytest.raises(UserError, match="is of another vocabulary"):
        Companions.load(tmp_path / "companions.safetensors", 9)
    (tmp_path / "companions.safetensors").write_bytes(b"none")
    with pytest.raises(UserError, match="can't be read"):
        Companions.load(tmp_path / "companions.safetensors", len(WORDS))
