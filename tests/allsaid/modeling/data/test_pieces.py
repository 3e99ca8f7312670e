"""Words are cut into pieces and joined again without loss, by merges that depend on the words alone."""

from __future__ import annotations

import sys
from collections import Counter
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from allsaid.modeling.data import pieces
from allsaid.modeling.data.vocabulary import SPECIALS, Vocabulary, VocabularySet, choose_pieces
from schemas.errors import UserError

# Of Sennrich et al. 2016, section 3.2: "es" is seen nine times, and so is "t " behind it.
COUNTS = {"low": 5, "lower": 2, "newest": 6, "widest": 3}
WORDS = st.lists(st.text(st.characters(exclude_characters=pieces.MARK), min_size=1, max_size=12), max_size=8)
MADE = [stem + end for stem in ("kelam", "tisan", "borut", "lamki") for end in ("o", "u", "iro", "iru", "a")]


@pytest.fixture(scope="module")
def vocabulary() -> Vocabulary:
    return choose_pieces(Counter(MADE), 2, 20)


def cut(vocabulary: Vocabulary, words: list[str]) -> list[str]:
    return [*chain.from_iterable(vocabulary.cut(words))]


def test_merges_are_those_of_the_most_frequent_pairs() -> None:
    assert pieces.learn(COUNTS, 4, 1) == (("e", "s"), ("es", "t "), ("l", "o"), ("e", "w"))
    assert pieces.learn(COUNTS, 9, 8) == (("e", "s"), ("es", "t "))  # no other pair is seen eight times
    found = choose_pieces(COUNTS, 5, 3)
    ranks = {merge: rank for rank, merge in enumerate(found.merges)}
    assert found.cut(["lowest", "es"]) == [("lo", "w", "est "), ("e", "s ")] and len(ranks) == 3
    # 'r ' is seen twice, 'i' and 'd' three times; 'es' makes 'est ' everywhere and is a piece nevertheless.
    assert found.words == (*SPECIALS, "w", "est ", "e", "lo", "n", "w ", "es", "l", "o", "s", "t ")


def test_merges_do_not_depend_on_the_order_of_words() -> None:
    """Of many pairs that are seen equally often those of the lower characters come first."""
    counts = dict.fromkeys(MADE, 1)
    learned = pieces.learn(counts, 40, 1)
    assert len(learned) == 37  # then all words are whole
    for turned in (dict(reversed(counts.items())), dict(sorted(counts.items()))):
        for _ in range(5):
            assert pieces.learn(turned, 40, 1) == learned


@given(words=WORDS)
@settings(deadline=None)  # the first takes as long as the vocabulary
def test_pieces_that_are_joined_are_the_words_again(vocabulary: Vocabulary, words: list[str]) -> None:
    """Those of characters that training has not seen among them, also cut off anywhere."""
    found = cut(vocabulary, words)
    assert vocabulary.join(found) == words
    for end in range(len(found) + 1):
        assert ["".join(found[a:b]).removesuffix(" ") for a, b in pieces.spans(found[:end])] == vocabulary.join(
            found[:end]
        )


def test_words_are_cut_as_the_library_cuts_them(vocabulary: Vocabulary) -> None:
    from tokenizers import models

    ids = {piece: number for number, piece in enumerate({*vocabulary.words, *"iou", "t "})}
    theirs = models.BPE(ids, list(vocabulary.merges), end_of_word_suffix=pieces.MARK)
    for word in [*MADE, "kelamboruto", "tisantisaniru", "ototot", "a"]:
        assert [token.value for token in theirs.tokenize(word)] == [*vocabulary.cut([word])[0]], word


def test_whole_words_are_neither_cut_nor_joined() -> None:
    whole = Vocabulary((*SPECIALS, "low"))
    assert whole.cut(["low", "new"]) == [("low",), ("new",)] and whole.join(["low", "new"]) == ["low", "new"]


def test_a_vocabulary_of_pieces_is_saved_with_its_merges(vocabulary: Vocabulary) -> None:
    saved = VocabularySet(vocabulary).to_json()
    assert saved["text_merges"][0] == "\t".join(vocabulary.merges[0])
    assert VocabularySet.from_json(saved) == VocabularySet(vocabulary)
    assert [*VocabularySet(Vocabulary(SPECIALS)).to_json()] == ["text"]
    for bad in ("lo", "\tlo", ""):
        with pytest.raises(ValueError, match=r"'text_merges' holds \('', 'lo'\)|'text_merges' holds \('(lo)?', ''\)"):
            VocabularySet.from_json(saved | {"text_merges": [bad]})


def test_what_can_not_be_learned_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UserError, match=r"No two characters are adjacent 9 times .* Set text_cutoff lower, or"):
        choose_pieces({"ab": 8}, 9, 10)
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(UserError, match=r"the library `tokenizers`, but it is not installed here\. Install it \(pip"):
        choose_pieces({"ab": 8}, 1, 10)
