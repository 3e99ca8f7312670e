"""Models of boxes that choose from a shortlist: the words of each row's table are always there."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from small_boxes import table

from allsaid.decoding.step.own_words import LEAST, own_words
from allsaid.decoding.write import write
from allsaid.modeling.config import Config, SearchConfig
from allsaid.modeling.data.vocabulary import PAD, SPECIALS, Vocabulary
from allsaid.modeling.layers.projection import ShortProjection
from allsaid.modeling.models import table_nlm
from allsaid.modeling.saved.model_folder import Bundle, build_model
from allsaid.modeling.tables.box_table import Vocabularies
from allsaid.modeling.tasks.box import Row
from schemas.box import NUMBER, YEAR

WORDS = ("was", "of", NUMBER, YEAR, *(f"w{number}" for number in range(30)), "poet", "ada", "zorn")
KNOWN = Vocabularies(Vocabulary((*SPECIALS, *WORDS)), Vocabulary((*SPECIALS, "name", "born")))
ROWS = [
    Row("1", "", table(name="Ada Nobody Zorn", born="10 May 1815")),
    Row("2", "", table(name="Poet", job="w3 of w3")),
    Row("3", "", table(name="Zorn Else", born="1900 and 1901")),
]
SEARCH = SearchConfig(width=4, max_tokens=9, finished=4, search_batch=2, shortlist=2)
V, FREQUENT = len(KNOWN.text), len(SPECIALS) + SEARCH.shortlist


@pytest.fixture(scope="module")
def bundle() -> Bundle:
    torch.manual_seed(5)
    settings = table_nlm.Settings(order=4, embedding=8, global_embedding=8, hidden=16, init=0.6)
    config = Config(model=settings)
    return Bundle(build_model(config, KNOWN).eval(), config, KNOWN)


def test_a_rows_list_holds_its_table(bundle: Bundle) -> None:
    lists = own_words(bundle, ROWS, SEARCH)
    named = [[KNOWN.text.words[word] for word in words if word] for words in lists]
    assert [len(words) for words in lists] == [LEAST] * len(ROWS)  # no companions fill them up
    assert named == [[NUMBER, YEAR, "ada", "zorn"], ["w3", "poet"], [YEAR, "zorn"]]  # "of" is a frequent one
    (own,) = own_words(bundle, ROWS[:1], replace(SEARCH, shortlist=len(WORDS) - 2))
    assert own[own != PAD].tolist() == [V - 2, V - 1]


@torch.no_grad()
def test_list_scores_differ_by_the_normaliser_only(bundle: Bundle) -> None:
    texts, each = len(ROWS), 3
    model, own = bundle.model, torch.stack(own_words(bundle, ROWS, SEARCH))
    whole = model.start(bundle.prompts(ROWS)).select(torch.arange(texts).repeat_interleave(each))
    short = ShortProjection(whole.project, FREQUENT, own, texts, each)
    short.renew(torch.arange(texts), torch.arange(texts))
    state = replace(whole, project=short)
    for tokens in ([2] * 9, [5, V, V - 1, 4, V - 3, 6, 6, V, V + 1]):  # words of tables among them, and their own
        of_all, whole = model.step(whole, torch.tensor(tokens))
        found, state = model.step(state, torch.tensor(tokens))
        assert found.shortlist is not None
        for row in range(texts * each):
            listed = own[row // each][own[row // each] != PAD]
            words = torch.cat([torch.arange(FREQUENT), listed, torch.arange(V, of_all.words)])
            places = found.shortlist.places(words, torch.full_like(words, row))
            assert len({*places.tolist()}) == len(words)
            expected = of_all.values[words, row]
            assert found.values[places, row].tolist() == pytest.approx(expected.tolist(), abs=1e-5)
            assert found.log_normaliser[row].item() == pytest.approx(expected.logsumexp(0).item(), abs=1e-5)


def test_texts_hold_words_of_their_lists_and_of_their_tables(bundle: Bundle) -> None:
    found = write(bundle, ROWS, SEARCH)
    allowed = [{*range(FREQUENT), *own.tolist()} for own in own_words(bundle, ROWS, SEARCH)]
    tokens = [{token for one in texts for token in one.tokens} for texts in found]
    assert all({token for token in each if token < V} <= words for each, words in zip(tokens, allowed, strict=True))
    assert any(FREQUENT <= token < V for each in tokens for token in each)
    assert any(token >= V for each in tokens for token in each)
    for row, texts in zip(ROWS, found, strict=True):
        assert write(bundle, [row], SEARCH) == [texts]


def test_a_full_list_writes_the_same_texts(bundle: Bundle) -> None:
    plain = write(bundle, ROWS, replace(SEARCH, shortlist=0))
    short = write(bundle, ROWS, replace(SEARCH, shortlist=len(WORDS)))
    assert [[one.tokens for one in texts] for texts in short] == [[one.tokens for one in texts] for texts in plain]
    logs = [[one.log_probability for one in texts] for texts in plain]
    assert [[one.log_probability for one in texts] for texts in short] == [
        pytest.approx(each, abs=1e-4) for each in logs
    ]
