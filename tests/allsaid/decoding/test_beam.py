"""The beam search on models so small that every text can be written down."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from random_models import Copying
from scripted_model import NO_NAMES, A, B, C, Scripted, every_text, prompts
from small_data import make_example
from tiny_model import save_tiny_model

from allsaid.decoding.beam import beam_search
from allsaid.decoding.step import ban
from allsaid.decoding.step.mentions import PENALTY
from allsaid.decoding.step.once import Once
from allsaid.decoding.step.phrases import Phrases
from allsaid.decoding.write import write
from allsaid.modeling.config import SearchConfig
from allsaid.modeling.data.vocabulary import END, PAD, SPECIALS, START, UNKNOWN
from allsaid.modeling.saved import model_folder
from schemas.example import NO_ITEM

OPTIONS = SearchConfig(width=3, max_tokens=5, finished=3)


PLAIN = {
    START: {A: 0.55, B: 0.45},
    A: {A: 0.1, B: 0.5, END: 0.4},
    B: {A: 0.2, C: 0.2, END: 0.6},
    C: {END: 1.0},
}


def test_golden_texts_of_two_prompts_at_once() -> None:
    other = {START: {C: 1.0}, C: {C: 0.5, B: 0.3, END: 0.2}, B: {END: 1.0}}
    both = beam_search(Scripted([PLAIN, other], {}, NO_NAMES), prompts(2), OPTIONS)
    assert [one.tokens for one in both[0][:3]] == [[A, B], [B], [A]]
    assert [one.tokens for one in both[1][:3]] == [[C, B], [C, C, B], [C]]
    assert both[0][0].log_probability == pytest.approx(math.log(0.55 * 0.5 * 0.6), rel=1e-5)
    assert both[1][0].log_probability == pytest.approx(math.log(0.3), rel=1e-5)
    assert all(one.finished for hypotheses in both for one in hypotheses)


def test_a_beam_wide_enough_finds_what_enumeration_finds() -> None:
    items = {A: (0, True), B: (2, True), C: (1, False)}
    model = Scripted([PLAIN], items, NO_NAMES)
    (found,) = beam_search(model, prompts(1), SearchConfig(width=200, max_tokens=4, finished=200))
    expected = every_text(model, 0, longest=4)
    assert len(expected) > 5
    for mine, slow in zip(found, expected, strict=True):
        assert (mine.tokens, mine.items, mine.used, mine.penalised) == (
            slow.tokens,
            slow.items,
            slow.used,
            slow.penalised,
        )
        assert mine.log_probability == pytest.approx(slow.log_probability, rel=1e-5)


def test_most_distinct_items_come_before_probability() -> None:
    table = {START: {A: 0.9, B: 0.1}, A: {END: 0.9, C: 0.1}, B: {C: 1.0}, C: {END: 0.6, B: 0.4}}
    # The word after B introduces item 1; the word after the start, none.
    (found,) = beam_search(Scripted([table], {B: (1, True)}, NO_NAMES), prompts(1), OPTIONS)
    assert found[0].tokens == [B, C]
    assert found[0].used == [1]
    assert found[0].items == [NO_ITEM, 1]
    assert found[1].tokens == [A]
    assert found[1].log_probability > found[0].log_probability


def test_more_finished_texts_may_cover_more_items() -> None:
    table = {START: {A: 0.8, B: 0.2}, A: {END: 1.0}, B: {END: 0.5, C: 0.5}, C: {END: 1.0}}
    model = Scripted([table], {B: (1, True)}, NO_NAMES)
    found = [beam_search(model, prompts(1), replace(OPTIONS, finished=number))[0] for number in (1, 2, 3)]
    assert [[one.tokens for one in texts] for texts in found] == [[[A], [B]], [[A], [B]], [[B, C], [A], [B]]]


@pytest.mark.parametrize("power", [1.0, 0.0])
@pytest.mark.parametrize("width", [1, 2, 3, 4])
def test_finished_texts_compete_in_the_beam_on_request(width: int, power: float) -> None:
    rows = torch.rand(60, 7, 7, generator=torch.Generator().manual_seed(width)) ** 3
    rows[:, :, [PAD, UNKNOWN, START]] = 0
    tables = [
        {before: dict(enumerate(row.tolist())) for before, row in enumerate(text / text.sum(1, True))} for text in rows
    ]
    options = SearchConfig(width=width, max_tokens=9, finished=0, length_power=power)
    found = beam_search(Scripted(tables, {}, NO_NAMES), prompts(len(tables)), options)
    compared = 0
    for table, texts in zip(tables, found, strict=True):
        if expected := competing(table, options):
            compared += 1
            assert sorted(one.log_probability for one in texts) == pytest.approx(sorted(expected), rel=1e-4)
    assert compared > 9


def competing(table: dict[int, dict[int, float]], options: SearchConfig) -> list[float]:
    """Log-probabilities of the ended texts in the last beam, or of all if none has ended; none where a tie decides."""

    def rank(one: tuple[list[int], float]) -> float:
        return -one[1] / (len(one[0]) - 1) ** options.length_power

    beam = [([START], 0.0)]
    for _ in range(options.max_tokens):
        grown = [
            ([*words, word], score + math.log(table[words[-1]][word]))
            for words, score in beam
            if words[-1] != END
            for word in (A, B, C, END)
        ]
        first, *rest = sorted([*(one for one in beam if one[0][-1] == END), *grown], key=rank)
        beam, left = [first, *rest][: options.width], rest[options.width - 1 :]
        if left and rank(left[0]) == pytest.approx(rank(beam[-1])):
            return []
    ended = [score for words, score in beam if words[-1] == END]
    return ended or [score for _, score in beam]


def test_the_writer_also_lets_finished_texts_compete(tmp_path: Path) -> None:
    bundle = model_folder.load(save_tiny_model(tmp_path))
    bundle.model.w_o.data[END] = bundle.model.w_o.data[bundle.vocabularies.text.ids["olive_oil"]]  # a likely word
    recipe = replace(make_example(1), goal_tokens=["soup"], agenda_tokens=[["salt"], ["tomatoes"]])
    options = replace(bundle.config.search, width=4, max_tokens=6, finished=0)
    (found,) = write(bundle, [recipe], options)
    (expected,) = beam_search(bundle.model, bundle.prompts([recipe]), options)
    assert [one.tokens for one in found] == [one.tokens for one in expected]
    assert len(found) > 1 and all(one.finished for one in found)


def test_an_item_introduced_twice_counts_once() -> None:
    table = {START: {A: 1.0}, A: {C: 1.0}, C: {A: 0.5, END: 0.5}}
    (found,) = beam_search(Scripted([table], {A: (0, True)}, NO_NAMES), prompts(1), OPTIONS)
    assert [(one.tokens, one.used) for one in found] == [([A, C], [0]), ([A, C, A, C], [0])]


def test_the_paper_counts_each_introduction() -> None:
    table = {START: {A: 0.9, B: 0.1}, A: {END: 1.0}, B: {C: 1.0}, C: {B: 0.1, END: 0.9}}
    model = Scripted([table], {B: (0, True)}, NO_NAMES)
    (found,) = beam_search(model, prompts(1), replace(OPTIONS, distinct_items=False))
    assert [(one.tokens, one.introductions) for one in found] == [([B, C, B, C], 2), ([B, C], 1), ([A], 0)]
    (found,) = beam_search(model, prompts(1), OPTIONS)
    assert [one.tokens for one in found] == [[B, C], [B, C, B, C], [A]]


def test_references_on_consecutive_words_are_penalised_out() -> None:
    table = {START: {A: 1.0}, A: {B: 0.9, C: 0.1}, B: {C: 1.0}, C: {END: 1.0}}
    # A and the word after A refer to items; so do both words after B.
    items = {START: (0, True), A: (1, True), B: (2, True)}
    (found,) = beam_search(Scripted([table], items, NO_NAMES), prompts(1), OPTIONS)
    assert all(one.penalised for one in found)
    assert found[0].tokens == [A, B, C]  # nothing else is left; its probability is told without the penalty
    assert found[0].log_probability == pytest.approx(math.log(0.9), abs=1e-4)
    calm = {START: {A: 0.1, B: 0.9}, A: {C: 1.0}, B: {C: 1.0}, C: {END: 1.0}}
    (found,) = beam_search(Scripted([calm], {START: (0, True), B: (1, True)}, NO_NAMES), prompts(1), OPTIONS)
    assert found[0].tokens == [A, C]
    assert not found[0].penalised
    assert found[-1].penalised
    assert PENALTY == 10_000


def test_adjacent_references_are_free_on_request() -> None:
    calm = {START: {A: 0.1, B: 0.9}, A: {C: 1.0}, B: {C: 1.0}, C: {END: 1.0}}
    model = Scripted([calm], {START: (0, True), B: (1, True)}, NO_NAMES)
    (found,) = beam_search(model, prompts(1), replace(OPTIONS, adjacent_items=True))
    assert [(one.tokens, one.penalised) for one in found] == [([B, C], False), ([A, C], False)]


def test_the_order_follows_its_settings() -> None:
    table = {START: {A: 0.9, B: 0.1}, A: {END: 0.5, C: 0.5}, B: {C: 1.0}, C: {END: 0.6, C: 0.4}}
    model = Scripted([table], {B: (1, True)}, NO_NAMES)
    for believe, power, first in ((True, 1, [B, C]), (False, 1, [A]), (False, 2, [A, C])):
        options = replace(OPTIONS, rank_by_model_items=believe, length_power=power)
        (found,) = beam_search(model, prompts(1), options)
        assert found[0].tokens == first, (believe, power)


def test_two_words_of_one_items_name_may_follow_each_other() -> None:
    table = {START: {A: 1.0}, A: {A: 0.6, B: 0.3, C: 0.1}, B: {C: 1.0}, C: {END: 1.0}}
    names = [[A, B], [C, PAD], [PAD, PAD]]
    (found,) = beam_search(Scripted([table], {START: (0, True), A: (0, False)}, names), prompts(1), OPTIONS)
    assert [(one.tokens, one.items) for one in found if not one.penalised] == [([A, B, C], [0, 0, NO_ITEM])]


def test_marks_never_stand_in_a_text() -> None:
    table = {START: {UNKNOWN: 0.7, PAD: 0.2, START: 0.06, A: 0.04}, A: {UNKNOWN: 0.9, END: 0.1}}
    (found,) = beam_search(Scripted([table], {}, NO_NAMES), prompts(1), SearchConfig(width=2, max_tokens=3, finished=2))
    assert found[0].tokens == [A]


def test_a_text_without_an_end_is_cut_at_the_longest_length() -> None:
    table = {START: {A: 1.0}, A: {A: 1.0}}
    model = Scripted([table], {}, NO_NAMES)
    (found,) = beam_search(model, prompts(1), OPTIONS)
    assert found[0].tokens == [A] * 5
    assert not found[0].finished


def test_no_sequence_stands_twice_when_that_is_asked_for() -> None:
    table = {START: {A: 1.0}, A: {B: 1.0}, B: {A: 0.9, C: 0.1}, C: {END: 1.0}}
    model = Scripted([table], {}, NO_NAMES)
    (free,) = beam_search(model, prompts(1), replace(OPTIONS, max_tokens=8, width=2))
    (held,) = beam_search(model, prompts(1), replace(OPTIONS, max_tokens=8, width=2, no_repeat_ngram=2))
    assert [A, B, A, B, C] in [one.tokens for one in free]
    assert [A, B, A, B, C] not in [one.tokens for one in held]
    assert held[0].tokens == [A, B, C]


def test_a_bonus_leads_narrow_beams_to_new_items() -> None:
    table = {START: {A: 0.9, B: 0.1}, A: {END: 1.0}, B: {C: 0.4, END: 0.6}, C: {A: 0.5, B: 0.5}}
    model = Scripted([table], {START: (1, True), C: (1, True)}, [[C, PAD], [B, C], [A, PAD]])
    narrow = SearchConfig(width=1, max_tokens=9, finished=1)
    (plain,) = beam_search(model, prompts(1), narrow)
    (led,) = beam_search(model, prompts(1), replace(narrow, item_bonus=5))
    assert [one.tokens for one in plain] == [[A]]
    # B and C both name item 1, but only its first mention gets the bonus: the text may end after it.
    assert [one.tokens for one in led] == [[B]]
    assert led[0].log_probability == pytest.approx(math.log(0.1 * 0.6), rel=1e-5)
    assert not led[0].penalised


def test_copied_words_are_found_next_to_vocabulary_words() -> None:
    torch.manual_seed(2)
    model = Copying()
    both = replace(prompts(2), weights=torch.tensor([[2.0, 1, 3], [0.5, 4, 1]]))
    options = SearchConfig(width=4, max_tokens=6, finished=4, search_batch=2)
    found = beam_search(model, both, options)
    assert {7, 8, 9} <= model.read and any(word >= 7 for one in found[0] for word in one.tokens)
    for text, hypotheses in enumerate(found):
        for one in hypotheses:
            state, total = model.start(both), 0.0
            for before, word in itertools.pairwise([START, *one.tokens, *([END] if one.finished else [])]):
                scores, state = model.step(state, torch.tensor([before, before]))
                assert scores.log_probs.exp().sum(1).tolist() == pytest.approx([1, 1], abs=1e-5)
                total += scores.log_probs[text, word].item()
            assert one.log_probability == pytest.approx(total, abs=1e-4)


def test_steps_leave_copied_words_alone() -> None:
    torch.manual_seed(2)
    model = Copying()
    both = replace(prompts(2), weights=torch.tensor([[2.0, 1, 3], [0.5, 4, 1]]))
    options = SearchConfig(width=4, max_tokens=6, finished=4, search_batch=2)
    watch = ban.watch((*SPECIALS, "four", "five", "six"), ("five six",))
    steps = Once(torch.tensor([4])), Phrases(watch)
    texts = [one.tokens for found in beam_search(model, both, options, steps) for one in found]
    assert any(max(text, default=0) >= 7 for text in texts)
    assert all(text.count(4) < 2 and (5, 6) not in itertools.pairwise(text) for text in texts)
    assert any(text.count(one) > 1 for text in texts for one in (7, 8, 9))


def test_a_text_that_waits_takes_the_place_of_one_that_is_done() -> None:
    """More texts than slots, of lengths that differ, are what each is in a search of its own."""
    tables = [PLAIN, {START: {C: 1.0}, C: {C: 0.5, B: 0.3, END: 0.2}, B: {END: 1.0}}, {START: {END: 1.0}}] * 3
    model, few = Scripted(tables, {}, NO_NAMES), replace(OPTIONS, search_batch=2)
    found = beam_search(model, prompts(9), few)
    assert [found[text] for text in range(3, 9)] == [found[text % 3] for text in range(3, 9)]
    assert found == beam_search(model, prompts(9), OPTIONS)
