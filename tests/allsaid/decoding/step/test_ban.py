"""Banned phrases: read from a file, found in published texts, and kept from being written one token after another."""

from __future__ import annotations

import itertools
from functools import cache
from pathlib import Path

import pytest
import torch

from allsaid.decoding.step import ban
from allsaid.modeling.data.vocabulary import SPECIALS
from allsaid.modeling.text.restore import Casing, restore
from schemas.errors import UserError

WORDS = (*SPECIALS, "add", "olive", "oil", "olive_oil", "virgin_olive", "do", "n't", "-", "free", "sugar", "<br>")
PHRASES = ("Olive Oil", "sugar-free", "don't", "oil add oil", "add")


def test_a_file_holds_a_phrase_a_line_with_comments(tmp_path: Path) -> None:
    path = tmp_path / "ban.txt"
    path.write_text("\ufeff# fats\nOlive  oil\n\nlard # too\nlard\n", encoding="utf-8")
    assert ban.read(str(path)) == ("Olive oil", "lard")
    path.write_text("# nothing\n\n")
    with pytest.raises(UserError, match=r"--ban .*ban\.txt holds no word\. Write words"):
        ban.read(str(path))
    path.write_bytes(b"caf\xe9")
    with pytest.raises(UserError, match="is not UTF-8"):
        ban.read(str(path))
    with pytest.raises(UserError, match=r"none\.txt can't be read \(No such file"):
        ban.read(str(tmp_path / "none.txt"))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Warm the OLIVE\nOil.", "Olive Oil"),
        ("Olives, oiled", None),
        ("A sugar-free cake", "sugar-free"),
        ("Free of sugar - free", "sugar-free"),
        ("Sugar free", None),
        ("You don’t", "don't"),
        ("added", None),
    ],
)
def test_phrases_are_found_as_whole_words(text: str, found: str | None) -> None:
    assert ban.first_banned(text, PHRASES) == found


def test_published_texts_hold_no_banned_phrase() -> None:
    """Every text of four tokens, against the published text itself."""
    phrases = PHRASES[:4]
    watch = ban.watch(WORDS, phrases)
    assert [WORDS[place] for place in watch.never.nonzero().flatten().tolist()] == ["olive_oil"]
    casing = Casing({}, frozenset())

    @cache
    def watched(text: tuple[int, ...]) -> tuple[torch.Tensor, bool]:
        """The watch's state after the words, and whether it let all of them pass."""
        if not text:
            return torch.zeros(1, dtype=torch.long), True
        *begun, word = text
        states, is_free = watched(tuple(begun))
        (forbidden,) = watch.forbidden(states)
        is_free &= word not in forbidden.tolist() and not bool(watch.never[word])
        return watch.after(states, torch.tensor([word])), is_free

    kept = 0
    for text in itertools.product(range(len(SPECIALS), len(WORDS)), repeat=4):
        _, is_free = watched(text)
        published = restore([WORDS[word] for word in text], casing)
        found = ban.first_banned(published, phrases)
        assert found is None or not is_free, published
        if "n't" not in published:  # the search also bans what only begins with a contraction
            assert is_free == (found is None), published
        kept += is_free
    assert 0 < kept < 11**4


def test_overlapping_phrases_lead_into_each_other() -> None:
    words = (*SPECIALS, "a", "b", "c")
    watch = ban.watch(words, ("a b c", "b c a", "b b"))
    for text in itertools.product((4, 5, 6), repeat=5):
        states, is_free = torch.zeros(1, dtype=torch.long), True
        for word in text:
            is_free &= word not in watch.forbidden(states)[0].tolist()
            states = watch.after(states, torch.tensor([word]))
        said = "".join(words[word] for word in text)
        assert is_free == all(phrase not in said for phrase in ("abc", "bca", "bb")), said
