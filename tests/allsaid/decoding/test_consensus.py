"""The choice by consensus: by hand, and in the order of what a search gives back."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
import torch
from small_data import make_example, publish

from allsaid.decoding.consensus import LIKELY, OWN, SHARPNESS, SMOOTH, preferred
from allsaid.decoding.hypothesis import Hypothesis
from allsaid.decoding.write import write
from allsaid.modeling.config import Config, DataConfig, SearchConfig
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.data.references import References
from allsaid.modeling.data.vocabulary import END
from allsaid.modeling.models import checklist
from allsaid.modeling.saved.model_folder import Bundle
from allsaid.modeling.tasks import agenda

NO_ITEM = -1
BYE, THANK, YOU, GOOD = 10, 11, 12, 13


def text(*words: int, probability: float, finished: bool = True) -> Hypothesis:
    return Hypothesis(list(words), [NO_ITEM] * len(words), math.log(probability), [], finished, False)


def test_what_the_others_say_too_comes_before_what_is_likeliest() -> None:
    alone = text(GOOD, GOOD, GOOD, probability=0.35)
    shared = [text(THANK, YOU, BYE, probability=0.3), text(THANK, YOU, THANK, probability=0.25)]
    found = [alone, *shared]
    assert preferred(found, SearchConfig(length_power=0))[0] is alone
    assert preferred(found, SearchConfig(length_power=0, consensus=1))[0] is shared[0]


def grams(words: Sequence[int], size: int) -> Counter[tuple[int, ...]]:
    whole = [*words, END]
    return Counter(tuple(whole[start : start + size]) for start in range(len(whole) - size + 1))


def by_enumeration(words: list[int], texts: dict[tuple[int, ...], float], draws: int) -> float:
    """BLEU's precisions of a text, the mean over all drawings of so many references; no text is shorter than all."""
    total = 0.0
    for size in range(1, 5):
        own, matched = grams(words, size), 0.0
        for drawn in product(texts, repeat=draws):
            union = Counter[tuple[int, ...]]()
            for reference in drawn:
                union |= grams(reference, size)
            matched += math.prod(texts[one] for one in drawn) * (own & union).total()
        total += math.log((matched + SMOOTH) / (own.total() + SMOOTH)) / 4
    return total


PEOPLE = [[THANK, YOU], [BYE, BYE], [THANK, YOU], [YOU, GOOD]]


@pytest.mark.parametrize("written", [[], PEOPLE])
@pytest.mark.parametrize("draws", [1, 3])
def test_the_order_is_the_mean_over_drawn_references(written: list[list[int]], draws: int) -> None:
    """The model's texts and people's, of the same length, so that none is too short."""
    found = [text(GOOD, BYE, probability=0.5), text(BYE, BYE, probability=0.3), text(YOU, BYE, probability=0.2)]
    weights = [(one / 0.5) ** SHARPNESS for one in (0.5, 0.3, 0.2)]
    shares = Counter(
        {tuple(one.tokens): OWN * weight / sum(weights) for one, weight in zip(found, weights, strict=True)}
    )
    for one in written:
        shares[tuple(one)] += 1
    texts = {one: share / (OWN + len(written)) for one, share in shares.items()}
    scores = [
        by_enumeration(one.tokens, texts, draws) + LIKELY * one.log_probability / 3  # words and the end
        for one in found
    ]
    order = sorted(range(3), key=lambda place: -scores[place])
    search = SearchConfig(consensus=draws, length_power=1)
    assert preferred(found, search, written) == [found[place] for place in order]


def test_references_decide_between_equally_likely_texts() -> None:
    found = [text(GOOD, BYE, probability=0.4), text(THANK, YOU, probability=0.4), text(YOU, BYE, probability=0.2)]
    firsts = [
        preferred(found, SearchConfig(consensus=8), [theirs] * 9)[0].tokens for theirs in ([THANK, YOU], [GOOD, BYE])
    ]
    assert firsts == [[THANK, YOU], [GOOD, BYE]]
    assert preferred(found, SearchConfig(), [[YOU, BYE]] * 9)[-1] is found[2]  # without consensus nobody asks


def test_a_text_shorter_than_all_that_are_drawn_loses_by_it() -> None:
    """All its n-grams stand in the longer one; the likelier of the two is the short one."""
    short, whole = text(BYE, probability=0.31), text(YOU, BYE, probability=0.3)
    people = [[YOU, BYE]] * 20
    assert preferred([short, whole], SearchConfig(consensus=1), people) == [whole, short]
    assert preferred([short, whole], SearchConfig(consensus=1), [[BYE]] * 20) == [short, whole]


def test_an_unfinished_text_is_no_witness() -> None:
    once = text(THANK, YOU, BYE, probability=0.2)
    cut = text(GOOD, GOOD, BYE, probability=0.9, finished=False)
    assert preferred([cut, once], SearchConfig(consensus=8))[0] is once
    assert preferred([cut], SearchConfig(consensus=8)) == [cut]


@pytest.mark.parametrize("consensus", [0.0, 8.0])
def test_equal_texts_come_in_an_order_of_their_own(consensus: float) -> None:
    found = [text(BYE, probability=0.5), text(GOOD, probability=0.5)]
    search = SearchConfig(consensus=consensus)
    assert preferred(found, search) == preferred(found[::-1], search)


def test_the_search_reads_references_of_the_rows_agenda(tmp_path: Path) -> None:
    """One of the model's own texts is what people wrote, and comes first; a row with other items has no such."""
    made = [make_example(number) for number in range(12)]
    data = DataSet(str(publish(tmp_path, {"train": made, "dev": made[:2]}, files=1)))
    vocabularies = agenda.TASK.build_vocabularies(data, DataConfig(1, 1, 1))
    torch.manual_seed(3)
    model = checklist.Checklist(checklist.Settings(hidden=16, init=0.9), vocabularies.sizes).eval()
    search = SearchConfig(width=6, consensus=8, rank_by_model_items=False, no_repeat_ngram=1)
    bundle = Bundle(model, Config(search=search), vocabularies, origin={}, **agenda.TASK.background(data))
    row, other = made[0], replace(made[1], agenda=["basil"], agenda_tokens=[["basil"]])
    plain = write(bundle, [row, other], search)
    theirs = [one for one in plain[0] if len(one.tokens) > 3][-1]
    assert plain[0][0].tokens != theirs.tokens
    said = replace(row, tokens=bundle.words(theirs.tokens, row))
    asked = replace(bundle, references=References.build(lambda: iter([said] * 50), vocabularies.text))
    known = write(asked, [row, other], search)
    assert known[0][0].tokens == theirs.tokens
    assert known[1] == plain[1]
    unasked = replace(search, consensus=0.0)
    assert write(asked, [row], unasked) == write(bundle, [row], unasked)
