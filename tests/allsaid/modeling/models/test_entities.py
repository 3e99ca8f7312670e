"""The language model with entity states, beside its equations computed one word at a time."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
import torch
from torch import Tensor

from allsaid.modeling.data.tensors import fill
from allsaid.modeling.data.vocabulary import PAD, START
from allsaid.modeling.models.entities import Entities, Settings
from allsaid.modeling.tasks.document import Batch, newest_mentions
from schemas.document import NO_ENTITY

WORDS = 9
NONE = NO_ENTITY
# Words and the entities that they mention: two entities; none; one that is mentioned twice in a row; a single word.
DOCUMENTS = [
    ([4, 5, 6, 7, 5, 4, 8], [0, NONE, 1, 0, NONE, 1, 0]),
    ([4, 6, 6, 5], [NONE, NONE, NONE, NONE]),
    ([7, 7, 8], [0, 0, NONE]),
    ([5], [NONE]),
]


def batch_of(documents: list[tuple[list[int], list[int]]]) -> Batch:
    targets = fill([words for words, _ in documents], PAD)
    entities = fill([mentioned for _, mentioned in documents], NONE)
    inputs = torch.cat([torch.full_like(targets[:, :1], START), targets[:, :-1]], dim=1)
    return Batch(inputs, targets, entities, newest_mentions(entities))


def model_of(entity_states: bool = True) -> Entities:
    torch.manual_seed(3)
    settings = Settings(hidden=5, init=0.7, dropout=0.0, entity_states=entity_states)
    return Entities(settings, WORDS, torch.float64).double().eval()


@dataclass
class Step:
    """What section 2.3 says of one word: the distribution of (z, v, word), with the words of no mention first."""

    words: Tensor  # (V,) p(z = 0) p(word)
    pointed: Tensor  # (entities so far + 1, V) p(z = 1) p(v) p(word | v)


def one_by_one(model: Entities, words: list[int], mentioned: list[int]) -> list[Step]:
    """The paper's equations, a word and an entity at a time, with a list of entity states that grows."""
    states, found = [model.empty[0]], []
    memory = torch.zeros(1, 1, 5, dtype=torch.float64), torch.zeros(1, 1, 5, dtype=torch.float64)
    for position, word in enumerate([START, *words]):
        output, memory = model.lstm(model.embedding[word].view(1, 1, -1), memory)
        h = output[0, 0]
        if position and (entity := mentioned[position - 1]) != NONE:
            states[entity + 1 : entity + 2] = [h]
        scores = [model.score(torch.tanh(model.key(state) + model.query(h))) for state in states]
        v = torch.softmax(torch.cat(scores), 0)
        d = sum(p * state for p, state in zip(v, states, strict=True))
        z = torch.sigmoid(model.w_z(torch.cat([d, h])))
        of_entity = [torch.softmax(model.w_1 @ torch.tanh(model.w_2(torch.cat([one, h]))), 0) for one in states]
        pointed = torch.stack([z * p * one for p, one in zip(v, of_entity, strict=True)])
        found.append(Step((1 - z) * torch.softmax(model.w_1 @ h, 0), pointed))
    return found[:-1]


@torch.no_grad()
def test_all_that_may_come_next_sums_to_one() -> None:
    for words, mentioned in DOCUMENTS:
        for step in one_by_one(model_of(), words, mentioned):
            assert (step.words.sum() + step.pointed.sum()).item() == pytest.approx(1)


@torch.no_grad()
def test_a_batch_is_what_the_equations_say_one_by_one() -> None:
    model, batch = model_of(), batch_of(DOCUMENTS)
    annotated, marginal = model.annotated(batch), model.marginal(batch)
    for row, (words, mentioned) in enumerate(DOCUMENTS):
        seen: set[int] = set()
        for t, (step, word, entity) in enumerate(
            zip(one_by_one(model, words, mentioned), words, mentioned, strict=True)
        ):
            slot = entity + 1 if entity in seen else 0
            true = step.words[word] if entity == NONE else step.pointed[slot, word]
            assert annotated[row, t].item() == pytest.approx(true.log().item(), abs=1e-9)
            every = step.words[word] + step.pointed[:, word].sum()
            assert marginal[row, t].item() == pytest.approx(every.log().item(), abs=1e-9)
            seen |= {entity} - {NONE}
        assert not annotated[row, len(words) :].any() and not marginal[row, len(words) :].any()


@pytest.mark.parametrize("entity_states", [True, False])
def test_the_loss_sums_words_and_reaches_every_weight(entity_states: bool) -> None:
    model, batch = model_of(entity_states), batch_of(DOCUMENTS)
    losses = model.loss(batch)
    assert losses.words == (batch.targets != PAD).sum()
    assert losses.named["nll"].item() == pytest.approx(-model.annotated(batch).sum().item())
    losses.total.backward()
    for name, parameter in model.named_parameters():
        assert parameter.grad is not None and parameter.grad.isfinite().all() and parameter.grad.any(), name


@pytest.mark.parametrize("entity_states", [True, False])
def test_the_gradient_is_that_of_small_differences(entity_states: bool) -> None:
    model, batch = model_of(entity_states), batch_of(DOCUMENTS[:3])
    weights = [one for one in model.parameters() if one.requires_grad]
    assert torch.autograd.gradcheck(lambda *_: model.loss(batch).total, weights)


@torch.no_grad()
def test_a_document_does_not_depend_on_its_neighbours() -> None:
    model, together = model_of(), batch_of(DOCUMENTS)
    for row, document in enumerate(DOCUMENTS):
        alone, length = batch_of([document]), len(document[0])
        for measure in (model.annotated, model.marginal):
            assert torch.allclose(measure(alone)[0], measure(together)[row, :length], atol=1e-12)


@torch.no_grad()
def test_without_entities_only_words_have_probability() -> None:
    model, batch = model_of(entity_states=False), batch_of(DOCUMENTS)
    assert torch.equal(model.annotated(batch), model.marginal(batch))
    assert [name for name, _ in model.named_parameters() if name.startswith(("w_2", "key", "empty"))] == []


@torch.no_grad()
def test_words_alone_are_likelier_than_with_their_entities() -> None:
    model, batch = model_of(), batch_of(DOCUMENTS)
    real = batch.targets != PAD
    assert (model.marginal(batch)[real] > model.annotated(batch)[real]).all()
