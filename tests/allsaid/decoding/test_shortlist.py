"""A search over few words: which they are, and that it is the search over all words where they are all."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from random_models import MODELS, Copying, random_prompts
from scripted_model import prompts
from small_data import make_example, publish
from torch import Tensor

from allsaid.decoding.beam import beam_search
from allsaid.decoding.hypothesis import Hypothesis
from allsaid.decoding.step.ban import first_banned
from allsaid.decoding.step.costs import Costs
from allsaid.decoding.step.once import Once
from allsaid.decoding.step.own_words import LEAST, SIZE, own_words
from allsaid.decoding.write import write
from allsaid.modeling.config import Config, DataConfig, SearchConfig
from allsaid.modeling.data.agenda_arrays import Prompts
from allsaid.modeling.data.companions import MOST, Companions
from allsaid.modeling.data.dataset import DataSet
from allsaid.modeling.data.shapes import by_shape
from allsaid.modeling.data.vocabulary import END, PAD, SPECIALS, START
from allsaid.modeling.models import checklist
from allsaid.modeling.models.base.contract import Model
from allsaid.modeling.models.checklist import Checklist
from allsaid.modeling.saved.model_folder import Bundle
from allsaid.modeling.tasks import agenda
from allsaid.proof.coverage import measure

FREQUENT, WORDS = 11, 37
EXAMPLES = [make_example(number) for number in range(12)]
FIRST = len(SPECIALS) + FREQUENT
PLAIN = SearchConfig(max_tokens=12, finished=4, item_bonus=0.3, no_repeat_ngram=3)
SHORT = replace(PLAIN, shortlist=FREQUENT)


def lists(count: int, size: int) -> Tensor:
    """Words of their own, in no order, some of them fewer."""
    chance = np.random.default_rng(6)
    own = torch.full((count, size), PAD)
    for row in own:
        words = chance.permutation(np.arange(FIRST, WORDS))[: chance.integers(size // 2, size + 1)]
        row[: len(words)] = torch.from_numpy(words)
    return own


def search(
    model: Model, rows: list[Prompts], options: SearchConfig, own: Tensor | None = None
) -> list[list[Hypothesis]]:
    found: list[list[Hypothesis]] = [[] for _ in rows]
    for places, group in by_shape(rows):
        texts = beam_search(model, group, options, shortlists=None if own is None else own[places])
        for place, hypotheses in zip(places, texts, strict=True):
            found[place] = hypotheses
    return found


@pytest.mark.parametrize("model", MODELS, ids=["checklist", "hard", "attention", "sclstm"])
def test_a_full_list_finds_the_same_texts(model: Model) -> None:
    rows = random_prompts(9)
    everything = torch.arange(FIRST, WORDS).repeat(9, 1)
    for plain, short in zip(search(model, rows, PLAIN), search(model, rows, SHORT, everything), strict=True):
        assert [(one.tokens, one.items, one.used) for one in short] == [
            (one.tokens, one.items, one.used) for one in plain
        ]
        assert [one.log_probability for one in short] == pytest.approx([one.log_probability for one in plain], abs=1e-4)


@pytest.mark.parametrize("model", MODELS, ids=["checklist", "hard", "attention", "sclstm"])
def test_listed_texts_do_not_depend_on_their_batch(model: Model) -> None:
    rows, own = random_prompts(14), lists(14, LEAST)
    together = search(model, rows, SHORT, own)
    for words, hypotheses in zip(own.tolist(), together, strict=True):
        assert all(word < FIRST or word in words for one in hypotheses for word in one.tokens)
    assert any(word >= FIRST for one in together for word in one[0].tokens)
    shuffled = [9, 3, 13, 0, 7, 1, 12, 5, 2, 11, 4, 10, 6, 8]
    assert search(model, [rows[row] for row in shuffled], SHORT, own[shuffled]) == [together[row] for row in shuffled]
    for row in (0, 6, 13):
        assert search(model, [rows[row]], SHORT, own[[row]]) == [together[row]]


@torch.no_grad()
def test_probabilities_are_those_within_the_list() -> None:
    model, rows, own = MODELS[0], random_prompts(3), lists(3, 9)
    for row, hypotheses in enumerate(search(model, rows, SHORT, own)):
        (_, prompts), *_ = by_shape([rows[row]])
        for one in hypotheses:
            state, total = model.start(prompts), 0.0
            words = [START, *one.tokens, *([END] if one.finished else [])]
            allowed = torch.cat([torch.arange(FIRST), own[row][own[row] != PAD]])
            for before, word in itertools.pairwise(words):
                scores, state = model.step(state, torch.tensor([before]))
                total += (scores.log_probs[0, word] - scores.log_probs[0, allowed].logsumexp(0)).item()
            assert one.log_probability == pytest.approx(total, abs=1e-4)


def test_words_of_the_examples_own_stand_behind_the_list() -> None:
    torch.manual_seed(2)
    model = Copying()
    both = replace(prompts(2), weights=torch.tensor([[2.0, 1, 3], [0.5, 4, 1]]))
    options = SearchConfig(width=4, max_tokens=6, finished=4, search_batch=2, shortlist=1)
    plain = beam_search(model, both, options)
    whole = beam_search(model, both, options, shortlists=torch.tensor([[5, 6], [5, 6]]))
    assert [[one.tokens for one in texts] for texts in whole] == [[one.tokens for one in texts] for texts in plain]
    few = beam_search(model, both, options, shortlists=torch.tensor([[6], [PAD]]))
    assert {word for one in few[1] for word in one.tokens} <= {4, 7, 8, 9}
    assert {word for one in few[0] for word in one.tokens} & {7, 8, 9}


def bundle_of(folder: Path, companions: Companions | None) -> Bundle:
    """A model of the words that the made-up recipes hold, most of them beyond the first four."""
    data = DataSet(str(publish(folder, {"train": EXAMPLES, "dev": EXAMPLES[:2]}, files=1)))
    vocabularies = agenda.TASK.build_vocabularies(data, DataConfig(1, 1, 1))
    torch.manual_seed(3)
    model = Checklist(checklist.Settings(hidden=16, init=0.9), vocabularies.sizes).eval()
    config = Config(model=checklist.Settings(hidden=16), search=SearchConfig(width=4, max_tokens=14, shortlist=3))
    return Bundle(model, config, vocabularies, origin={}, companions=companions, **agenda.TASK.background(data))


def test_a_rows_list_is_its_words_and_their_companions(tmp_path: Path) -> None:
    bundle = bundle_of(tmp_path, None)
    ids, words = bundle.vocabularies.text.ids, bundle.vocabularies.text.words
    row = replace(EXAMPLES[0], agenda=["basil", "oil"], agenda_tokens=[["basil"], ["oil"]], goal_tokens=["baked"])
    table = np.full((len(words), MOST), PAD, np.int32)
    table[ids["basil"], :2] = ids["stir"], ids["lime"]
    table[ids["salt"], 0] = ids["rice"]
    for companions, more in ((None, []), (Companions(table), ["lime", "stir"])):
        (own,) = own_words(replace(bundle, companions=companions), [row], replace(bundle.config.search, shortlist=0))
        assert len(own) == (SIZE if companions else LEAST)
        assert [words[word] for word in own if word] == sorted(["basil", "olive_oil", *more], key=ids.__getitem__)
    first = words[len(SPECIALS)]
    (own,) = own_words(
        bundle, [replace(row, agenda=[first], agenda_tokens=[[first]])], replace(bundle.config.search, shortlist=1)
    )
    assert not own.any()  # the item's word is a frequent one
    (own,) = own_words(bundle, [row], bundle.config.search, banned=("olive oil",))
    assert [words[word] for word in own if word] == ["basil"]


def test_banked_search_covers_all_and_writes_nothing_banned(tmp_path: Path) -> None:
    bundle = bundle_of(tmp_path, None)
    search, rows = replace(bundle.config.search, min_coverage=100, max_tokens=30), EXAMPLES[:6]
    banned = ("stir", "mix the")
    together = write(bundle, rows, search, banned)
    for row, hypotheses in zip(rows, together, strict=True):
        words = bundle.words(hypotheses[0].tokens, row)
        assert measure(words, row.agenda_tokens, bundle.lexicon).percent_given == 100
        assert first_banned(" ".join(words), banned) is None
        allowed = {*range(len(SPECIALS) + 3), *own_words(bundle, [row], search, banned)[0].tolist()}
        assert all(allowed >= set(one.tokens) for one in hypotheses)
        assert write(bundle, [row], search, banned) == [hypotheses]


def test_lists_respect_once_and_closed_words() -> None:
    own = lists(6, 9)
    closed = torch.zeros(6, WORDS, dtype=torch.bool)
    closed[:, own[own != PAD].unique()[::2]] = True
    cost = torch.zeros(6, WORDS)
    cost[:, END] = 50  # long texts, which repeat words where they may
    free = [Costs(cost)]
    bound = [Once(torch.arange(len(SPECIALS), WORDS)), Costs(cost.masked_fill(closed, torch.inf))]
    (_, prompts), *_ = by_shape([random_prompts(1)[0]] * 6)
    options = replace(SHORT, no_repeat_ngram=0)
    before, after = (beam_search(MODELS[2], prompts, options, steps, shortlists=own) for steps in (free, bound))
    assert any(len(one.tokens) != len({*one.tokens}) for texts in before for one in texts)
    assert any(closed[row, word] for row, texts in enumerate(before) for one in texts for word in one.tokens)
    for row, texts in enumerate(after):
        assert all(len(one.tokens) == len({*one.tokens}) for one in texts)
        assert not any(closed[row, word] for one in texts for word in one.tokens)
        assert any(word >= FIRST for one in texts for word in one.tokens)
